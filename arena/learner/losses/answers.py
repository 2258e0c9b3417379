"""Whole answers, from the tokens of an optimizer step: what losses compare that learn from preferences.

An answer is all turns of one seat in one match that share a group. Its log probability is the sum over its decision
tokens, not their mean: the published targets are for sums.

Shapes: K tokens, U answers, G groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from arena.learner.losses.tokens import LossTokens


@dataclass(frozen=True, slots=True)
class Answers:
    """The U answers of an optimizer step; tensors are (U,). `of` is (K,): the answer of each token."""

    policy: Tensor
    """log probability under the policy, a leaf with gradient"""
    old: Tensor
    reference: Tensor
    kept: Tensor
    reward: Tensor
    """the share of the group that the answer is preferred to, from 0 to 1; for `dpo`, any number to order answers by"""
    group: Tensor
    """(U,) int64, from 0 to G - 1"""
    replayed: Tensor
    tokens: Tensor
    """(U,) decision tokens of the answer"""
    of: Tensor
    groups: int
    """G; on the host, as everything that sizes depend on, so that nothing waits for a GPU to know it"""

    @classmethod
    def of_step(cls, tokens: LossTokens) -> Answers:
        """Returns the answers of the tokens of a whole optimizer step."""
        pair = tokens.group * (int(tokens.trajectory.max()) + 1) + tokens.trajectory
        pairs, of, count = torch.unique(pair, return_inverse=True, return_counts=True)
        zero = torch.zeros(len(pairs), dtype=tokens.old.dtype, device=tokens.old.device)

        def total(values: Tensor) -> Tensor:
            return zero.index_add(0, of, values.detach())

        distinct, group = torch.unique(torch.zeros_like(pairs).scatter(0, of, tokens.group), return_inverse=True)
        return cls(
            policy=total(tokens.logp).requires_grad_(True),
            old=total(tokens.old),
            reference=total(tokens.reference),
            kept=total(tokens.kept),
            reward=total(tokens.reward) / count,
            group=group,
            replayed=total(tokens.replayed.to(zero.dtype)) > 0,
            tokens=count,
            of=of,
            groups=len(distinct),
        )

    @property
    def size(self) -> Tensor:
        """(U,) how many answers the group of each answer has."""
        ones = torch.ones_like(self.group)
        return torch.zeros(self.groups, dtype=ones.dtype, device=ones.device).index_add(0, self.group, ones)[self.group]

    def mean(self, values: Tensor) -> Tensor:
        """Returns (U,) the mean of `values` (U,) over the group of each answer."""
        total = torch.zeros(self.groups, dtype=values.dtype, device=values.device)
        return total.index_add(0, self.group, values)[self.group] / self.size

    def best(self, score: Tensor, among: Tensor) -> Tensor:
        """Returns (G,) the first answer with the highest `score` (U,) in each group, within `among`; -1: none."""
        none = len(score)
        order = torch.argsort(score, stable=True, descending=True)
        place = torch.empty_like(order).scatter_(0, order, torch.arange(none, device=order.device))
        place = torch.where(among.bool(), place, none)  # of each answer in the order
        first = torch.full((self.groups,), none, device=order.device).scatter_reduce(0, self.group, place, "amin")
        return torch.where(first < none, order[first.clamp(max=none - 1)], -1)

    def prepared(self, tokens: LossTokens, loss: Callable[[Answers], Tensor]) -> Mapping[str, Tensor]:
        """Returns for each token the slope of the loss (U,) of all answers by its log probability, and its value.

        Both are scaled by the length of the token's sample, which the reduction `sequence` divides by: the loss of the
        step is the mean over samples of what `loss` returns.
        """
        with torch.enable_grad():
            losses = loss(self)
            (slope,) = torch.autograd.grad(losses.sum(), self.policy)
        length = tokens.step.length[tokens.sample].to(slope.dtype)
        return {"slope": slope[self.of] * length, "value": (losses.detach() / self.tokens)[self.of] * length}


def linear(tokens: LossTokens) -> tuple[Tensor, Tensor]:
    """Returns (K,) losses with the values and slopes that `Answers.prepared` found; no token is clipped."""
    moved = tokens.prepared["slope"] * (tokens.logp - tokens.logp.detach())  # 0, with the gradient
    return tokens.prepared["value"] + moved, torch.zeros_like(tokens.logp, dtype=torch.bool)
