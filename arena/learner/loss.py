"""Policy losses by name, and the distributions they are computed from.

Shapes: K decision tokens. Everything is a sum over tokens; the trainer divides by normaliser * samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from arena.learner.batch import Rows
from arena.learner.config import LossConfig
from arena.learner.guarded import GuardedLoss
from games.registries import Registry


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a policy loss sees of K decision tokens; all (K,) float32."""

    logp: Tensor
    """log probability now, with gradient"""
    old: Tensor
    """log probability that ratios are taken against: the sampler's, or the trainer's at the start of the step"""
    weight: Tensor
    """importance weight between the sampler and `old`, already cut; 1 where `old` is the sampler's. A loss multiplies
    it with its own ratio to `old` and cuts the product, too."""
    advantage: Tensor


@runtime_checkable
class PolicyLoss(Protocol):
    """A policy loss; its factory takes `config: LossConfig` first, then the parameters of its id."""

    def __call__(self, tokens: Tokens) -> tuple[Tensor, Tensor]:
        """(K,) losses, and (K,) bool: whose gradient was clipped away."""
        ...


LOSSES = Registry(
    "loss",
    "arena.losses",
    PolicyLoss,  # type: ignore[type-abstract]
    {"reinforce": "arena.learner.loss:Reinforce", "ppo": "arena.learner.loss:ClippedRatio"},
)

ids = LOSSES.ids


def policy_loss(config: LossConfig) -> PolicyLoss:
    """The loss that `config.name` describes. Raises InputError."""
    made = LOSSES.make(config.name, config=config)
    return GuardedLoss(made, config.name) if LOSSES.is_plugin(config.name) else made


class Reinforce:
    """REINFORCE with truncated importance weights: -min(w pi / old, cap) A log pi, the weight without gradient."""

    def __init__(self, config: LossConfig) -> None:
        self.cap = config.weight_cap

    def __call__(self, tokens: Tokens) -> tuple[Tensor, Tensor]:
        """(K,) losses; nothing is clipped."""
        ratio = (tokens.logp.detach() - tokens.old).exp()
        weight = (tokens.weight * ratio).clamp(max=self.cap)
        return -weight * tokens.advantage * tokens.logp, torch.zeros_like(ratio, dtype=torch.bool)


class ClippedRatio:
    """PPO (arXiv 1707.06347, eq. 7) with separate bounds (DAPO): -w min(r A, clip(r, 1 - low, 1 + high) A).

    The product w r, which is what weighs a token's gradient, is cut at `weight_cap`: where A < 0 the pessimistic
    minimum leaves r without an upper bound, and with an older sampler w comes on top of it.
    """

    def __init__(self, config: LossConfig) -> None:
        self.low, self.high, self.cap = config.clip_low, config.clip_high, config.weight_cap

    def __call__(self, tokens: Tokens) -> tuple[Tensor, Tensor]:
        """(K,) losses, and whose gradient was clipped away."""
        ratio = (tokens.logp - tokens.old).exp()
        free = ratio * torch.minimum(tokens.weight, self.cap / ratio.detach()) * tokens.advantage
        bound = ratio.clamp(1 - self.low, 1 + self.high) * tokens.advantage
        clipped = bound < ratio.detach() * tokens.advantage
        return -torch.where(clipped, tokens.weight * bound, free), clipped


@dataclass(slots=True)
class Spread:
    """The distributions of some rows, restricted and tempered as sampling was."""

    logps: Tensor
    """(R, A or V) float32; 0 at padding"""
    real: Tensor | None
    """(R, A) bool, False for padding; None: there is none"""

    @classmethod
    def of(cls, logits: Tensor, rows: Rows) -> Spread:
        """From logits (M, V): gather the support, divide by the temperature, normalise."""
        picked = _picked(logits, rows).float()
        if rows.temperature is not None:
            picked = picked / rows.temperature[:, None]
        if rows.real is None:
            return cls(torch.log_softmax(picked, dim=-1), None)
        logps = torch.log_softmax(picked.masked_fill(~rows.real, -torch.inf), dim=-1)
        return cls(logps.masked_fill(~rows.real, 0.0), rows.real)

    @property
    def probs(self) -> Tensor:
        """(R, A or V); 0 at padding."""
        return self.logps.exp() if self.real is None else self.logps.exp() * self.real

    def sampled(self, rows: Rows) -> Tensor:
        """(K,) log probability of each decision token."""
        return self.logps.flatten().index_select(0, rows.row * self.logps.shape[1] + rows.column)

    def entropy(self) -> Tensor:
        """(R,) nats."""
        return -(self.probs * self.logps).sum(-1)

    def mixed(self, floor: float) -> Spread:
        """(1 - floor) times these distributions plus floor times the uniform one over the same support."""
        if floor == 0.0:
            return self
        size = self.logps.shape[1] if self.real is None else self.real.sum(-1, keepdim=True)
        probs = (1.0 - floor) * self.probs + floor / size
        return Spread(probs.log() if self.real is None else probs.log() * self.real, self.real)

    def kl_to(self, other: Spread) -> Tensor:
        """(R,) KL(self || other), exact over the support, and so is its gradient.

        As the distance to the magnet rho this is the regulariser of magnetic mirror descent, which maximises
        E_pi[q] - tau KL(pi || rho) - KL(pi || pi_t) / eta (Sokota et al. 2023, arXiv 2206.05825); the last term is
        what a single step of bounded size, or the clip of PPO, stands for.
        """
        return (self.probs * (self.logps - other.logps)).sum(-1)


def _picked(logits: Tensor, rows: Rows) -> Tensor:
    """(M, V) -> (R, V), or (R, A) where sampling was restricted; no row is copied that need not be."""
    if rows.support is None:
        return logits if rows.at is None else logits.index_select(0, rows.at)
    return logits.gather(1, rows.support) if rows.at is None else logits[rows.at[:, None], rows.support]
