"""Knockouts: the number of ties, byes, second chances, replays, and the right winner."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import InputError
from league.matchmaking import Pairing, expand, make
from tests.league.matchmaking.fields import PAIR, TRIO, field, play, run


def knockout(name, of, better, *, shuffle=False):
    """Play a bracket in which `better(a, b)` wins both matches: (ties of each round, log, planned)."""
    maker, rounds, log = make(name), [], []
    while (pairings := maker.next(of, len(rounds), log)) is not None:
        planned = expand(pairings, of.games, run="k", seed=of.seed, round=len(rounds), start=len(log))
        rounds.append(list(pairings))
        for result in play(planned, random.Random(1)):
            a, b = result.seats
            score = better(a.player, b.player)
            seats = (msgspec.structs.replace(a, score=score), msgspec.structs.replace(b, score=-score))
            log.append(msgspec.structs.replace(result, seats=seats))
        if shuffle:
            random.Random(len(log)).shuffle(log)
        assert len(rounds) < 60
    return rounds, log


def by_name(a, b):
    return 1.0 if a < b else -1.0


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 33), st.integers(0, 99), st.sampled_from(["file", "lot"]))
def test_single_elimination(n, seed, seeding):
    of, name = field(n, seed=seed), f"single-elimination(seeding={seeding})"
    rounds, log = knockout(name, of, by_name, shuffle=True)
    assert sum(map(len, rounds)) == n - 1
    assert len(rounds) == (n - 1).bit_length()
    assert make(name).winner(of, "g-v0", len(rounds), log) == "p00"
    assert make(name).next(of, len(rounds), log) is None
    for later in rounds[1:]:  # after the byes of the first round a power of two is left
        assert len(later).bit_count() == 1


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 20), st.integers(0, 99))
def test_double_elimination_throws_out_after_two_losses(n, seed):
    of = field(n, seed=seed)
    rank = {p: (int(p[1:]) * 7 + seed) % 23 for p in of.players}
    rounds, log = knockout("double-elimination(seeding=lot)", of, lambda a, b: 1.0 if rank[a] < rank[b] else -1.0)
    losses = dict.fromkeys(of.players, 0)
    for a, b in (pairing.players for pairings in rounds for pairing in pairings):
        losses[a if rank[a] > rank[b] else b] += 1
    best = min(rank, key=rank.get)
    assert losses.pop(best) == 0
    assert set(losses.values()) == {2}
    assert make("double-elimination(seeding=lot)").winner(of, "g-v0", len(rounds), log) == best


def test_seeds_of_eight_and_byes_of_six():
    rounds, _ = knockout("single-elimination", field(8), by_name)
    assert [p.players for p in rounds[0]] == [("p00", "p07"), ("p01", "p06"), ("p02", "p05"), ("p03", "p04")]
    assert [p.players for p in rounds[1]] == [("p00", "p03"), ("p01", "p02")]
    rounds, _ = knockout("single-elimination", field(6), by_name)
    assert [p.players for p in rounds[0]] == [("p02", "p05"), ("p03", "p04")]
    assert [p.players for p in rounds[1]] == [("p00", "p03"), ("p01", "p02")]


def test_the_loser_of_the_first_final_has_lost_once():
    def upset(a, b):  # p01 loses its first meeting with p00, then wins all
        upset.seen += {a, b} == {"p00", "p01"}
        return by_name(a, b) if upset.seen <= 2 else -by_name(a, b)

    upset.seen = 0
    rounds, log = knockout("double-elimination", field(2), upset)
    assert len(rounds) == 3
    assert make("double-elimination").winner(field(2), "g-v0", 3, log) == "p01"


@pytest.mark.parametrize(("replays", "expected"), [(0, 1), (3, 4)])
def test_a_level_tie_is_played_again_then_the_better_seed_goes_on(replays, expected):
    name = f"single-elimination(replays={replays})"
    rounds, log = knockout(name, field(2), lambda a, b: 0.0)
    assert len(rounds) == expected
    assert make(name).winner(field(2), "g-v0", len(rounds), log) == "p00"


def test_void_matches_decide_nothing_and_the_others_wait():
    of = field(4)
    maker = make("single-elimination")
    log = play(expand(maker.next(of, 0, ()), of.games, run="k", seed=1, round=0, start=0), random.Random(1))
    log = [msgspec.structs.replace(r, status="void") if "p03" in {s.player for s in r.seats} else r for r in log]
    again = maker.next(of, 1, log)
    assert again == (Pairing("g-v0", ("p00", "p03")),)


def test_rounds_are_the_pairings_of_a_tie_and_games_have_their_own_brackets():
    of = field(4, {"g-v0": PAIR, "h-v0": PAIR}, rounds=3)
    rounds, _ = knockout("single-elimination", of, by_name)
    assert [len(pairings) for pairings in rounds] == [12, 6]


def test_the_plan_does_not_depend_on_the_order_of_arrival():
    for name in ("single-elimination", "double-elimination"):
        of = field(11)
        assert run(make(name), of, void=0.2)[0] == run(make(name), of, void=0.2, shuffle=True)[0]


def test_bad_input_is_told():
    with pytest.raises(InputError, match="two sides"):
        make("single-elimination").next(field(4, {"g-v0": TRIO}), 0, ())
    with pytest.raises(InputError, match="lot"):
        make("double-elimination(seeding=rating)")
    with pytest.raises(InputError, match="replays"):
        make("double-elimination(replays=-1)")
