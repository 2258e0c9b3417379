"""One game's log as arrays: who beat whom, and who met whom how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from league.matchmaking._arrays import Array
from league.matchmaking.matchmaker import Field
from league.ratings import GameInfo, Outcome, outcomes
from league.ratings.comparisons import weight
from league.ratings.sides import sides
from league.records import Result


@dataclass(frozen=True)
class Table:
    """What the earlier rounds of one game say."""

    names: tuple[str, ...]
    """the game's players, in the file's order"""
    wins: Array
    """(n, n): row over column; a level result is half a win for both"""
    met: Array
    """(n, n): pairings in which both sat and that were not void"""

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
    (`league.ratings.comparisons.weight`).
    """
    names = field.entrants(game)
    place = {name: i for i, name in enumerate(names)}
    wins, met = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    kept = sorted((r for r in log if r.game == game and r.round < round and r.status != "void"), key=_index)
    for outcome in _outcomes(kept, field.games[game]):
        if outcome.rated and not outcome.roles_only:
            _count(wins, [place[s.player] for s in outcome.entries], outcome)
    info = field.games[game]
    seated = ((r.pairing, [e.player for side in sides(r, info) for e in side]) for r in kept)
    for _, group in {(pairing, tuple(sorted(place[p] for p in players))) for pairing, players in seated}:
        for i, j in combinations(group, 2):
            met[i, j] += 1
            met[j, i] += i != j
    return Table(names, wins, met)


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
