"""The tasks of simulated matches: how many a game has, and how much each suits some players, measured on matches.

The number of tasks is Chao's estimate from those that came once and twice (Chao, "Nonparametric estimation of the
number of classes in a population", 1984, in its form without bias). A task suits a player by a normal amount; its
variance is that of the scores that two matches of the same two players on one task share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from math import pi, sin, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

import numpy as np

from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Result

_PSEUDO = 10.0
"""pairs of matches without anything in common that are added, since few say little"""
_MOST = 0.9
"""of the variance of a gap: more cannot be told from a task that decides"""
_NORMAL = NormalDist()


class GameTasks(NamedTuple):
    """The tasks of a game: `tasks` are numbers as in `Result.task`, of which each pairing has one; `luck` is the
    standard deviation, in beta, of what a task is worth to a player.
    """

    tasks: tuple[int, ...] = ()
    luck: float = 0.0

    @classmethod
    def of(cls, game: str, results: Iterable[Result], info: GameInfo) -> GameTasks:
        """Returns the tasks of a game from which the results are drawn; none if they have none."""
        posed = [one for one in results if one.game == game and one.task]
        times = Counter(task for task, _ in {(one.task, one.pairing) for one in posed})
        once, twice = (sum(n == number for n in times.values()) for number in (1, 2))
        unseen = round(once * (once - 1) / (2 * (twice + 1)))
        rng = np.random.default_rng(len(times))
        others = rng.integers(1, 2**32, unseen).tolist()
        return cls((*sorted(times), *others), _luck(posed, info))

    def draw(self, rng: np.random.Generator) -> int:
        """Returns the task of a pairing; 0 if the game has none."""
        return self.tasks[rng.integers(len(self.tasks))] if self.tasks else 0


def _luck(results: Iterable[Result], info: GameInfo) -> float:
    """Returns the standard deviation of what a task is worth to a player, in beta; 0 without two matches of it."""
    scores: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        names = [seat.player for seat in one.seats]
        if len(names) == 2 and info.rated and not info.by_pairing and is_counted(one, info):
            ((first, second),) = ranks_of((one,), info)
            points = 0.5 * (1 + (first < second) - (first > second))
            low, high = sorted(names)
            scores[low, high][one.task].append(points if names[0] == low else 1.0 - points)
    total, pairs = 0.0, 0
    for tasks in scores.values():
        mean = fmean(score for same in tasks.values() for score in same)
        if 0.0 < mean < 1.0:
            shared = [(a - mean) * (b - mean) for same in tasks.values() for a, b in combinations(same, 2)]
            total += sum(shared) / _NORMAL.pdf(_NORMAL.inv_cdf(mean)) ** 2
            pairs += len(shared)
    # Of normal gaps that are cut at their median this is the correlation (Sheppard 1899), near it otherwise.
    share = min(_MOST, sin(min(pi / 2.0, max(0.0, total / (pairs + _PSEUDO)))))
    return sqrt(share / (1.0 - share))
