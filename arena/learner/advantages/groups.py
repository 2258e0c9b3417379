"""Estimators that compare the rewards of a group: the credits with one (game, role, phase, group)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.learner.advantages.base import Returns, rewards_of
from arena.learner.credit import Credit
from games import InputError


class GroupRelative(Returns):
    """GRPO (arXiv 2402.03300, eq. 21): the reward minus its group's mean, divided by the group's standard deviation.

    `scale=false` omits the division (Dr. GRPO, arXiv 2503.20783). In a group of one, or of equal rewards, all
    advantages are 0.
    """

    def __init__(self, scale: bool = True, eps: float = 1e-6) -> None:
        if not 0 <= eps < float("inf"):
            raise InputError(f"grpo(eps={eps}): eps must be at least 0")
        self.scale, self.eps = scale, eps

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages within groups."""
        rewards = rewards_of(credits)
        out = np.zeros(len(credits))
        for at in _groups(credits):
            if np.ptp(rewards[at]) == 0:  # otherwise the mean's rounding error would be divided by an `eps` of 0
                continue
            centred = rewards[at] - rewards[at].mean()
            out[at] = centred / (rewards[at].std() + self.eps) if self.scale else centred
        return out


class LeaveOneOut(Returns):
    """RLOO (arXiv 2402.14740): the reward minus the mean of the others in its group; 0 in a group of one."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages within groups; A = n / (n - 1) (R - mean)."""
        rewards = rewards_of(credits)
        out = np.zeros(len(credits))
        for at in _groups(credits):
            if len(at) > 1:
                out[at] = (rewards[at] - rewards[at].mean()) * (len(at) / (len(at) - 1))
        return out


def _groups(credits: Sequence[Credit]) -> list[list[int]]:
    """The indices of the credits of each group."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, c in enumerate(credits):
        groups.setdefault((c.game, c.role, c.phase, c.group), []).append(i)
    return list(groups.values())
