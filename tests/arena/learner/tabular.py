"""A tabular policy that answers with one of m options, trained by the losses of the library on exact preferences."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from arena.learner import LossConfig
from arena.learner.losses import LossTokens, policy_loss
from tests.arena.learner.tokens import loss_tokens

Table = Sequence[Sequence[float]]


def exploitability(table: Table, probs: Tensor) -> float:
    """How often the best answer is preferred to the policy's, above 1/2."""
    return float((torch.tensor(table) @ probs).max()) - 0.5


def answers(probs: Tensor, count: int) -> Tensor:
    """`count` answers or a few more: each option as often as its probability says, and at least once."""
    copies = (probs * count).round().long().clamp(min=1)
    return torch.arange(len(probs)).repeat_interleave(copies)


class TabularTraining:
    """Softmax logits, moved to the minimum of a loss over the answers of one group at each step."""

    def __init__(self, loss: str, table: Table, count: int = 400, inner: int = 1, lr: float = 0.5) -> None:
        self.loss = policy_loss(LossConfig(name=loss))
        self.table, self.count, self.inner, self.lr = torch.tensor(table), count, inner, lr
        self.logits = torch.zeros(len(table))
        self.kept = self.reference = self.probs.log()
        self.steps = 0

    @property
    def probs(self) -> Tensor:
        """(m,) the policy."""
        return torch.softmax(self.logits.detach(), 0)

    def step(self, chosen: Tensor | None = None) -> None:
        """One training step on answers of the present policy, or on those given."""
        keeps = getattr(self.loss, "keeps", 0)
        if keeps and self.steps % keeps == 0:
            self.kept = self.probs.log()
        self.steps += 1
        chosen = answers(self.probs, self.count) if chosen is None else chosen
        wins = self.table[chosen][:, chosen].fill_diagonal_(0.0).sum(1) / (len(chosen) - 1)
        tokens = self._tokens(chosen, wins, [0] * len(chosen))
        self._minimise(tokens, chosen)

    def pairs(self) -> None:
        """One training step on every pair of different options, as data of an even policy."""
        m = len(self.table)
        chosen = torch.tensor([o for i in range(m) for j in range(i) for o in (i, j)])
        wins = self.table[chosen, chosen.view(-1, 2).flip(1).flatten()]
        self._minimise(self._tokens(chosen, wins, [i // 2 for i in range(len(chosen))]), chosen)

    def _tokens(self, chosen: Tensor, wins: Tensor, groups: list[int]) -> LossTokens:
        old = self.probs.log()[chosen].tolist()
        return loss_tokens(
            [0.0] * len(chosen),
            [0.0] * len(chosen),
            old=old,
            rewards=wins.tolist(),
            groups=groups,
            reference=self.reference[chosen].tolist(),
            kept=self.kept[chosen].tolist(),
        )

    def _minimise(self, tokens: LossTokens, chosen: Tensor) -> None:
        """Natural gradient steps: each logit's gradient over the share of its option; a square needs one."""
        share = torch.bincount(chosen, minlength=len(self.logits)) / len(chosen)
        theta = self.logits.clone().requires_grad_(True)
        for _ in range(self.inner):
            given = replace(tokens, logp=torch.log_softmax(theta, 0)[chosen])
            with torch.no_grad():
                seen = replace(given, logp=given.logp.detach())
                ready = replace(given, prepared=dict(self.loss.prepare(seen)))  # type: ignore[attr-defined]
            loss = (self.loss(ready)[0] / tokens.step.length[tokens.sample]).mean()
            (slope,) = torch.autograd.grad(loss, theta)
            with torch.no_grad():
                theta -= self.lr * slope / share
        self.logits = theta.detach() - theta.detach().mean()
