"""Every planted bug of a matchmaker is found by the check it belongs to; ours are clean."""

import random

import pytest

from games import plugins
from league.conformance.matchmakers import CHECKS, check_matchmaker
from league.matchmaking import Matchmaker, Pairing
from league.matchmaking.round_robin import RoundRobin
from tests.toys.faults import having, returning


def pairing(change):
    """Returns a round robin whose pairings are changed."""
    return planning(lambda found, *_: [change(p) for p in found])


def planning(change):
    """Returns a round robin that returns `change(pairings, field, log)` instead of its pairings."""
    return returning(RoundRobin, next=lambda found, self, field, round, log: found and change(found, field, log))


class KeepsState(Matchmaker):
    def __init__(self):
        self.asked = 0

    def next(self, field, round, log):
        self.asked += 1
        found = RoundRobin().next(field, round, log)
        return found and list(found)[:: 1 if self.asked % 2 else -1]


def by_first_player(found, field, log):
    first = log[0].seats[0].player if log else ""
    return sorted(found, key=lambda p: p.players[0] == first)


def until_six_results(self, field, round, log):
    return None if sum(r.status != "void" for r in log) >= 6 else RoundRobin().next(field, 0, log)


def without_the_last(found, field, log):
    return [p for p in found if [*field.players][-1] not in p.players] or found


FAULTS = [
    (
        pairing(lambda p: Pairing(p.game, ("zoe", *p.players[1:]))),
        "pairings",
        "names the player 'zoe'; the players of one-v0 are p00, p01",
    ),
    (pairing(lambda p: Pairing("chess", p.players)), "pairings", "names the game 'chess'; the games are one-v0"),
    (pairing(lambda p: (p.game, p.players)), "pairings", "use league.matchmaking.Pairing(game, players)"),
    (planning(lambda found, *_: found[0]), "pairings", "return a list of Pairing(game, players), or None at the end"),
    (pairing(lambda p: Pairing(p.game, (*p.players, p.players[0]))), "pairings", "players for 2 sides"),
    (pairing(lambda p: Pairing(p.game, p.players[:1] * len(p.players))), "pairings", "'p00' meets itself"),
    (returning(RoundRobin, next=lambda *_: {}["missing"]), "pairings", "raised KeyError"),
    (
        having(Matchmaker, next=lambda _, field, round, log: RoundRobin().next(field, 0, log)),
        "ends",
        "no end after 60 rounds",
    ),
    (having(RoundRobin, total=lambda self, field: 3), "ends", "total is 3, 6 matches were planned"),
    (planning(lambda found, *_: random.sample(list(found), len(found))), "repeats", "the global generator random"),
    (KeepsState, "resumes", "with a new matchmaker in each round, as after a restart"),
    (having(planning(by_first_player), ahead=False), "resumes", "with the log in another order"),
    (
        having(planning(lambda found, field, log: list(found)[:: -1 if log else 1]), ahead=True),
        "resumes",
        "`ahead` is True",
    ),
    (having(Matchmaker, next=until_six_results), "voids", "with 100% of the matches void the run does not end"),
    (
        pairing(lambda p: Pairing(p.game, tuple(sorted(p.players)), mirrored=False)),
        "seats",
        "rotate, or keep mirrored=True",
    ),
    (planning(without_the_last), "seats", "p04 never played"),
]


@pytest.mark.parametrize("id", ["round-robin", "gauntlet"])
def test_ours_are_clean(id):
    report = check_matchmaker(id)
    assert report.ok, str(report)
    assert [check.name for check in report.checks] == list(CHECKS)


@pytest.mark.long
@pytest.mark.parametrize(
    "id",
    [
        "swiss",
        "uncertainty",
        "random",
        "information",
        "rank-all",
        "find-best",
    ],
)
def test_the_adaptive_ones_are_clean(id):
    assert check_matchmaker(id).ok


@pytest.mark.parametrize(("faulty", "check", "words"), FAULTS)
def test_the_right_check_names_the_fault(faulty, check, words):
    plugins.register("arena.matchmakers", "tested")(faulty)
    report = check_matchmaker("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)
