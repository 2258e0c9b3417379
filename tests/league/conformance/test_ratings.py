"""Every planted bug of a rating method is found by the check it belongs to; ours are clean."""

import random

import pytest
from msgspec.structs import replace

from games import plugins
from league.conformance.ratings import CHECKS, check_rating
from league.ratings import OnlineRatings
from league.records.leaderboard import Leaderboard, Standing
from tests.toys.faults import returning


class Wins:
    """A rating of wins less losses, per game and overall; the smallest correct method."""

    def __init__(self, games, config, players):
        self.games, self.players, self.results = games, players, {}

    def add(self, results):
        self.results |= {r.index: r for r in results}

    def counted(self):
        return [
            r for _, r in sorted(self.results.items())
            if r.status != "void" and len({s.player for s in r.seats}) == len(r.seats)
        ]  # fmt: skip

    def points(self, player, best):
        return 1.0 if best else -1.0

    def table(self, results, players):
        rating, wins, games = dict.fromkeys(players, 0.0), dict.fromkeys(players, 0), dict.fromkeys(players, 0)
        for r in results:
            top = max(s.score for s in r.seats)
            for s in r.seats:
                games[s.player] += 1
                wins[s.player] += s.score == top
                rating[s.player] += self.points(s.player, s.score == top)
        order = sorted(players, key=lambda p: (-rating[p], p))
        return tuple(self.row(p, i + 1, rating[p], wins[p], games[p]) for i, p in enumerate(order))

    def row(self, player, rank, rating, wins, games):
        return Standing(player, rank, rating, rating - 1, rating + 1, games, wins, 0, games - wins, 0)

    def standings(self):
        return self.table(self.counted(), self.players)

    def by_game(self):
        found = {}
        for game in self.games:
            results = [r for r in self.counted() if r.game == game]
            if players := sorted({s.player for r in results for s in r.seats}):
                found[game] = self.table(results, players)
        return found

    def snapshot(self, run, matches):
        return Leaderboard(run, self.standings(), self.by_game(), {}, matches)


class InOrderOfArrival(Wins):
    def counted(self):
        return [r for r in self.results.values() if r.status != "void" and len({s.player for s in r.seats}) > 1]

    def points(self, player, best):
        self.step = getattr(self, "step", 1.0) * 0.99
        return self.step if best else -1.0

    def table(self, results, players):
        self.step = 1.0
        return super().table(results, players)


class LosesWhenLookedAt(Wins):
    def snapshot(self, run, matches):
        found = super().snapshot(run, matches)
        self.results = dict(list(self.results.items())[-3:])
        return found


def row(**change):
    """Returns the method with changed rows: each field is a function of the row."""
    return returning(Wins, row=lambda row, *_: replace(row, **{field: value(row) for field, value in change.items()}))


def with_voids(found, self):
    return [r for _, r in sorted(self.results.items()) if len({s.player for s in r.seats}) == len(r.seats)]


NO_STANDINGS = returning(Wins, standings=lambda *_: None)
FAULTS = [
    (returning(Wins, counted=with_voids), "nothing", "without void matches and self-play"),
    (InOrderOfArrival, "order", "the table differs"),
    (LosesWhenLookedAt, "order", "in two parts, with tables read in between: the table differs"),
    (row(high=lambda row: float("inf")), "finite", "to inf"),
    (row(low=lambda row: row.high, high=lambda row: row.low), "finite", "is not from"),
    (row(games=lambda row: row.games + 1), "finite", "losses in"),
    (returning(Wins, points=lambda points, *_: -points), "better", "p0 won 20 of 20 against p1 and is rated -20"),
    (
        returning(Wins, standings=lambda found, self: tuple(row for row in found if row.games)),
        "tables",
        "list each player once",
    ),
    (
        returning(Wins, snapshot=lambda found, self, *_: {"standings": self.standings()}),
        "tables",
        "snapshot returned a dict",
    ),
    (LosesWhenLookedAt, "tables", "returns other tables when it is called again"),
    (returning(Wins, standings=lambda found, self: min(self.results) and found), "tables", "raised ValueError"),
    (NO_STANDINGS, "tables", "snapshot().standings is None; return a tuple of"),
    (NO_STANDINGS, "finite", "the same as tables"),
    (
        returning(Wins, points=lambda points, *_: points + 0.001 * random.random()),
        "state",
        "the global generator random",
    ),
]


@pytest.mark.parametrize("good", [Wins, OnlineRatings])
def test_correct_methods_are_clean(good):
    plugins.register("arena.ratings", "tested")(good)
    report = check_rating("tested")
    assert report.ok, str(report)
    assert [check.name for check in report.checks] == list(CHECKS)
    assert all(check.cases for check in report.checks)


@pytest.mark.long
@pytest.mark.parametrize("id", ["trueskill", "bradley-terry"])
def test_ours_are_clean(id):
    assert check_rating(id).ok


@pytest.mark.parametrize(("faulty", "check", "words"), FAULTS)
def test_the_right_check_names_the_fault(faulty, check, words):
    plugins.register("arena.ratings", "tested")(faulty)
    report = check_rating("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)
