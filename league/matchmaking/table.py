"""One game's log as arrays: who beat whom, and who met whom how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from league.matchmaking._arrays import Array
from league.matchmaking.matchmaker import Field
from league.ratings import GameInfo, Outcome, outcomes
from league.ratings.comparisons import weight
from league.ratings.counts import Counts, CountTable
from league.ratings.repeats import distinct
from league.ratings.sides import sides
from league.records import Result

_EDGE = 0.1
"""Share of the points beyond one half below which a place's edge is small (a third of beta between equals)."""
_SURE = 3.0
"""Standard deviations."""


@dataclass(frozen=True)
class Table:
    """What the earlier rounds of one game say."""

    names: tuple[str, ...]
    """the game's players, in the file's order"""
    wins: Array
    """(n, n): row over column; a level result is half a win for both; repeated matches once"""
    met: Array
    """(n, n): pairings in which both sat and that were not void"""
    seated: Array
    """(n, sides): matches in each place that were not void"""
    points: Array
    """(sides,): points made in each place of a game of two sides that is not rated by pairing, a level result being
    half a point"""
    counts: Counts
    """the comparisons that the ratings of the game are fitted to; players as in `names`"""

    @property
    def edge(self) -> bool:
        """Whether the places are plainly unequal: in a game of two sides, whoever sat there, one made more than 60% of
        the points, and more than luck explains.
        """
        matches = float(self.points.sum())
        lead = abs(float(self.points[0]) / matches - 0.5) if matches else 0.0
        return len(self.points) == 2 and lead > _EDGE and 2.0 * lead * matches**0.5 > _SURE

    @property
    def size(self) -> int:
        """The number of players."""
        return len(self.names)

    def win_rates(self, player: int) -> Array:
        """(n,): the share of points against each; 0.5 where there was no match, and at the player itself."""
        won, lost = self.wins[player], self.wins[:, player]
        total = won + lost
        return np.where(total > 0, won / np.where(total > 0, total, 1.0), 0.5)


def table_of(field: Field, game: str, round: int, log: Iterable[Result]) -> Table:
    """The results of a game before a round; the order of the log does not matter.

    A pair of players in a match of more than two sides counts less than one match of the two, as in the batch ratings
    (`league.ratings.comparisons.weight`). Matches that repeat earlier ones count as met and seated, not as wins.
    """
    names, info = field.entrants(game), field.games[game]
    place = {name: i for i, name in enumerate(names)}
    wins, met = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    kept = sorted((r for r in log if r.game == game and r.round < round and r.status != "void"), key=_index)
    for outcome in _outcomes(distinct(kept, field.games), info):
        if outcome.rated and not outcome.roles_only:
            _count(wins, [place[s.player] for s in outcome.entries], outcome)
    groups = ((r.pairing, [e.player for side in sides(r, info) for e in side]) for r in kept)
    for _, group in {(pairing, tuple(sorted(place[p] for p in players))) for pairing, players in groups}:
        for i, j in combinations(group, 2):
            met[i, j] += 1
            met[j, i] += i != j
    return Table(names, wins, met, *_places(kept, info, place), _counts(game, info, names, kept))


def _counts(game: str, info: GameInfo, names: tuple[str, ...], kept: Sequence[Result]) -> Counts:
    """The game's count table with its players in the order of `names`."""
    made = CountTable({game: info}, names)
    made.add(kept)
    found = made.counts()
    place = {name: i for i, name in enumerate(names)}
    columns = found.columns.copy()
    columns[1:3] = np.array([place[name] for name in found.players], np.int64)[columns[1:3]]
    return replace(found, players=names, columns=columns)


def _places(kept: Sequence[Result], info: GameInfo, place: Mapping[str, int]) -> tuple[Array, Array]:
    """Matches of each player in each of the game's places, and the points made there."""
    seated, points = [[0.0] * info.size for _ in place], [0.0] * info.size
    side_of = {seat: number for number, side in enumerate(info.sides) for seat in side}
    for result in kept:
        for entry in result.seats:
            seated[place[entry.player]][side_of[entry.seat]] += 1.0
    if info.size == 2 and not info.by_pairing:
        for outcome in outcomes(distinct(kept, {kept[0].game: info}) if kept else (), info):
            if outcome.rated and len(outcome.entries) == 2:
                for entry, rank, other in zip(outcome.entries, outcome.ranks, outcome.ranks[::-1], strict=True):
                    points[side_of[entry.seat]] += 0.5 * (1 + (rank < other) - (rank > other))
    return np.array(seated), np.array(points)


def _outcomes(log: Sequence[Result], info: GameInfo) -> list[Outcome]:
    if not info.by_pairing:
        return outcomes(log, info)
    pairings: dict[str, list[Result]] = defaultdict(list)
    for result in log:
        pairings[result.pairing].append(result)
    whole = (matches for matches in pairings.values() if len(matches) == info.size)
    return [outcome for matches in whole for outcome in outcomes(matches, info)]


def _count(wins: Array, players: Sequence[int], outcome: Outcome) -> None:
    """Each player against each of another side."""
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
