"""Decision tokens for tests of losses, written by hand."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from arena.learner import LossConfig
from arena.learner.losses import LossStep, LossTokens, PolicyLoss, policy_loss


def loss_tokens(
    log_ratios: Sequence[float],
    advantages: Sequence[float],
    *,
    old: Sequence[float] | None = None,
    lengths: Sequence[int] | None = None,
    rewards: Sequence[float] | None = None,
    groups: Sequence[int] | None = None,
    turns: Sequence[int] | None = None,
    trajectories: Sequence[int] | None = None,
    entropies: Sequence[float] | None = None,
    ids: Sequence[int] | None = None,
    teacher: Sequence[float] | None = None,
    reference: Sequence[float] | None = None,
    kept: Sequence[float] | None = None,
    replayed: Sequence[bool] | None = None,
    number: int = 0,
) -> LossTokens:
    """K tokens by their log ratios to the old policy; N samples of `lengths` tokens, by default one token each.

    `advantages` are given per token; `rewards`, `groups`, `turns` and `trajectories` per sample.
    """
    lengths = lengths or [1] * len(log_ratios)
    n = len(lengths)
    of = torch.arange(n).repeat_interleave(torch.tensor(lengths))
    start = torch.tensor([0, *lengths[:-1]]).cumsum(0)
    before = torch.tensor(old or [-1.5] * len(log_ratios))
    advantage = torch.tensor(advantages, dtype=torch.float32)
    step = LossStep(
        number=number,
        generator=torch.Generator().manual_seed(0),
        samples=n,
        tokens=len(log_ratios),
        length=torch.tensor(lengths),
        reward=torch.tensor(rewards or [0.0] * n),
        advantage=advantage[start],
        turn=torch.tensor(turns or [0] * n),
        group=torch.tensor(groups or [0] * n),
        trajectory=torch.tensor(trajectories or list(range(n))),
        key=torch.zeros(n, dtype=torch.long),
        keys=(("game", "role", "play"),),
        replayed=torch.tensor(replayed or [False] * n),
    )
    return LossTokens(
        logp=(before + torch.tensor(log_ratios)).requires_grad_(True),
        old=before,
        weight=torch.ones(len(of)),
        advantage=advantage,
        sampler=before,
        entropy=torch.tensor(entropies or [1.0] * len(of)),
        sample=of,
        position=torch.arange(len(of)) - start[of],
        token=torch.tensor(ids or [0] * len(of)),
        teacher=torch.tensor(teacher or [-1.0] * len(of)),
        reference=torch.tensor(reference or before.tolist()),
        kept=torch.tensor(kept or before.tolist()),
        step=step,
    )


def prepared(id: str, tokens: LossTokens, **config: float) -> tuple[PolicyLoss, LossTokens]:
    """The loss of an id, and the tokens with what it prepared."""
    loss = policy_loss(LossConfig(name=id, **config))
    if not hasattr(loss, "prepare"):
        return loss, tokens
    with torch.no_grad():
        return loss, replace(tokens, prepared=dict(loss.prepare(replace(tokens, logp=tokens.logp.detach()))))


def losses_and_gradient(id: str, tokens: LossTokens, **config: float) -> tuple[list[float], list[float]]:
    """(K,) the losses of an id, and (K,) the gradient of their sum by the log probabilities."""
    leaf = tokens.logp.detach().clone().requires_grad_(True)
    loss, given = prepared(id, replace(tokens, logp=leaf), **config)
    losses, _ = loss(given)
    losses.sum().backward()
    assert leaf.grad is not None
    return losses.tolist(), leaf.grad.tolist()
