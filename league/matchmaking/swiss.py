"""The Swiss system: each round pairs players with similar scores that have not met; a player left over has a bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any

from annotated_types import Interval

from games import InputError
from games.randomness import RandomStream, derive
from league.matchmaking.bridging import bridges, bridging_count
from league.matchmaking.designs import interleave
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.matchmaking.results_table import table_of
from league.outcomes import compared_seats
from league.ratings import OnlineRatings
from league.records.matches import Result

BRIDGE = 0.1
"""Half of the share of other matchmakers: a Swiss round has no spare tables. Measured by scripts/bench/stress.py."""
_STEP = 1 << 40
"""larger than any single cost below, so that costs compare like digits, in order of importance"""


@dataclass(frozen=True)
class _Scores:
    """The scores of a game before a round."""

    order: list[str]
    """players by points, then rating, then at random"""
    points: dict[str, int]
    """in half points: two for a win, one for a draw; a bye counts as a won pairing"""
    byes: dict[str, int]
    meetings: Counter[frozenset[str]]


class Swiss(Matchmaker):
    """A Swiss tournament in each game, with `rounds` rounds.

    `bridge` is the share of tables at which players meet whose gap few results test (see `bridging`), instead of
    players with similar scores; scores alone would never pair groups of very different strength. Bridging starts after
    twice as many rounds as a knockout takes; before, a Swiss tournament should have no rematch. 0 turns it off.

    Two seats: the pairing has these goals, in this order: no second bye before everyone had one, fewest rematches,
    least squared differences of points, least squared differences of ranks. The bye goes to the lowest player. It is
    an exact minimum-weight perfect matching, with the bye as a player. More seats: tables are filled from the top,
    each next seat with the player who met the table least.
    """

    def __init__(self, bridge: Annotated[float, Interval(ge=0, le=1)] = BRIDGE) -> None:
        self.bridge = float(bridge)

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of a round, from the results of the earlier rounds."""
        if round >= context.rounds:
            return None
        return tuple(interleave([self._game(context, game, round, log) for game in context.games]))

    def total(self, context: PairingContext) -> int:
        """Returns the number of rounds times the matches per round."""
        sizes = [(len(context.entrants(game)), _seats(context, game)) for game in context.games]
        return context.rounds * sum(n // seats * seats for n, seats in sizes)

    def _game(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> list[Pairing]:
        seats = _seats(context, game)
        scores = _scores(context, game, round, [r for r in log if r.game == game and r.round < round])
        tests = self._bridges(context, game, round, log)
        tested = {player for group in tests for player in group}
        rest = replace(scores, order=[player for player in scores.order if player not in tested])
        groups = _match(rest) if seats == 2 else _fill(rest, seats)
        return [Pairing(game, group) for group in (*tests, *groups)]

    def _bridges(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> list[tuple[str, ...]]:
        names, seats = context.entrants(game), context.games[game].size
        late = round - 2 * len(names).bit_length()
        number = bridging_count(self.bridge, late, len(names) // seats) if late >= 0 else 0
        if not number:
            return []
        import numpy as np

        rng = np.random.default_rng(derive(context.seed, "swiss bridges", game, round))
        wins = table_of(context, game, round, log).wins
        return [tuple(names[i] for i in group) for group in bridges(wins, number, seats, float(seats), rng)]


def _seats(context: PairingContext, game: str) -> int:
    """Returns the number of seats. Raises InputError if nobody can be paired."""
    if (seats := context.games[game].size) < 2:
        raise InputError(f"swiss needs games of two or more seats; {game!r} has one: use round-robin")
    return seats


def _scores(context: PairingContext, game: str, round: int, log: Sequence[Result]) -> _Scores:
    info, names = context.games[game], context.entrants(game)
    ratings = OnlineRatings({game: info}, players=names)
    ratings.add(log)
    rows = {row.player: row for row in ratings.tables().overall}
    # A void match uses the player's round, so it is not a bye; it is not a meeting either.
    present = Counter(name for _, name in {(r.round, s.player) for r in log for s in compared_seats(r, info)})
    meetings = {
        (r.pairing, frozenset(pair))
        for r in log
        if r.status != "void"
        for pair in combinations([s.player for s in compared_seats(r, info)], 2)
    }
    byes = {p: round - context.missed.get((p, game), 0) - present[p] for p in names}
    points = {p: 2 * rows[p].wins + rows[p].draws + 2 * info.size * byes[p] for p in names}
    random_order = {p: i for i, p in enumerate(RandomStream(derive(context.seed, "swiss", game)).shuffled(names))}
    order = sorted(names, key=lambda p: (-points[p], -rows[p].rating, random_order[p]))
    return _Scores(order, points, byes, Counter(pair for _, pair in meetings))


def _match(scores: _Scores) -> list[tuple[str, ...]]:
    import networkx

    order = scores.order
    graph: Any = networkx.Graph()
    for i, j in combinations(range(len(order)), 2):
        graph.add_edge(i, j, weight=_cost_of_pair(scores, i, j))
    if len(order) < 2:
        return []
    if len(order) % 2:
        for i in range(len(order)):
            graph.add_edge(i, len(order), weight=_cost_of_bye(scores, i))
    pairs = sorted(sorted(pair) for pair in networkx.min_weight_matching(graph))
    return [(order[i], order[j]) for i, j in pairs if j < len(order)]


def _cost_of_pair(scores: _Scores, i: int, j: int) -> int:
    a, b = scores.order[i], scores.order[j]
    again = scores.meetings[frozenset((a, b))]
    return (again**2 * _STEP + (scores.points[a] - scores.points[b]) ** 2) * _STEP + (i - j) ** 2


def _cost_of_bye(scores: _Scores, i: int) -> int:
    player, last = scores.order[i], scores.order[-1]
    extra = scores.byes[player] - min(scores.byes.values())
    lead = (scores.points[player] - scores.points[last]) ** 2
    return (extra * _STEP**2 + lead) * _STEP + (len(scores.order) - 1 - i) ** 2


def _fill(scores: _Scores, seats: int) -> list[tuple[str, ...]]:
    left = list(scores.order)
    for _ in range(len(left) % seats):
        fewest = min(scores.byes[p] for p in left)
        left.remove([p for p in left if scores.byes[p] == fewest][-1])
    groups = []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            nearest = min(left, key=lambda p: sum(scores.meetings[frozenset((p, q))] for q in group))  # first of equals
            left.remove(nearest)
            group.append(nearest)
        groups.append(tuple(group))
    return groups
