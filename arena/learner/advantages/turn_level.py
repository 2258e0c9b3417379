"""Advantages that differ between the turns of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from arena.learner.advantages.base import comparable
from arena.learner.advantages.groups import Grouped, groups_of, standardised
from arena.learner.credit import Credit


class TurnLevel(Grouped):
    """IGPO (arXiv 2510.14967, eq. 6): A_t = sum of gamma^(s - t) r_s over the turns s >= t.

    The r are the rewards of the turns (`Credit.turns`, from `Role.turn_rewards`) and, at the last turn, that of the
    match, normalised over the group: (r - mean) / std, ddof 0. IGPO rewards a turn with what it adds to the log
    probability of the correct answer; a role decides what its turns earn. Without rewards of turns the advantage is
    that of GRPO at every turn.

    gamma: discount per turn.
    """

    def __init__(self, gamma: Annotated[float, Interval(ge=0, le=1)] = 1.0) -> None:
        self.gamma = float(gamma)

    def turn_advantages(self, credits: Sequence[Credit]) -> list[NDArray[np.float64]]:
        """Returns the advantage at each turn of each credit, in order."""
        out: list[NDArray[np.float64]] = [np.zeros(len(c.turns or ()) + 1) for c in credits]
        for at in groups_of(credits):
            if len(at) > 1:
                rows = [comparable([*(credits[i].turns or ()), credits[i].reward]) for i in at]
                ends = np.cumsum([len(row) for row in rows])
                parts = np.split(standardised(np.concatenate(rows)), ends[:-1])
                for i, part in zip(at, parts, strict=True):
                    out[i] = discounted(part, self.gamma)
        return out

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) the mean over the turns of each credit."""
        return np.array([turns.mean() for turns in self.turn_advantages(credits)], dtype=np.float64)


def discounted(rewards: NDArray[np.float64], gamma: float) -> NDArray[np.float64]:
    """Returns (T,) the discounted sum of each reward and those after it."""
    out, total = np.empty(len(rewards)), 0.0
    for t in range(len(rewards) - 1, -1, -1):
        total = rewards[t] + gamma * total
        out[t] = total
    return out
