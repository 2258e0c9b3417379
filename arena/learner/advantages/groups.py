"""Estimators that compare the rewards of a group: the credits that answer one question (`Credit.group_key`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.learner.advantages.base import Returns, comparable
from arena.learner.credit import Credit

EPS = 1e-6
"""added to standard deviations, as in verl"""


class Grouped(Returns):
    """Base class: advantages are 0 in a group of one. A subclass defines `within`."""

    compares = True
    """a training needs groups of two or more: copies of a match, or several seats of one role"""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within groups."""
        rewards = comparable(c.reward for c in credits)
        out = np.zeros(len(credits))
        for at in groups_of(credits):
            if len(at) > 1:
                out[at] = self.within(rewards[at])
        return out

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) the advantages of a group with rewards (G,), G > 1."""
        raise NotImplementedError


class GroupRelative(Grouped):
    """GRPO (arXiv 2402.03300, section 4.1.2): (R - mean) / std of the group.

    In a group of one, or of equal rewards, all advantages are 0.

    scale: divide by the standard deviation; false, as in Dr. GRPO (arXiv 2503.20783): do not.
    """

    def __init__(self, scale: bool = True) -> None:
        self.scale = scale

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) (R - mean) / (std + EPS), with the standard deviation of the population (ddof 0)."""
        return standardised(rewards, self.scale)


class LeaveOneOut(Grouped):
    """RLOO (arXiv 2402.14740, section 2.3): the reward minus the mean of the others of its group; 0 if it is alone."""

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) G / (G - 1) (R - mean)."""
        size = len(rewards)
        return standardised(rewards, scale=False) * (size / (size - 1))


class BestOfGroup(Grouped):
    """1 for the best answers of the group, 0 for the others, and for all answers of equal rewards.

    With a loss such as `reinforce` this is supervised learning on the best of G samples: the selection of rationales in
    PromptCoT 2.0 (arXiv 2509.19894, section 3.2.2, G = 8), and RAFT (arXiv 2304.06767). There is no baseline: nothing
    is pushed away from.
    """

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) 1 where the reward is the largest of the group."""
        if np.ptp(rewards) == 0:
            return np.zeros(len(rewards))
        out: NDArray[np.float64] = (rewards == rewards.max()).astype(np.float64)
        return out


class Whitened(Returns):
    """(R - mean) / (std + EPS) over all credits of the batch with one (game, role, phase).

    This is task-relative REINFORCE++ of Absolute Zero (arXiv 2505.03335, eq. 8), which Multi-Agent Evolve (arXiv
    2510.23595) uses for its roles; Self-RedTeam (arXiv 2506.07468) normalises per role as well. The standard deviation
    is that of the population (ddof 0). A key with one credit, or with equal rewards, has advantages of 0.
    """

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within (game, role, phase)."""
        rewards = comparable(c.reward for c in credits)
        out = np.zeros(len(credits))
        for at in indices_by([(c.game, c.role, c.phase) for c in credits]):
            out[at] = standardised(rewards[at])
        return out


def standardised(rewards: NDArray[np.float64], scale: bool = True) -> NDArray[np.float64]:
    """Returns (G,) (R - mean) / (std + EPS), or R - mean without `scale`; 0 for equal rewards."""
    if np.ptp(rewards) == 0:  # otherwise the mean's rounding error would be divided by EPS
        return np.zeros(len(rewards))
    centred: NDArray[np.float64] = rewards - rewards.mean()
    return centred / float(rewards.std() + EPS) if scale else centred


def groups_of(credits: Sequence[Credit]) -> list[list[int]]:
    """Returns the indices of the credits of each group, in order."""
    return indices_by([c.group_key for c in credits])


def indices_by(keys: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """Returns the indices that share a key, for each different key in order of appearance."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return list(groups.values())


class WinShare(Grouped):
    """SPO (Swamy et al. 2024, arXiv 2401.04056): the share of the policy's samples that one is preferred to, less 1/2.

    A policy is preferred to itself half the time, so 1/2 is the exact baseline, whatever the preferences. The reward is
    that share already, as `prefer` pays it, or a match between two sides of which one wins. The paper compares with a
    queue of recent samples; here it is the group.
    """

    needs_kind = "preference"

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) shares of wins - 1/2."""
        return rewards - 0.5
