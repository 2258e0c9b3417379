"""Every planted bug of a matchmaker is found by the check it belongs to; ours are clean."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import plugins
from league.conformance.matchmakers import CHECKS, check_matchmaker
from league.matchmaking import Pairing
from league.matchmaking.matchmaker import Matchmaker
from league.matchmaking.round_robin import RoundRobin


class Stranger(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [Pairing(p.game, ("zoe", *p.players[1:])) for p in found]


class StrangeGame(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [Pairing("chess", p.players) for p in found]


class Tuples(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [(p.game, p.players) for p in found]


class OnePairing(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and found[0]


class TooMany(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [Pairing(p.game, (*p.players, p.players[0])) for p in found]


class Itself(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [Pairing(p.game, p.players[:1] * len(p.players)) for p in found]


class Raises(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        return {}["missing"]


class NeverEnds(Matchmaker):
    def next(self, field: Any, round: int, log: Any) -> Any:
        return RoundRobin().next(field, 0, log)


class WrongTotal(RoundRobin):
    def total(self, field: Any) -> int:
        return 3


class GlobalGenerator(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and random.sample(list(found), len(found))


class KeepsState(Matchmaker):
    def __init__(self) -> None:
        self.asked = 0

    def next(self, field: Any, round: int, log: Any) -> Any:
        self.asked += 1
        found = RoundRobin().next(field, round, log)
        return found and list(found)[:: 1 if self.asked % 2 else -1]


class LooksAtTheOrder(Matchmaker):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = RoundRobin().next(field, round, log)
        first = log[0].seats[0].player if log else ""
        return found and sorted(found, key=lambda p: p.players[0] == first)


class AheadAndLooking(Matchmaker):
    ahead = True

    def next(self, field: Any, round: int, log: Any) -> Any:
        found = RoundRobin().next(field, round, log)
        return found and list(found)[:: -1 if log else 1]


class WaitsForEveryResult(Matchmaker):
    def next(self, field: Any, round: int, log: Any) -> Any:
        done = sum(r.status != "void" for r in log)
        return None if done >= 6 else RoundRobin().next(field, 0, log)


class SameSeat(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        return found and [Pairing(p.game, tuple(sorted(p.players)), mirrored=False) for p in found]


class LeavesOneOut(RoundRobin):
    def next(self, field: Any, round: int, log: Any) -> Any:
        found = super().next(field, round, log)
        last = [*field.players][-1]
        return found and ([p for p in found if last not in p.players] or found)


@pytest.mark.parametrize("id", ["round-robin", "gauntlet", "single-elimination"])
def test_ours_are_clean(id):
    report = check_matchmaker(id)
    assert report.ok, str(report)
    assert [check.name for check in report.checks] == list(CHECKS)


@pytest.mark.long
@pytest.mark.parametrize(
    "id", ["swiss", "uncertainty", "random", "pfsp", "information", "rank-all", "find-best", "double-elimination"]
)
def test_the_adaptive_ones_are_clean(id):
    assert check_matchmaker(id).ok


@pytest.mark.parametrize(
    ("faulty", "check", "words"),
    [
        (Stranger, "pairings", "names the player 'zoe'; the players of one-v0 are p00, p01"),
        (StrangeGame, "pairings", "names the game 'chess'; the games are one-v0"),
        (Tuples, "pairings", "use league.matchmaking.Pairing(game, players)"),
        (OnePairing, "pairings", "return a list of Pairing(game, players), or None at the end"),
        (TooMany, "pairings", "players for 2 sides"),
        (Itself, "pairings", "'p00' meets itself"),
        (Raises, "pairings", "raised KeyError"),
        (NeverEnds, "ends", "no end after 60 rounds"),
        (WrongTotal, "ends", "total is 3, 6 matches were planned"),
        (GlobalGenerator, "repeats", "the global generator random"),
        (KeepsState, "resumes", "with a new matchmaker in each round, as after a restart"),
        (LooksAtTheOrder, "resumes", "with the log in another order"),
        (AheadAndLooking, "resumes", "`ahead` is True"),
        (WaitsForEveryResult, "voids", "with 100% of the matches void the run does not end"),
        (SameSeat, "seats", "rotate, or keep mirrored=True"),
        (LeavesOneOut, "seats", "p04 never played"),
    ],
)
def test_the_right_check_names_the_fault(faulty, check, words):
    plugins.register("arena.matchmakers", "tested")(faulty)
    report = check_matchmaker("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)
