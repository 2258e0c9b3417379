"""Tests of the example plugin, as an author would write them; pytest finds the package beside this file."""

import pytest
from arena_example_plugin.king_of_the_hill import KingOfTheHill
from arena_example_plugin.nim21 import Nim21
from arena_example_plugin.taker import Taker
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import IllegalAction, InputError
from league.matchmaking import GameInfo, PairingContext, Result, SeatResult
from roles import Memory


@pytest.mark.parametrize("game", [Nim21(), Nim21(pile=30, most=4), Nim21(pile=1, most=1)])
def test_the_game_conforms(game):
    games.check(game).raise_if_failed()


def test_the_first_seat_wins_21_by_leaving_multiples_of_4():
    game = Nim21()
    while game.acting:
        (seat,) = game.acting
        best = game.left % 4 if seat == "player_0" else 0
        game.apply({seat: str(best or 1)})
    assert game.returns() == {"player_0": 1.0, "player_1": -1.0}


@settings(deadline=None)
@given(st.text(max_size=5))
def test_any_text_is_legal_or_refused_without_effect(text):
    game = Nim21(pile=2, most=2)
    if text in game.legal("player_0"):
        return
    before = game.observe("player_0")
    with pytest.raises(IllegalAction):
        game.apply({"player_0": text})
    assert game.observe("player_0") == before


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("pile=0", "pile must be a whole number from 1 to 1000"),
        ("most=0", "most must be a whole number from 1 to 1000"),
        ("pile=many", "pile must be a whole number from 1 to 1000"),
        ("pile=3, most=4", "most must not exceed pile; write nim21"),
    ],
)
def test_impossible_piles_are_refused(params, said):
    games.register("nim21-v0")(Nim21)
    with pytest.raises(InputError, match=said):
        games.make(f"nim21-v0({params})")


def test_the_role_gives_its_hint_once_and_for_all_turns():
    game, role = Nim21(), Taker()
    memory = Memory(game.spec, "player_0")
    first = role.messages(game.observe("player_0"), game.legal("player_0"), memory)
    game.apply({"player_0": "1"})
    later = role.messages(game.observe("player_0"), game.legal("player_0"), memory)
    assert first[0] == later[0]
    assert "multiple of one more" in first[0]["content"]
    plain = Taker(hint=False).messages(game.observe("player_0"), (), memory)
    assert "multiple of one more" not in plain[0]["content"]
    assert role.parse("I leave 16.\n\\boxed{1}", ("1", "2", "3")) == "1"


def _played(round, table, winner):
    """The results of a pairing, both seat orders, in which `winner` wins (None: a draw)."""
    for index, players in enumerate([table, table[::-1]]):
        scores = {name: 0.0 if winner is None else 1.0 if name == winner else -1.0 for name in players}
        seats = tuple(SeatResult(f"player_{i}", "taker", n, scores[n]) for i, n in enumerate(players))
        yield Result(
            2 * round + index, round, f"p{round}", f"m{round}{index}", "nim21-v0", 1, "finished", "", seats, 0.1
        )


def test_the_winner_stays_and_the_loser_queues():
    field = PairingContext(
        dict.fromkeys("abcd"), {"nim21-v0": GameInfo("zero_sum", ("player_0", "player_1"))}, rounds=5
    )
    maker, log, tables = KingOfTheHill(), [], []
    for round, winner in enumerate(["b", "b", None, "a", "a"]):
        ((_, table),) = [(p.game, p.players) for p in maker.next(field, round, log)]
        tables.append("".join(table))
        log[:0] = _played(round, table, winner)  # the newest first: the order of the log must not matter
    assert tables == ["ab", "bc", "bd", "ba", "ac"]
    assert maker.next(field, 5, log) is None
    assert maker.total(field) == len(log) == 10
