"""A server learns nothing about the match's seed or hidden cards from the requests it receives."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from arena.match import MatchPlan, play, play_async
from arena.match.seat_seeds import seat_seeds
from arena.players import Player, View
from arena.players.bots.random import RandomPlayer
from arena.players.by_role import ByRole
from arena.players.endpoint.player import Endpoint
from arena.players.seeds import new_secret, outside_seed, seed_for
from games import make
from games.randomness import derive
from tests.arena.players.endpoint.server import says, serving
from tests.toys.small_games import Race

pytest.importorskip("openai")

KUHN = "openspiel/kuhn_poker"
MASK = 0x7FFFFFFF


def endpoint(server):
    return Endpoint("m", server.url, timeout=60.0, retries=0)


def match(who, seed, id="m", seat="player_0"):
    game = make(KUHN)
    players = {s: who if s == seat else RandomPlayer() for s in game.spec.seats}
    plan = MatchPlan(id, KUHN, seed, {s: p.name for s, p in players.items()})
    return asyncio.run(play_async(game, plan, players))


def seat_seed(seed, seat, name):
    named = RandomPlayer()
    named.name = name
    seats = ("player_0", "player_1")
    return seat_seeds(seed, dict.fromkeys(seats, named), seats)[seat]


def test_the_seats_of_a_large_game_have_seeds_of_their_own():
    seats = [f"player_{i}" for i in range(20)]
    found = seat_seeds(5, dict.fromkeys(seats, RandomPlayer()), seats)
    assert list(found) == seats
    assert len(set(found.values())) == 20
    assert found["player_3"] == seat_seeds(5, dict.fromkeys(seats[:4], RandomPlayer()), seats[:4])["player_3"]


def guesses(seed, names, turns=3):
    """Every number that a server could compute from a guess of the match's seed with the public source code."""
    found = set()
    for seat, name in itertools.product(("player_0", "player_1"), names):
        starts = {
            seed,
            seed ^ derive(0x5DEECE66D, seat, name),  # of version 0.1
            seat_seed(seed, seat, name),
            seat_seed(seed, seat, name) ^ derive(0x5DEECE66D, seat, name),
            derive(seed, seat, name),
            derive(seed, "seat", seat, name),
        }
        view = View(Race(), seat, "first", ("1",), 0, 0, match="m")
        for start, turn in itertools.product(starts, range(turns)):
            view.seat_seed, view.turn = start, turn
            found |= {start & MASK, view.seed & MASK}
            found |= {outside_seed(key, view) for key in (b"", bytes(32))}
    return found


def test_a_search_over_small_seeds_finds_nothing():
    """The audit's attack: the run's seed is 0 to 400, and the server knows all names and the source."""
    run = 217
    with serving(says("\\boxed{Pass}")) as server:
        who = endpoint(server)
        for round in range(4):
            match(who, derive(run, "round-robin", KUHN, round), f"t-{round:06d}")
        sent = {asked["seed"] for asked in server.asked}
    assert len(sent) >= 4
    for guess in range(400):
        for seed in (guess, derive(guess, "round-robin", KUHN, 0), derive(guess, "round-robin", KUHN, 1)):
            assert not sent & guesses(seed, (who.name, "random", "m"))


def test_matches_that_share_their_cards_do_not_show_it():
    with serving(says("\\boxed{Pass}")) as server:
        who = endpoint(server)
        for id, seat in (("a", "player_0"), ("b", "player_0"), ("c", "player_1")):
            match(who, 5, id, seat)
        seeds = [asked["seed"] for asked in server.asked]
    assert len(set(seeds)) == len(seeds)


def test_the_same_secret_gives_the_same_seeds_and_another_gives_others():
    sent = []
    with serving(says("\\boxed{Pass}")) as server:
        for secret in (b"s" * 32, b"s" * 32, b"t" * 32, None):
            who = endpoint(server)
            who.secret = secret or who.secret
            server.asked.clear()
            match(who, 5)
            sent.append([asked["seed"] for asked in server.asked])
    assert sent[0] == sent[1]
    assert not set(sent[0]) & {*sent[2], *sent[3]}
    assert not set(sent[2]) & {*sent[3]}


def test_the_user_can_have_the_same_seeds_again(monkeypatch):
    assert new_secret() != new_secret()
    monkeypatch.setenv("ARENA_SEED_KEY", "my key")
    assert new_secret() == new_secret()
    again = new_secret()
    monkeypatch.setenv("ARENA_SEED_KEY", "my other key")
    assert new_secret() != again


def test_nothing_but_what_the_seat_sees_is_sent():
    """Without their seeds, the requests of many matches differ only by the seat's own card and the moves."""
    bodies: dict[str, set[str]] = {}
    headers = set()
    with serving(says("\\boxed{Pass}")) as server:
        who = endpoint(server)
        for seed in range(24):
            server.asked.clear()
            episode = match(who, derive(seed, "x"), f"run-{seed}")
            seen = [turn for turn in episode.turns if turn.seat == "player_0"]
            assert len(seen) == len(server.asked)
            for i, asked in enumerate(server.asked):
                del asked["seed"]
                bodies.setdefault(f"{i} {asked['messages'][-1]['content']}", set()).add(str(asked))
        for sent in server.headers:
            varying = {"content-length", "host", "idempotency-key"}
            headers.add(str(sorted((k, v) for k, v in sent.items() if k.lower() not in varying)))
    assert len(bodies) <= 6  # three cards, at the start and after Pass, Bet
    assert all(len(same) == 1 for same in bodies.values())
    assert len(headers) == 1


class Curious(Player):
    """Stores every number it receives."""

    name = "curious"

    def __init__(self) -> None:
        self.given: list[Any] = []

    def act(self, view):
        shown = {name: getattr(view, name) for name in ("seat_seed", "seed", "turn", "match", "seat", "role")}
        self.given.append(shown)
        return RandomPlayer().act(view)


def test_no_player_is_given_the_seed_of_the_match():
    """A seat's seed is one-way: it differs from the match's seed by nothing that is public."""
    curious = Curious()
    seed = 0x1234567890ABCDEF
    game = make(KUHN)
    play(
        game,
        MatchPlan("m", KUHN, seed, dict.fromkeys(game.spec.seats, "curious")),
        dict.fromkeys(game.spec.seats, curious),
    )
    (first, *_) = curious.given
    salt = derive(0x5DEECE66D, first["seat"], "curious")
    assert seed not in (first["seat_seed"], first["seed"], first["seat_seed"] ^ salt)
    others = [seat_seed(seed + bit, first["seat"], "curious") ^ first["seat_seed"] for bit in (1, 2, 4)]
    assert all(10 <= other.bit_count() <= 54 for other in others)  # every bit depends on every bit


def test_a_local_match_repeats_whatever_it_is_called():
    game = make(KUHN)
    seats = dict.fromkeys(game.spec.seats, "random")
    one, other = (
        play(game, MatchPlan(id, KUHN, 11, seats), dict.fromkeys(seats, RandomPlayer()))
        for id in ("run-1", "another-9")
    )
    assert [turn.action for turn in one.turns] == [turn.action for turn in other.turns]
    assert one.returns == other.returns


def test_a_player_of_several_parts_hands_the_secret_on():
    with serving(says("\\boxed{1}")) as server:
        parts = ByRole({"first": endpoint(server), "second": RandomPlayer()})
    parts.secret = b"s" * 32
    assert parts.outside
    assert parts.secret == b"s" * 32
    assert not ByRole({"first": RandomPlayer()}).outside


def test_a_seed_that_nobody_gave_is_drawn_where_somebody_outside_plays():
    with serving(says("\\boxed{1}")) as server:
        drawn = {seed_for([endpoint(server), RandomPlayer()]) for _ in range(2)}
    assert len(drawn) == 2
    assert min(drawn) > 1 << 40
    assert seed_for([RandomPlayer()]) == 0
