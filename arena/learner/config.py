"""Settings of the learner, with defaults that are a vetted recipe.

Constant-length normaliser (Dr. GRPO, arXiv 2503.20783), no KL, clip 0.2 / 0.28 (DAPO, arXiv 2503.14476), importance
weights cut at 2.0, AdamW with betas 0.9 and 0.95, no weight decay, gradients clipped at 1.0 (SPIRAL, arXiv 2506.24119).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, isfinite, pi
from typing import Literal

from games import InputError


@dataclass(frozen=True, slots=True)
class LossConfig:
    """The objective of a step: policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet)."""

    name: str = "ppo"
    """reinforce, ppo, or a plugin's"""
    clip_low: float = 0.2
    clip_high: float = 0.28
    weight_cap: float = 2.0
    """importance weights between the sampler and the trainer, and products of them, are cut here"""
    normaliser: float = 1.0
    """what the sum over a turn's tokens is divided by; the same for all: max_tokens for free text, 1 for choice"""
    kl: float = 0.0
    """weight of KL(policy || start), the divergence from the policy at the start of training, at each decision token"""
    entropy: float = 0.0
    """weight of the entropy bonus"""
    tau: float = 0.0
    """temperature of the magnet; 0: no magnet"""
    magnet_rate: float = 0.01
    """share of the way to the policy that the magnet goes at every step; 0: it stays at the start"""
    magnet_floor: float = 0.0
    """share of uniform play that is mixed into the magnet; falls as the learning rate does. It keeps every action in
    play: an action that the policy has all but dropped is pulled back, and what follows it is still visited"""
    tau_decay: bool = False
    """tau falls as the learning rate does; where that goes to 0 tau should stay, for tau damps the circles"""
    recompute_old: bool = False
    """ratios against the trainer's own probabilities at the start of the step instead of the sampler's"""

    def __post_init__(self) -> None:
        for name in ("kl", "entropy", "tau", "clip_low", "clip_high"):
            _at_least(name, getattr(self, name), 0.0)
        _above("normaliser", self.normaliser, 0.0)
        _at_least("weight_cap", self.weight_cap, 1.0)
        _between("magnet_rate", self.magnet_rate, 0.0, 1.0)
        _between("magnet_floor", self.magnet_floor, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class OptimizerConfig:
    """AdamW (arXiv 1711.05101) and its step size."""

    lr: float = 1e-6
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-8
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    warmup: int = 0
    """steps over which the step size rises from 0"""
    schedule: Literal["constant", "linear", "cosine", "inverse_sqrt"] = "constant"
    """linear: lr (1 - t), and cosine: lr (1 + cos(pi t)) / 2, with t = min(1, step / horizon), go to 0 at `horizon`;
    inverse_sqrt: lr / sqrt(1 + step / horizon)"""
    horizon: int = 1000
    """optimizer steps"""

    def __post_init__(self) -> None:
        _above("lr", self.lr, 0.0)
        _above("eps", self.eps, 0.0)
        _above("max_grad_norm", self.max_grad_norm, 0.0)
        _at_least("weight_decay", self.weight_decay, 0.0)
        _at_least("warmup", self.warmup, 0)
        _at_least("horizon", self.horizon, 1)
        for beta in self.betas:
            if not 0.0 <= beta < 1.0:
                raise InputError(f"betas holds {beta}; both must be at least 0 and below 1")
        _one_of("schedule", self.schedule, ("constant", "linear", "cosine", "inverse_sqrt"))

    def factor(self, step: int) -> float:
        """What the schedule multiplies the step size with at step 0, 1, ..., warm-up not included."""
        if self.schedule == "linear":
            return max(0.0, 1.0 - step / self.horizon)
        if self.schedule == "cosine":
            return 0.5 * (1.0 + cos(pi * min(1.0, step / self.horizon)))
        return (1.0 + step / self.horizon) ** -0.5 if self.schedule == "inverse_sqrt" else 1.0

    def lr_at(self, step: int) -> float:
        """The step size at step 0, 1, ..."""
        rise = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return self.lr * rise * self.factor(step)


@dataclass(frozen=True, slots=True)
class LoraConfig:
    """Low-rank adapters (arXiv 2106.09685) instead of full weights; needs peft."""

    rank: int = 32
    alpha: int = 32
    targets: tuple[str, ...] | Literal["all-linear"] = "all-linear"
    """names of the layers that get one"""

    def __post_init__(self) -> None:
        _at_least("rank", self.rank, 1)
        _at_least("alpha", self.alpha, 1)


@dataclass(frozen=True, slots=True)
class TrainerConfig:
    """How a step is made."""

    loss: LossConfig = field(default_factory=LossConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    lora: LoraConfig | None = None
    """None: all weights are trained"""
    token_budget: int = 8192
    """tokens of one micro-batch that the model reads at once; halved where memory does not suffice"""
    epochs: int = 1
    """times the samples of a step are gone through"""
    minibatches: int = 1
    """optimizer steps in one epoch"""
    gradient_checkpointing: bool = False
    """compute activations again in the backward pass instead of keeping them"""
    seed: int = 0
    """of the adapters' start and the order of minibatches"""

    def __post_init__(self) -> None:
        for name in ("token_budget", "epochs", "minibatches"):
            _at_least(name, getattr(self, name), 1)


def _at_least(name: str, value: float, low: float) -> None:
    if not (isfinite(value) and value >= low):
        raise InputError(f"{name} is {value}; it must be at least {low:g}")


def _above(name: str, value: float, low: float) -> None:
    if not (isfinite(value) and value > low):
        raise InputError(f"{name} is {value}; it must be above {low:g}")


def _between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"{name} is {value}; it must be between {low:g} and {high:g}")


def _one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{name} is {value!r}; allowed: {', '.join(allowed)}")
