"""Newcomers of an open league: whom they meet, when, and how well few matches rate them."""

import random
from collections import Counter

import pytest

from games import InputError
from league.matchmaking import PairingContext, expand, make
from tests.league.matchmaking.fields import PAIR, TRIO, play

OLD = tuple(f"p{i:02d}" for i in range(8))


def pairings_of(pairing, *, newcomers, rounds, games=None, before=4, seed=3):
    """The pairings of each round; the newcomers join after `before` rounds."""
    matchmaker, games = make(pairing), games or {"g-v0": PAIR}
    rng, log, found, planned = random.Random(seed), [], [], 0
    for number in range(rounds):
        names = OLD if number < before else (*OLD, *newcomers)
        context = PairingContext(dict.fromkeys(names), games, 1_000, 7)
        made = matchmaker.next(context, number, log)
        matches = expand(made, games, run="run", seed=7, round=number, start=planned)
        planned += len(matches)
        log = log + play(matches, rng)
        found.append(list(made))
    return found, log


def test_a_newcomer_meets_a_spread_field_first_and_then_plays_like_the_others():
    found, _ = pairings_of("placement(matches=12)", newcomers=("p99",), rounds=9)
    assert all("p99" not in pairing.players for pairings in found[:4] for pairing in pairings)
    placing = [[p.players[1] for p in pairings if "p99" in p.players] for pairings in found[4:7]]
    assert [len(opponents) for opponents in placing] == [3, 2, 1]  # 12 matches, two of each pairing
    assert len(set(placing[0])) == 3
    assert all(pairings[0].players[0] == "p99" for pairings in found[4:7])  # it comes first
    # the others play their round-robin beside it, and all play it afterwards
    assert all(sum("p99" not in p.players for p in pairings) == 28 for pairings in found[4:7])
    assert [len(pairings) for pairings in found[7:]] == [36, 36]


def test_the_first_opponents_are_spread_over_the_ratings():
    found, _ = pairings_of("placement(matches=16)", newcomers=("p99",), rounds=5, before=4, seed=5)
    numbers = sorted(int(p.players[1][1:]) for p in found[4] if "p99" in p.players)
    assert len(numbers) == 4
    assert numbers[0] <= 2  # a lower name wins more often in `play`
    assert numbers[-1] >= 5


@pytest.mark.parametrize("then", ["round-robin", "swiss", "random(batch=8)", "rank-all(batch=16)"])
def test_it_combines_with_other_pairings_and_repeats(then):
    one = pairings_of(f"placement(then={then}, matches=8)", newcomers=("p98", "p99"), rounds=8)
    assert one == pairings_of(f"placement(then={then}, matches=8)", newcomers=("p98", "p99"), rounds=8)
    counts = Counter(s.player for r in one[1] for s in r.seats)
    assert counts["p98"] >= 8
    assert counts["p99"] >= 8


def test_games_of_three_seats_have_full_tables():
    found, log = pairings_of("placement(matches=9)", newcomers=("p99",), rounds=6, games={"t-v0": TRIO})
    tables = [p.players for p in found[4] if "p99" in p.players]
    assert tables
    assert all(len(set(table)) == 3 for table in tables)
    assert all(r.round >= 4 for r in log if "p99" in {s.player for s in r.seats})


def test_newcomers_are_placed_after_the_last_round():
    matchmaker = make("placement(matches=4)")
    rng = random.Random(1)
    old = PairingContext(dict.fromkeys(OLD), {"g-v0": PAIR}, 2, 7)
    log, ordinary = [], make("round-robin")
    for r in (0, 1):
        planned = expand(ordinary.next(old, r, ()), old.games, run="x", seed=7, round=r, start=56 * r)
        log += play(planned, rng)
    assert matchmaker.next(old, 2, log) is None
    grown = PairingContext(dict.fromkeys((*OLD, "p99")), {"g-v0": PAIR}, 2, 7)
    assert [p.players[0] for p in matchmaker.next(grown, 2, log)] == ["p99"]


def test_a_bracket_cannot_be_the_other_pairing_of_an_open_league():
    assert not make("placement(then=single-elimination)").open
    with pytest.raises(InputError, match="did you mean 'round-robin'"):
        make("placement(then=round-robbin)")
