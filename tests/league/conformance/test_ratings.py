"""Every planted bug of a rating method is found by the check it belongs to; ours are clean."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from games import plugins
from league.conformance.ratings import CHECKS, check_rating
from league.ratings import OnlineRatings
from league.records.leaderboard import Standing


class Wins:
    """A rating of wins less losses, per game and overall; the smallest correct method."""

    def __init__(self, games: Any, config: Any, players: Any) -> None:
        self.games, self.players, self.results = games, players, {}

    def add(self, results: Any) -> None:
        self.results |= {r.index: r for r in results}

    def counted(self) -> Any:
        return [
            r for _, r in sorted(self.results.items())
            if r.status != "void" and len({s.player for s in r.seats}) == len(r.seats)
        ]  # fmt: skip

    def points(self, player: str, best: bool) -> float:
        return 1.0 if best else -1.0

    def table(self, results: Any, players: Any) -> Any:
        rating, wins, games = dict.fromkeys(players, 0.0), dict.fromkeys(players, 0), dict.fromkeys(players, 0)
        for r in results:
            top = max(s.score for s in r.seats)
            for s in r.seats:
                games[s.player] += 1
                wins[s.player] += s.score == top
                rating[s.player] += self.points(s.player, s.score == top)
        order = sorted(players, key=lambda p: (-rating[p], p))
        return tuple(self.row(p, i + 1, rating[p], wins[p], games[p]) for i, p in enumerate(order))

    def row(self, player: str, rank: int, rating: float, wins: int, games: int) -> Standing:
        return Standing(player, rank, rating, rating - 1, rating + 1, games, wins, 0, games - wins, 0)

    def standings(self) -> Any:
        return self.table(self.counted(), self.players)

    def by_game(self) -> Any:
        found = {}
        for game in self.games:
            results = [r for r in self.counted() if r.game == game]
            if players := sorted({s.player for r in results for s in r.seats}):
                found[game] = self.table(results, players)
        return found

    def by_role(self) -> Any:
        return {}

    def snapshot(self, run: Any, matches: Any) -> Any:
        from league.records.leaderboard import Leaderboard

        return Leaderboard(run, self.standings(), self.by_game(), self.by_role(), matches)


class CountsVoids(Wins):
    def counted(self) -> Any:
        return [r for _, r in sorted(self.results.items()) if len({s.player for s in r.seats}) == len(r.seats)]


class InOrderOfArrival(Wins):
    def counted(self) -> Any:
        return [r for r in self.results.values() if r.status != "void" and len({s.player for s in r.seats}) > 1]

    def points(self, player: str, best: bool) -> float:
        self.step = getattr(self, "step", 1.0) * 0.99
        return self.step if best else -1.0

    def table(self, results: Any, players: Any) -> Any:
        self.step = 1.0
        return super().table(results, players)


class LosesWhenLookedAt(Wins):
    def standings(self) -> Any:
        found = super().standings()
        self.results = dict(list(self.results.items())[-3:])
        return found


class Infinite(Wins):
    def row(self, *args: Any) -> Any:
        return replace(super().row(*args), high=float("inf"))


class UpsideDown(Wins):
    def points(self, player: str, best: bool) -> float:
        return -1.0 if best else 1.0


class BoundsSwapped(Wins):
    def row(self, *args: Any) -> Any:
        row = super().row(*args)
        return replace(row, low=row.high, high=row.low)


class MiscountsGames(Wins):
    def row(self, *args: Any) -> Any:
        row = super().row(*args)
        return replace(row, games=row.games + 1)


class ForgetsWhoHasNotPlayed(Wins):
    def standings(self) -> Any:
        return tuple(row for row in super().standings() if row.games)


class NoSnapshot(Wins):
    def snapshot(self, run: Any, matches: Any) -> Any:
        return {"standings": self.standings()}


class Differs(Wins):
    def by_role(self) -> Any:
        self.times = getattr(self, "times", 0) + 1
        return {"one-v0": {"first": ()}} if self.times > 1 else {}


class FailsOnNothing(Wins):
    def standings(self) -> Any:
        min(self.results)
        return super().standings()


class NoStandings(Wins):
    def standings(self) -> Any:
        return None


class Draws(Wins):
    def points(self, player: str, best: bool) -> float:
        return super().points(player, best) + 0.001 * random.random()


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


@pytest.mark.parametrize(
    ("faulty", "check", "words"),
    [
        (CountsVoids, "nothing", "without void matches and self-play"),
        (InOrderOfArrival, "order", "the table differs"),
        (LosesWhenLookedAt, "order", "in two parts, with tables read in between: the table differs"),
        (Infinite, "finite", "to inf"),
        (BoundsSwapped, "finite", "is not from"),
        (MiscountsGames, "finite", "losses in"),
        (UpsideDown, "better", "p0 won 20 of 20 against p1 and is rated -20"),
        (ForgetsWhoHasNotPlayed, "tables", "list each player once"),
        (NoSnapshot, "tables", "snapshot returned a dict"),
        (Differs, "tables", "by_role() and snapshot() differ"),
        (FailsOnNothing, "tables", "raised ValueError"),
        (NoStandings, "tables", "standings() is None; return a tuple of"),
        (NoStandings, "finite", "the same as tables"),
        (Draws, "state", "the global generator random"),
    ],
)
def test_the_right_check_names_the_fault(faulty, check, words):
    plugins.register("arena.ratings", "tested")(faulty)
    report = check_rating("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)
