"""What a policy loss reads: the decision tokens of a micro-batch, and the step that they belong to.

Shapes: N samples of a training step, K decision tokens of a micro-batch or, in `prepare`, of a whole optimizer step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from arena.learner.baseline import Key

FARTHEST = 20.0
"""log ratios beyond this would overflow when they are squared or multiplied"""


@dataclass(frozen=True, slots=True)
class LossStep:
    """The optimizer step that tokens belong to, and a table of all N samples of its training step."""

    number: int
    """optimizer steps taken before this one"""
    generator: torch.Generator
    """on the CPU, seeded by the training's seed and `number`; use it in `prepare` only"""
    samples: int
    """samples of this optimizer step"""
    tokens: int
    """decision tokens of this optimizer step"""
    length: Tensor
    """(N,) decision tokens of each sample"""
    reward: Tensor
    """(N,) float32, the credit's reward; its score, from 0 to 1, for a loss with `needs_kind`"""
    advantage: Tensor
    """(N,) float32"""
    turn: Tensor
    """(N,) index of the turn among those of its seat in its match"""
    group: Tensor
    """(N,) number of the group: samples with one number answer the same task in the same role"""
    trajectory: Tensor
    """(N,) number of the seat in its match: all its turns share it"""
    key: Tensor
    """(N,) index in `keys`"""
    keys: tuple[Key, ...]
    """the different (game, role, phase) of the samples"""
    replayed: Tensor
    """(N,) bool: samples of earlier steps, from the replay buffer"""

    def group_mean(self, values: Tensor) -> Tensor:
        """Returns (N,) the mean of `values` (N,) over the group of each sample; every trajectory counts once."""
        pair = self.group * (int(self.trajectory.max()) + 1) + self.trajectory
        pairs, inverse, count = torch.unique(pair, return_inverse=True, return_counts=True)
        means = torch.zeros(len(pairs), device=values.device).index_add(0, inverse, values) / count
        first = torch.zeros_like(pairs).scatter(0, inverse, self.group)  # the group of each pair
        size = int(self.group.max()) + 1
        total = torch.zeros(size, device=values.device).index_add(0, first, means)
        return (total / torch.bincount(first, minlength=size).clamp(min=1))[self.group]


class Unmeasured(Tensor):
    """Values of the current policy that no forward pass has computed: their shape can be read, but no value.

    Plain NaNs would be lost in a comparison, such as `min(1.0, drift)`, and nobody would notice.
    """

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Do what reads no value; raise RuntimeError for all else."""
        if func not in _OF_THE_FORM:
            raise RuntimeError(
                "prepare reads tokens.logp or tokens.entropy, which are computed before it only for a loss with "
                "`needs_policy = True`; set it in the class"
            )
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))


_OF_THE_FORM = {
    torch.zeros_like, torch.ones_like, torch.full_like, torch.empty_like, Tensor.new_zeros, Tensor.new_ones,
    Tensor.new_full, Tensor.__len__, Tensor.size, Tensor.dim, Tensor.numel,
    *(getattr(Tensor, name).__get__ for name in ("shape", "dtype", "device", "ndim", "is_cuda", "requires_grad")),
}  # fmt: skip
"""functions that read no value of a tensor"""


@dataclass(frozen=True, slots=True)
class LossTokens:
    """K decision tokens; tensors are (K,) float32 if nothing else is said. All tokens of a sample are together."""

    logp: Tensor
    """log probability under the current policy, with gradient (without one in `prepare`)"""
    old: Tensor
    """log probability that ratios are taken against: the sampler's, or the trainer's at the start of the step"""
    weight: Tensor
    """importance weight between the sampler and `old`, at most `[loss] weight_cap`; 1 if `old` is the sampler's. A loss
    multiplies its losses by it"""
    advantage: Tensor
    sampler: Tensor
    """log probability under the distribution that was sampled from"""
    entropy: Tensor
    """entropy of the current policy in nats, without gradient"""
    sample: Tensor
    """(K,) int64, index of the sample among the N of the step"""
    position: Tensor
    """(K,) int64, index of the token in its completion"""
    token: Tensor
    """(K,) int64, the id of the token"""
    teacher: Tensor
    """log probability under the teacher; NaN without one"""
    reference: Tensor
    """log probability under the policy before training; NaN if the loss does not set `needs_reference`"""
    kept: Tensor
    """log probability under the copy of the policy that the trainer keeps for the loss (`BaseLoss.keeps`); else NaN"""
    step: LossStep
    prepared: Mapping[str, Tensor] = field(default_factory=dict)
    """what `prepare` returned for these tokens, by name"""

    def unmeasured(self) -> LossTokens:
        """Returns these tokens for a `prepare` without `needs_policy`, which may not read `logp` and `entropy`."""
        return replace(self, logp=self.logp.as_subclass(Unmeasured), entropy=self.entropy.as_subclass(Unmeasured))

    @property
    def drift(self) -> Tensor:
        """The log of `ratio`, at most 20: what a store says of an old policy may be anything, and a ratio that
        overflows in one token would take the gradient of all."""
        return (self.logp - self.old).clamp(max=FARTHEST)

    @property
    def ratio(self) -> Tensor:
        """The probability under the current policy over that under the old one, with its gradient."""
        return self.drift.exp()

    @property
    def reward(self) -> Tensor:
        """The reward of the token's sample."""
        return self.step.reward[self.sample]

    @property
    def turn(self) -> Tensor:
        """(K,) int64, the index of the token's turn."""
        return self.step.turn[self.sample]

    @property
    def group(self) -> Tensor:
        """(K,) int64, the number of the token's group."""
        return self.step.group[self.sample]

    @property
    def trajectory(self) -> Tensor:
        """(K,) int64, the number of the token's trajectory."""
        return self.step.trajectory[self.sample]

    @property
    def key(self) -> Tensor:
        """(K,) int64, the index of the token's (game, role, phase) in `step.keys`."""
        return self.step.key[self.sample]

    @property
    def replayed(self) -> Tensor:
        """(K,) bool: whether the token's sample is from the replay buffer."""
        return self.step.replayed[self.sample]

    def sample_mean(self, values: Tensor) -> Tensor:
        """Returns (K,) the mean of `values` (K,) over the decision tokens of each token's sample, with its gradient."""
        count = len(self.step.length)
        total = torch.zeros(count, dtype=values.dtype, device=values.device).index_add(0, self.sample, values)
        return (total / self.step.length.clamp(min=1))[self.sample]
