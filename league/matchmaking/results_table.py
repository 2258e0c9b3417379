"""The results of one game as arrays: who beat whom, and who met whom how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from league.matchmaking.arrays import Array
from league.matchmaking.matchmaker import PairingContext
from league.outcomes import Outcome, compared_seats, sides
from league.outcomes.table import OutcomeTable
from league.ratings import GameInfo
from league.ratings.comparisons import Counts, CountTable
from league.ratings.comparisons.from_outcomes import weight
from league.records.matches import Result

_ADVANTAGE = 0.1
"""A seat's advantage is small if it takes at most this share of the points beyond one half: a third of beta between
equals."""
_SURE = 3.0
"""standard deviations"""


@dataclass(frozen=True)
class ResultsTable:
    """The results of the earlier rounds of one game."""

    names: tuple[str, ...]
    """the players of the game, in the order of the file"""
    wins: Array
    """(n, n): row over column; a draw is half a win for both; repeated matches count once"""
    meetings: Array
    """(n, n): pairings of both players that were not void"""
    seated: Array
    """(n, sides): matches of each player on each side that were not void"""
    points: Array
    """(sides,): points of each side; a draw is half a point. Zeros unless the game has two sides and is not rated by
    pairing"""
    counts: Counts
    """the comparisons to which the ratings of the game are fitted, players in the order of `names`"""

    @property
    def seat_advantage(self) -> bool:
        """Whether one seat of a two-sided game has a clear advantage.

        It has one if it took more than 60% of the points, and more than chance explains.
        """
        matches = float(self.points.sum())
        lead = abs(float(self.points[0]) / matches - 0.5) if matches else 0.0
        return len(self.points) == 2 and lead > _ADVANTAGE and 2.0 * lead * matches**0.5 > _SURE

    @property
    def size(self) -> int:
        """The number of players."""
        return len(self.names)

    def win_rates(self, player: int) -> Array:
        """Returns (n,): the share of points against each player; 0.5 without a match, and for the player itself."""
        won, lost = self.wins[player], self.wins[:, player]
        total = won + lost
        return np.where(total > 0, won / np.where(total > 0, total, 1.0), 0.5)


def table_of(context: PairingContext, game: str, round: int, log: Iterable[Result]) -> ResultsTable:
    """Returns the results of a game before a round; the order of the log does not matter.

    Two players in a match of more than two sides count as less than one match, as in the batch ratings
    (`league.ratings.comparisons.from_outcomes.weight`). A match that repeats others changes `meetings` and `seated`,
    but not `wins`.
    """
    names, info = context.entrants(game), context.games[game]
    place = {name: i for i, name in enumerate(names)}
    wins, meetings = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    kept = sorted((r for r in log if r.game == game and r.round < round and r.status != "void"), key=_index)
    table = OutcomeTable({game: info})
    table.add(kept)
    decided = [o for unit in table.rows().evidence().listed() for o in unit.outcomes if o.rated]
    for outcome in decided:
        if not outcome.roles_only:
            _count(wins, [place[s.player] for s in outcome.entries], outcome)
    groups = ((r.pairing, [e.player for side in sides(r, info) for e in side]) for r in kept)
    for _, group in {(pairing, tuple(sorted(place[p] for p in players))) for pairing, players in groups}:
        for i, j in combinations(group, 2):
            meetings[i, j] += 1
            meetings[j, i] += i != j
    seated, points = _seated(kept, info, place), _points(decided, info)
    return ResultsTable(names, wins, meetings, seated, points, _counts(table, names))


def _counts(table: OutcomeTable, names: tuple[str, ...]) -> Counts:
    """Returns the game's counts with its players in the order of `names`."""
    counts = CountTable(table.games, names, table).counts()
    place = {name: i for i, name in enumerate(names)}
    columns = counts.columns.copy()
    columns[1:3] = np.array([place[name] for name in counts.players], np.int64)[columns[1:3]]
    return replace(counts, players=names, columns=columns)


def _seated(kept: Sequence[Result], info: GameInfo, place: Mapping[str, int]) -> Array:
    """Returns the matches of each player on each side."""
    seated, side_of = [[0.0] * info.size for _ in place], _side_of(info)
    for result in kept:
        for entry in compared_seats(result, info):
            seated[place[entry.player]][side_of[entry.seat]] += 1.0
    return np.array(seated)


def _points(decided: Sequence[Outcome], info: GameInfo) -> Array:
    """Returns the points of each side, in two-sided games that are not rated by pairing."""
    points, side_of = [0.0] * info.size, _side_of(info)
    if info.size == 2 and not info.by_pairing:
        for outcome in decided:
            if len(outcome.entries) == 2:
                for entry, rank, other in zip(outcome.entries, outcome.ranks, outcome.ranks[::-1], strict=True):
                    points[side_of[entry.seat]] += 0.5 * (1 + (rank < other) - (rank > other))
    return np.array(points)


def _side_of(info: GameInfo) -> dict[str, int]:
    return {seat: number for number, side in enumerate(info.sides) for seat in side}


def _count(wins: Array, players: Sequence[int], outcome: Outcome) -> None:
    """Count each player against each player of another side."""
    each = weight(len(players))
    rows = zip(players, outcome.ranks, outcome.groups or players, strict=True)
    for (i, a, side), (j, b, other) in combinations(rows, 2):
        if side == other:
            continue
        share = 0.5 if a == b else float(a < b)
        wins[i, j] += each * share
        wins[j, i] += each * (1.0 - share)


def _index(result: Result) -> int:
    return result.index
