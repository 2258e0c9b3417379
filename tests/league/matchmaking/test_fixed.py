"""Round robin and gauntlet: who meets whom, how often, in which seats, in which order."""

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games import InputError
from games.randomness import derive
from league.matchmaking import Pairing, PairingContext, expand, make, rotations, round_robin
from league.matchmaking.designs import berger, everybody
from tests.league.matchmaking.fields import PAIR, TRIO, field, play, run

sizes = st.integers(2, 17)


def meetings(pairings):
    return Counter(frozenset(pair) for p in pairings for pair in combinations(p.players, 2))


@settings(max_examples=40, deadline=None)
@given(sizes, st.integers(1, 3))
def test_round_robin_plays_every_pair_once_a_round(n, rounds):
    of = field(n, rounds=rounds)
    played, planned, _ = run(make("round-robin"), of)
    everyone = Counter(frozenset(pair) for pair in combinations(of.players, 2))
    assert len(played) == rounds
    assert all(meetings(pairings) == everyone for pairings in played)
    assert len(planned) == make("round-robin").total(of) == rounds * n * (n - 1)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["round-robin", "gauntlet", "swiss"]), sizes, st.booleans())
def test_seats_are_balanced_exactly(name, n, trio):
    of = field(max(n, 3), {"g-v0": TRIO if trio else PAIR}, rounds=2)
    _, planned, _ = run(make(name), of)
    assert len(planned) == make(name).total(of)
    for player in of.players:
        seats = Counter(seat for m in planned for seat, who in m.match.seats.items() if who == player)
        assert len(set(seats.values())) <= 1
        assert set(seats) in (set(), set(of.games["g-v0"].seats))


@given(sizes)
def test_berger_sweeps_hold_everybody_once(n):
    names = [str(i) for i in range(n)]
    sweeps = berger(names)
    assert len(sweeps) == n - 1 + n % 2
    for sweep in sweeps:
        assert len({p for pair in sweep for p in pair}) == 2 * len(sweep) == n - n % 2


@settings(max_examples=30, deadline=None)
@given(sizes)
def test_everybody_plays_evenly_through_time(n):
    of = field(n)
    [pairings], _, _ = run(make("round-robin"), of)
    counts = Counter(dict.fromkeys(of.players, 0))
    for pairing in pairings:
        counts.update(pairing.players)
        assert max(counts.values()) - min(counts.values()) <= 2


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 10))
def test_three_seats_meet_in_every_combination(n):
    of = field(n, {"g-v0": TRIO})
    [pairings], planned, _ = run(make("round-robin"), of)
    assert Counter(frozenset(p.players) for p in pairings) == Counter(map(frozenset, combinations(of.players, 3)))
    assert len(planned) == 3 * comb(n, 3)
    counts = Counter(dict.fromkeys(of.players, 0))
    for pairing in pairings:
        counts.update(pairing.players)
        assert max(counts.values()) - min(counts.values()) <= 3


@given(st.integers(7, 40), st.integers(0, 2**32))
def test_too_many_combinations_become_a_balanced_part(n, seed):
    tables = everybody([str(i) for i in range(n)], 3, 20, seed)
    counts = Counter(p for table in tables for p in table)
    assert all(len(set(table)) == 3 for table in tables)
    assert len(counts) == n
    assert len(set(counts.values())) == 1
    assert (n - 1) / 2 <= next(iter(counts.values())) < (n - 1) / 2 + 3


def test_the_part_changes_from_round_to_round(monkeypatch):
    monkeypatch.setattr(round_robin, "LIMIT", 5)
    first, second = run(make("round-robin"), field(9, {"g-v0": TRIO}, rounds=2))[0]
    assert first != second


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 17), st.integers(1, 2))
def test_gauntlet_seeds_meet_all_others(n, seeds):
    of = field(n)
    [pairings], planned, _ = run(make(f"gauntlet(seeds={seeds})"), of)
    names = list(of.players)
    wanted = Counter(frozenset((a, b)) for a in names[:seeds] for b in names[seeds:])
    assert meetings(pairings) == wanted
    assert len(planned) == make(f"gauntlet(seeds={seeds})").total(of)


def test_gauntlet_of_three_seats_meets_every_pair_of_others():
    [pairings], _, _ = run(make("gauntlet"), field(5, {"g-v0": TRIO}))
    assert all(p.players[0] == "p00" for p in pairings)
    assert Counter(frozenset(p.players[1:]) for p in pairings) == Counter(
        map(frozenset, combinations(["p01", "p02", "p03", "p04"], 2))
    )


@pytest.mark.parametrize(
    ("forfeits", "status", "left"),
    [((0, 1, 2, 3), "forfeit", 0), ((0, 1, 2), "forfeit", 3), ((0, 1, 2, 3), "void", 3)],
)
def test_a_gauntlet_ends_in_a_game_where_the_seed_forfeits_all(forfeits, status, left):
    of, maker = field(4, {"g-v0": PAIR, "h-v0": PAIR}, rounds=2), make("gauntlet(floor=4)")
    first = expand(maker.next(of, 0, []), of.games, run="r", seed=0, round=0, start=0)
    log = play(first, random.Random(1))
    mine = [place for place, one in enumerate(log) if one.game == "g-v0"][:4]
    for place, one in enumerate(log):
        lost = one.game == "g-v0" and (place not in mine or mine.index(place) in forfeits)
        seats = tuple(replace(seat, forfeited=lost and seat.player == "p00") for seat in one.seats)
        log[place] = replace(one, seats=seats, status=status if lost else "finished")
    games = Counter(pairing.game for pairing in maker.next(of, 1, log))
    assert (games["g-v0"], games["h-v0"]) == (left, 3)
    assert (maker.ahead, make("gauntlet").ahead) == (False, True)


def test_games_take_turns_and_players_keep_to_their_games():
    games = {"g-v0": PAIR, "h-v0": PAIR}
    of = PairingContext({"a": None, "b": ("g-v0",), "c": None, "d": ("h-v0",)}, games)
    [pairings], _, _ = run(make("round-robin"), of)
    assert [p.game for p in pairings] == ["g-v0", "h-v0"] * 3
    assert {frozenset(p.players) for p in pairings if p.game == "g-v0"} == set(map(frozenset, ("ab", "ac", "bc")))
    assert {frozenset(p.players) for p in pairings if p.game == "h-v0"} == set(map(frozenset, ("ac", "ad", "cd")))


def test_a_pairing_becomes_its_rotations_on_one_seed():
    pairings = [Pairing("g-v0", ("x", "y")), Pairing("h-v0", ("x", "y", "z"))]
    games = {"g-v0": PAIR, "h-v0": TRIO}
    planned = expand(pairings, games, run="cup", seed=3, round=2, start=10)
    assert [m.index for m in planned] == [10, 11, 12, 13, 14]
    assert [m.match.id for m in planned][:2] == ["cup-000010", "cup-000011"]
    assert [tuple(m.match.seats.values()) for m in planned] == [
        ("x", "y"), ("y", "x"), ("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y"),
    ]  # fmt: skip
    assert {m.match.seed for m in planned[:2]} == {derive(3, "g-v0", 2, planned[0].pairing)}
    assert len({m.pairing for m in planned[:2]}) == len({m.match.seed for m in planned[2:]}) == 1
    assert planned[0].match.seed != planned[2].match.seed
    assert planned[0].pairing != expand(pairings, games, run="cup", seed=3, round=3, start=0)[0].pairing
    with pytest.raises(InputError, match="3 players for 2 sides"):
        expand([Pairing("g-v0", ("x", "y", "z"))], games, run="cup", seed=3, round=0, start=0)


def test_rotations_that_are_the_same_are_kept_once():
    assert rotations(("x", "x")) == [("x", "x")]
    assert rotations(("x", "y")) == [("x", "y"), ("y", "x")]


@pytest.mark.parametrize(
    ("name", "players", "games", "message"),
    [
        ("round-robin", 2, {"g-v0": TRIO}, "has 3 seats .* and 2 of the players play it .* needs at least 3"),
        ("gauntlet(seeds=0)", 3, None, "seeds must be a whole number >= 1"),
        ("gauntlet(seeds=3)", 3, None, "needs 1 players besides a seed, but has 0"),
        ("gauntlet(seed=3)", 3, None, "allowed: seeds, floor"),
        ("swiss(rounds=3)", 3, None, "allowed: bridge"),
        ("roundrobin", 3, None, "unknown pairing 'roundrobin'; did you mean 'round-robin'"),
        ("nope", 3, None, "unknown pairing 'nope'; known: .*round-robin, .*swiss, uncertainty"),
    ],
)
def test_bad_input_gives_one_line(name, players, games, message):
    with pytest.raises(InputError, match=message) as caught:
        run(make(name), field(players, games))
    assert "\n" not in str(caught.value)


def test_players_and_games_must_fit():
    with pytest.raises(InputError, match="unknown game of player 'b' 'h-v0'; did you mean 'g-v0'"):
        PairingContext({"a": None, "b": ("h-v0",)}, {"g-v0": PAIR})
    with pytest.raises(InputError, match="player 'b' plays no game"):
        PairingContext({"a": None, "b": (), "c": None}, {"g-v0": PAIR})
    with pytest.raises(InputError, match="a does not play 'g-v0'"):
        run(make("gauntlet"), PairingContext({"a": ("h-v0",), "b": None, "c": None}, {"g-v0": PAIR, "h-v0": PAIR}))
