"""Swiss system: each round pairs players of like score that have not met; whoever is left over has a bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from games import InputError
from games.randomness import Stream, derive
from league.matchmaking.bridging import bridges, due
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.table import table_of
from league.matchmaking.tables import interleave
from league.ratings import Ledger
from league.records import Result

BRIDGE = 0.1
"""Half of what other matchmakers keep: a Swiss round has no spare tables. Measured by scripts/stress.py."""
_STEP = 1 << 40
"""larger than any one cost below: costs are compared in order of importance, as digits"""


@dataclass(frozen=True)
class _Table:
    """A game's table before a round."""

    order: list[str]
    """by points, then rating, then lot"""
    points: dict[str, int]
    """half points: two for a match won, one for a draw; a bye counts as a pairing won"""
    byes: dict[str, int]
    met: Counter[frozenset[str]]


class Swiss(Matchmaker):
    """One Swiss tournament in each game, `rounds` rounds long.

    `bridge`: the share of the tables at which, in place of players of like score, those meet whose gap the results
    hardly test (`bridging`): where groups of players differ much, scores alone would never pair them. It begins after
    twice as many rounds as a knockout would take, until when a Swiss tournament is to have no rematch. 0: none.

    Two seats: the matching that, in this order, gives nobody a second bye before all had one, repeats the fewest
    meetings, has the least squared differences of points, then of places on the table. The bye goes to the lowest.
    Exact: a minimum-weight perfect matching with the bye as a player. More seats: tables are filled from the top,
    each next seat by who met the table least.
    """

    def __init__(self, bridge: float = BRIDGE) -> None:
        if isinstance(bridge, bool) or not isinstance(bridge, int | float) or not 0.0 <= bridge <= 1.0:
            raise InputError(f"swiss(bridge={bridge}): bridge is a share from 0 to 1")
        self.bridge = float(bridge)

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The pairings of a round from the results of those before it."""
        if round >= field.rounds:
            return None
        return tuple(interleave([self._game(field, game, round, log) for game in field.games]))

    def total(self, field: Field) -> int:
        """Rounds times the matches of one round."""
        sizes = [(len(field.entrants(game)), info.size) for game, info in field.games.items()]
        return field.rounds * sum(n // seats * seats for n, seats in sizes)

    def _game(self, field: Field, game: str, round: int, log: Sequence[Result]) -> list[Pairing]:
        seats = field.games[game].size
        if seats < 2:
            raise InputError(f"swiss needs games of two or more seats; {game!r} has one: use round-robin")
        table = _table(field, game, round, [r for r in log if r.game == game and r.round < round])
        tests = self._bridges(field, game, round, log)
        tested = {player for group in tests for player in group}
        rest = replace(table, order=[player for player in table.order if player not in tested])
        groups = _match(rest) if seats == 2 else _fill(rest, seats)
        return [Pairing(game, group) for group in (*tests, *groups)]

    def _bridges(self, field: Field, game: str, round: int, log: Sequence[Result]) -> list[tuple[str, ...]]:
        names, seats = field.entrants(game), field.games[game].size
        late = round - 2 * len(names).bit_length()
        number = due(self.bridge, late, len(names) // seats) if late >= 0 else 0
        if not number:
            return []
        import numpy as np

        rng = np.random.default_rng(derive(field.seed, "swiss bridges", game, round))
        wins = table_of(field, game, round, log).wins
        return [tuple(names[i] for i in group) for group in bridges(wins, number, seats, float(seats), rng)]


def _table(field: Field, game: str, round: int, log: Sequence[Result]) -> _Table:
    info, names = field.games[game], field.entrants(game)
    ledger = Ledger({game: info}, players=names)
    ledger.add(log)
    rows = {row.player: row for row in ledger.standings()}
    # A void match still took the player's round: it is no bye, and no meeting either.
    present = Counter(name for _, name in {(r.round, s.player) for r in log for s in r.seats})
    meetings = {
        (r.pairing, frozenset(pair))
        for r in log
        if r.status != "void"
        for pair in combinations([s.player for s in r.seats], 2)
    }
    byes = {p: round - present[p] for p in names}
    points = {p: 2 * rows[p].wins + rows[p].draws + 2 * info.size * byes[p] for p in names}
    lots = {p: i for i, p in enumerate(Stream(derive(field.seed, "swiss", game)).shuffled(names))}
    order = sorted(names, key=lambda p: (-points[p], -rows[p].rating, lots[p]))
    return _Table(order, points, byes, Counter(pair for _, pair in meetings))


def _match(table: _Table) -> list[tuple[str, ...]]:
    import networkx

    order = table.order
    graph: Any = networkx.Graph()
    for i, j in combinations(range(len(order)), 2):
        graph.add_edge(i, j, weight=_cost_of_pair(table, i, j))
    if len(order) < 2:
        return []
    if len(order) % 2:
        for i in range(len(order)):
            graph.add_edge(i, len(order), weight=_cost_of_bye(table, i))
    pairs = sorted(sorted(pair) for pair in networkx.min_weight_matching(graph))
    return [(order[i], order[j]) for i, j in pairs if j < len(order)]


def _cost_of_pair(table: _Table, i: int, j: int) -> int:
    a, b = table.order[i], table.order[j]
    again = table.met[frozenset((a, b))]
    return (again**2 * _STEP + (table.points[a] - table.points[b]) ** 2) * _STEP + (i - j) ** 2


def _cost_of_bye(table: _Table, i: int) -> int:
    player, last = table.order[i], table.order[-1]
    extra = table.byes[player] - min(table.byes.values())
    lead = (table.points[player] - table.points[last]) ** 2
    return (extra * _STEP**2 + lead) * _STEP + (len(table.order) - 1 - i) ** 2


def _fill(table: _Table, seats: int) -> list[tuple[str, ...]]:
    left = list(table.order)
    for _ in range(len(left) % seats):
        fewest = min(table.byes[p] for p in left)
        left.remove([p for p in left if table.byes[p] == fewest][-1])
    groups = []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            nearest = min(left, key=lambda p: sum(table.met[frozenset((p, q))] for q in group))  # first of equals
            left.remove(nearest)
            group.append(nearest)
        groups.append(tuple(group))
    return groups
