"""DCPO: advantages from a group and from everything earned on its task before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.learner.advantages.base import comparable
from arena.learner.advantages.groups import Grouped, groups_of, standardised
from arena.learner.credit import Credit

_ROUNDING = 1e-9
Visits = tuple[int, float, float]
"""how often a task was tried, and mean and variance (ddof 0) of all its rewards"""


class CumulativeStandard(Grouped):
    """DCPO's smooth advantage (arXiv 2509.02333, eq. 5 to 7).

    An is the advantage within the group, At that against all rewards of the task so far. A is the smaller in absolute
    value of At / i + (1 - 1 / i) An and An / i + (1 - 1 / i) At at the i-th visit. So a group of equal rewards still
    teaches, if the task was answered differently before. The task is that of (game, role, phase): where nothing else
    is asked (`Credit.task` is ""), all matches of the game visit the same one. The state holds every task met.
    Standard deviations have ddof 0; in the authors' code they have ddof 1.
    """

    compares = False  # a group of one is compared with earlier rewards

    def __init__(self) -> None:
        self._visits: dict[tuple[str, ...], Visits] = {}

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages; every group is one visit of its task."""
        rewards, out = comparable(c.reward for c in credits), np.zeros(len(credits))
        for at in groups_of(credits):
            c, r = credits[at[0]], rewards[at]
            key = (c.game, c.role, c.phase, c.task)
            self._visits[key] = n, mean, variance = visited(self._visits.get(key, (0, 0.0, 0.0)), r)
            visit = standardised(r)
            spread = variance**0.5
            # Rewards that were always equal have a mean and a spread of rounding errors.
            all = (r - mean) / spread if spread > _ROUNDING * np.abs(r).max() else np.zeros(len(r))
            first, second = all / n + (1 - 1 / n) * visit, visit / n + (1 - 1 / n) * all
            out[at] = np.where(np.abs(first) <= np.abs(second), first, second)
        return out

    def state_dict(self) -> dict[str, Any]:
        """Returns the visits of every task."""
        return {"visits": [[list(key), *visits] for key, visits in self._visits.items()]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the visits."""
        self._visits = {tuple(key): (int(n), float(m), float(v)) for key, n, m, v in state["visits"]}


def visited(before: Visits, rewards: NDArray[np.float64]) -> Visits:
    """Returns the visits of a task after one more group with these rewards."""
    n, mean, variance = before
    i, mu = n + 1, float(rewards.mean())
    spread = n * variance + float(rewards.var()) + (n / i) * (mu - mean) ** 2
    return i, (n * mean + mu) / i, spread / i
