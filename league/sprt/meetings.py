"""What a player scored against each opponent, from outcomes to the scores that an always-valid interval takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from league.outcomes.table import Outcomes
from league.outcomes.units import RatedUnit
from league.records.game_info import GameInfo
from league.sprt.always_valid import Interval, always_valid


class Meeting(NamedTuple):
    """One comparison of a player with an opponent: both seats, and 1, 1/2 or 0 points."""

    opponent: str
    seat: str
    other: str
    score: float


class PairScores(NamedTuple):
    """A player's scores against one opponent in one game, in plan order, and the task of each, 0 for none."""

    scores: list[float]
    tasks: list[int]


def pair_scores(
    rows: Outcomes, games: Mapping[str, GameInfo], player: str, role: str = ""
) -> dict[tuple[str, str], PairScores]:
    """Returns a player's scores by opponent and game, in one role or in all. Repeats are no evidence and do not count.

    A score is the mean of one pairing in which both took the same seats, so that no seat decides it. A match without
    its counterpart waits for one with exchanged seats, of the same task. In one role, each pairing gives a score.
    """
    rows = rows.evidence()
    by_unit = {number: list(_meetings(unit, games[unit.game], player, role)) for number, unit in enumerate(rows.units)}
    places = np.flatnonzero(np.isin(rows.unit, [number for number, meetings in by_unit.items() if meetings]))
    together: dict[tuple[str, str, int, int], list[Meeting]] = defaultdict(list)
    for row in places.tolist():
        unit, task = int(rows.unit[row]), int(rows.task[row])
        for meeting in by_unit[unit]:
            together[meeting.opponent, rows.units[unit].game, task, int(rows.pairing[row])].append(meeting)
    out: dict[tuple[str, str], PairScores] = defaultdict(lambda: PairScores([], []))
    waiting: dict[tuple[str, str, int, str, str], list[float]] = defaultdict(list)
    for (opponent, game, task, _), meetings in together.items():
        scores = out[opponent, game]
        if sorted(one.seat for one in meetings) == sorted(one.other for one in meetings):
            _append(scores, sum(one.score for one in meetings) / len(meetings), task)
            continue
        for one in meetings:
            if earlier := waiting[opponent, game, task, one.other, one.seat]:
                _append(scores, 0.5 * (earlier.pop(0) + one.score), task)
            else:
                waiting[opponent, game, task, one.seat, one.other].append(one.score)
    return dict(out)


def over_games(each: list[PairScores], error: float) -> Interval:
    """Returns an interval for the mean over several games of a player's mean score, each game with the same weight:
    the mean of the games' bounds. `error`: that of each game.
    """
    bounds = [always_valid(np.array(one.scores), np.array(one.tasks, np.int64), error) for one in each]
    return Interval(*(sum(ends) / len(ends) for ends in zip(*bounds, strict=True))) if bounds else Interval()


def _append(scores: PairScores, score: float, task: int) -> None:
    scores.scores.append(score)
    scores.tasks.append(task)


def _meetings(unit: RatedUnit, info: GameInfo, player: str, role: str) -> Iterator[Meeting]:
    """Returns the meetings of a unit; without seats if they do not matter, as in a pairing that is rated as a whole."""
    for outcome in unit.outcomes:
        if not outcome.rated or (outcome.roles_only and not role):
            continue
        groups = outcome.groups or range(len(outcome.entries))
        rows = list(zip(outcome.entries, outcome.ranks, groups, strict=True))
        for entry, rank, side in rows:
            for other, below, of in rows if entry.player == player and role in ("", entry.role) else ():
                if of != side and other.player != player:
                    seats = ("", "") if role or info.by_pairing else (entry.seat, other.seat)
                    yield Meeting(other.player, *seats, 1.0 if rank < below else 0.5 if rank == below else 0.0)
