"""The conformance kit for rating methods: their tables are a plausible function of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isfinite

import msgspec

from arena.conformance.generators import global_generators
from arena.match import MatchPlan
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_checks
from games.errors import PluginError
from games.randomness import RandomStream
from league.config.tournament import RatingConfig
from league.conformance.logs import DEAL, PAIR, POKER, TEAM, TRIO, played
from league.matchmaking.match_plans import expand
from league.matchmaking.matchmaker import Pairing
from league.ratings.method import Ratings
from league.ratings.registry import RATINGS
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import PlannedMatch, Result

GAMES = {"one-v0": PAIR, "trio-v0": TRIO, "deal-v0": DEAL, "poker-v0": POKER, "team-v0": TEAM}
PLAYERS = tuple(f"p{i}" for i in range(5))
COUNTS = MatchCounts()

Make = Callable[[], Ratings]


def check_rating(id: str) -> Report:
    """Check a rating method by its id. Raises InputError if it cannot be made."""
    make: Make = partial(RATINGS.make, id, games=GAMES, config=RatingConfig(method=id), players=PLAYERS)
    make()
    return run_checks(id, make, CHECKS)


def log(rounds: int = 1, seed: int = 0) -> list[Result]:
    """Returns results of all games: all players meet; some are void, one is forfeited, one truncated, one self-play."""
    planned: list[PlannedMatch] = []
    for number in range(rounds):
        pairings = [
            Pairing(game, tuple(PLAYERS[(start + i) % 5] for i in range(info.size)))
            for game, info in GAMES.items()
            for start in range(5)
        ]
        planned += expand(pairings, GAMES, run="check", seed=seed, round=number, start=len(planned))
    self_meeting = MatchPlan("self", "one-v0", 1, dict.fromkeys(PAIR.seats, PLAYERS[0]))
    planned.append(PlannedMatch(len(planned), rounds, "self", self_meeting))
    results = played(planned, seed, void=0.15)
    forfeited = msgspec.structs.replace(results[4].seats[0], forfeited=True)
    results[4] = msgspec.structs.replace(results[4], status="forfeit", seats=(forfeited, *results[4].seats[1:]))
    results[5] = msgspec.structs.replace(results[5], status="truncated")
    return results


def tables(ratings: Ratings) -> Leaderboard:
    """Returns all tables of a method. Raises PluginError if it returns anything else."""
    board: object = ratings.snapshot("check", COUNTS)
    if not isinstance(board, Leaderboard):
        raise PluginError(f"snapshot returned a {type(board).__name__}; return a Leaderboard")
    rows: object = board.standings
    if not isinstance(rows, tuple | list):
        raise PluginError(
            f"snapshot().standings is {rows!r:.80}; return a tuple of league.records.leaderboard.Standing"
        )
    return board


def rated(make: Make, results: Iterable[Sequence[Result]]) -> Leaderboard:
    """Returns the tables after these batches of results."""
    ratings = make()
    for batch in results:
        ratings.add(batch)
    return tables(ratings)


def _rows(snapshot: Leaderboard) -> dict[tuple[str, ...], Standing]:
    """Returns every row of every table, by table and player."""
    by_place: dict[tuple[str, ...], Standing] = {("", row.player): row for row in snapshot.standings}
    for game, rows in snapshot.games.items():
        by_place.update({(game, row.player): row for row in rows})
    for game, roles in snapshot.roles.items():
        for role, rows in roles.items():
            by_place.update({(game, role, row.player): row for row in rows})
    return by_place


def _tables(make: Make) -> Findings:
    """Before and after matches the tables are well formed, and do not change when they are read."""
    for results in ([], log()):
        ratings = make()
        ratings.add(results)
        snapshot = tables(ratings)
        if tables(ratings) != snapshot:
            yield Finding("tables", "snapshot() returns other tables when it is called again")
        listed = [row.player for row in snapshot.standings]
        if sorted(listed) != sorted(PLAYERS):
            yield Finding("tables", f"the table over all games lists {', '.join(listed)}; list each player once")
        ranks = [row.rank for row in snapshot.standings if row.rank is not None]
        if ranks != sorted(ranks):
            yield Finding("tables", "the rows of the table over all games are not in the order of their ranks")
    yield Check("tables", 2, "logs")


def _finite(make: Make) -> Findings:
    """Ratings are finite and between their bounds; wins, draws and losses add up to the games."""
    rows = _rows(rated(make, [log()]))
    for place, row in rows.items():
        where = " ".join(place).strip()
        if not all(isinstance(x, int | float) and isfinite(x) for x in (row.rating, row.low, row.high)):
            yield Finding("finite", f"{where}: the rating is {row.rating!r}, from {row.low!r} to {row.high!r}")
        elif not row.low <= row.rating <= row.high:
            yield Finding("finite", f"{where}: the rating {row.rating:g} is not from {row.low:g} to {row.high:g}")
        elif min(row.games, row.wins, row.draws, row.losses) < 0 or row.wins + row.draws + row.losses != row.games:
            counts = f"{row.wins} wins, {row.draws} draws and {row.losses} losses in {row.games} games"
            yield Finding("finite", f"{where}: {counts}")
    yield Check("finite", len(rows), "rows")


def _order(make: Make) -> Findings:
    """The tables depend on the set of results alone, not on their order or batches."""
    results = log()
    expected = rated(make, [results])
    orders = [
        ("a new instance with the same results", [results]),
        ("the last match first", [results[::-1]]),
        ("in another order", [RandomStream(5).shuffled(results)]),
        ("one by one", [[result] for result in results]),
        ("one by one, in another order", [[result] for result in RandomStream(6).shuffled(results)]),
        ("in two parts, with tables read in between", None),
    ]
    for case, batches in orders:
        table = _in_two(make, results) if batches is None else rated(make, batches)
        if table != expected:
            yield Finding("order", f"{case}: the table differs: {_difference(expected, table)}")
    yield Check("order", len(orders), "orders")


def _in_two(make: Make, results: Sequence[Result]) -> Leaderboard:
    ratings = make()
    ratings.add(results[1::2])
    tables(ratings)
    ratings.add(results[::2])
    return tables(ratings)


def _difference(a: Leaderboard, b: Leaderboard) -> str:
    one, other = _rows(a), _rows(b)
    for place, row in one.items():
        if place in other and other[place] != row:
            return f"{' '.join(place).strip()} has {other[place].rating!r} instead of {row.rating!r}"
    return "other rows"


def _nothing(make: Make) -> Findings:
    """Void matches and self-play change no rating and no count, in games that are not rated by pairing."""
    results = [r for r in log(2) if not GAMES[r.game].by_pairing]
    counted = [r for r in results if r.status != "void" and len({s.player for s in r.seats}) > 1]
    with_all, without = _rows(rated(make, [results])), _rows(rated(make, [counted]))
    for place, row in without.items():
        other = with_all.get(place)
        if other is None or (other.rating, other.games) != (row.rating, row.games):
            difference = "is missing" if other is None else f"{other.rating:g} after {other.games} games"
            yield Finding("nothing", f"{' '.join(place).strip()}: {difference}; without void matches and self-play "
                          f"{row.rating:g} after {row.games}")  # fmt: skip
            break
    yield Check("nothing", len(results) - len(counted), "matches")


def _better(make: Make) -> Findings:
    """A player that always wins is rated above one that always loses."""
    plans = [
        PlannedMatch(i, 0, f"p{i}", MatchPlan(f"m{i}", "one-v0", i, dict(zip(PAIR.seats, pair, strict=True))))
        for i, pair in enumerate([("p0", "p1"), ("p1", "p0")] * 10)
    ]
    results = [
        msgspec.structs.replace(
            r, seats=tuple(msgspec.structs.replace(s, score=1.0 if s.player == "p0" else -1.0) for s in r.seats)
        )
        for r in played(plans, 0)
    ]
    rows = {row.player: row for row in rated(make, [results]).games.get("one-v0", ())}
    if not {"p0", "p1"} <= rows.keys():
        yield Finding("better", f"the table of the game lists {', '.join(rows) or 'nobody'}, but p0 and p1 played it")
    elif not rows["p0"].rating > rows["p1"].rating:
        text = f"p0 won 20 of 20 against p1 and is rated {rows['p0'].rating:g}, p1 {rows['p1'].rating:g}"
        yield Finding("better", text)
    yield Check("better", len(results), "matches")


def _state(make: Make) -> Findings:
    """No global random generator is used."""
    drew: set[str] = set()
    with global_generators(drew):
        rated(make, [log()])
    yield from (Finding("state", f"uses the global generator {name}") for name in sorted(drew))
    yield Check("state", 1, "logs")


CHECKS = {
    "tables": _tables,
    "finite": _finite,
    "order": _order,
    "nothing": _nothing,
    "better": _better,
    "state": _state,
}
"""name -> check, in the order of the report"""
