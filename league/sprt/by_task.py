"""Two players on the same tasks: the difference task by task, which leaves out how hard each task is.

Scores of two players on one task go up and down together with its difficulty. Their difference on it does not, so an
interval from the differences is narrower than one from both means, by as much as the scores are correlated (the paired
t test; Miller, "Adding error bars to evals", 2024). A task is one observation, however often it was played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import ceil, sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.ratings.online.tally import Z95
from league.records.game_info import GameInfo
from league.records.matches import Result

Floats = NDArray[np.float64]
Cell = tuple[str, int, str, tuple[str, ...]]
"""game, task, seat, and the players in the other seats"""
_FEWEST = 3
"""tasks that a difference takes"""


class TaskDifference(msgspec.Struct, frozen=True):
    """How much more a player scores than another on the same tasks, with a 95% interval; the interval without the
    pairing is that of two independent samples. `correlation`: that of the two players' scores over tasks.
    """

    player: str
    other: str
    tasks: int
    difference: float
    low: float
    high: float
    unpaired_low: float
    unpaired_high: float
    correlation: float


class TasksNeeded(msgspec.Struct, frozen=True):
    """How many tasks two players take until the 95% interval of their difference reaches `reach` to either side."""

    difference: TaskDifference
    """so far"""
    reach: float
    paired: int
    """tasks that both play"""
    unpaired: int
    """tasks of each, if each plays tasks of its own"""


def tasks_needed(difference: TaskDifference, reach: float) -> TasksNeeded:
    """Returns the tasks that are needed if further ones vary as those so far: intervals narrow with their root.

    Raises InputError if the scores so far do not vary, which says nothing about others.
    """
    from scipy.special import stdtrit

    d, least = difference, difference.tasks - 1
    # Intervals of few tasks are wide because their spread is uncertain, which it will not be any more.
    together = (d.high - d.low) / 2 * Z95 / float(stdtrit(least, 0.975))
    apart = (d.unpaired_high - d.unpaired_low) / 2 * Z95 / float(stdtrit(2 * least, 0.975))
    if not (together and apart):
        raise InputError(
            f"the scores of {d.player} and {d.other} are the same on all {d.tasks} tasks, so nothing says how much "
            "others vary; play more tasks"
        )
    paired, unpaired = (max(_FEWEST, ceil(d.tasks * (half / reach) ** 2)) for half in (together, apart))
    return TasksNeeded(d, reach, paired, unpaired)


def by_task(results: Iterable[Result], games: Mapping[str, GameInfo], player: str, other: str) -> TaskDifference:
    """Returns the difference of two players over the tasks that both played in the same seat with the same others.

    A score is 1 for a match that is won, 1/2 for a draw; in games that are rated by pairing or not at all, the return.
    Raises InputError if there are fewer than three such tasks.
    """
    cells: dict[Cell, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for result in results:
        info = games[result.game]
        if not result.task or not is_counted(result, info):
            continue
        names = [seat.player for seat in result.seats]
        if (player in names) == (other in names):
            continue  # neither, or each other
        who = player if player in names else other
        points = _points(result, info)
        for seat in result.seats:
            if seat.player == who:
                rest = tuple(one.player for one in result.seats if one.seat != seat.seat and one.player != who)
                cells[result.game, result.task, seat.seat, rest][who != player].append(points[seat.seat])
    tasks: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for (game, task, _, _), both in cells.items():
        if all(both):
            tasks[game, task].append((float(np.mean(both[0])), float(np.mean(both[1]))))
    if len(tasks) < _FEWEST:
        raise InputError(
            f"{player} and {other} have {len(tasks)} of the {_FEWEST} tasks or openings that are needed, played by "
            "both in the same seat with the same other players"
        )
    first, second = np.array([np.mean(each, axis=0) for each in tasks.values()]).T
    return TaskDifference(player, other, len(tasks), *difference(first, second))


def difference(first: Floats, second: Floats) -> tuple[float, float, float, float, float, float]:
    """Returns from scores (T,) of two players on the same tasks their mean difference, its 95% interval, that of two
    samples without pairing (Welch), and the correlation.
    """
    from scipy.special import stdtrit

    size, gap = len(first), first - second
    mean, parts = float(gap.mean()), np.array([first.var(ddof=1), second.var(ddof=1)]) / size
    reach = float(stdtrit(size - 1, 0.975)) * sqrt(float(gap.var(ddof=1)) / size)
    freedom = (size - 1) * parts.sum() ** 2 / float(parts @ parts) if parts.any() else size - 1
    apart = float(stdtrit(freedom, 0.975)) * sqrt(float(parts.sum()))
    together = float(np.corrcoef(first, second)[0, 1]) if parts.all() else 0.0
    return mean, mean - reach, mean + reach, mean - apart, mean + apart, together


def _points(result: Result, info: GameInfo) -> dict[str, float]:
    """Returns the score of each seat."""
    if info.by_pairing or not info.rated or info.payoff == "cooperative" or info.teams:
        return {seat.seat: seat.score for seat in result.seats}
    ranks = ranks_of((result,), info)[0]
    best = 0.5 if ranks.count(0) > 1 else 1.0
    return {seat.seat: best if rank == 0 else 0.0 for seat, rank in zip(result.seats, ranks, strict=True)}
