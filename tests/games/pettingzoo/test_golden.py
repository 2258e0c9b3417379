"""The exact text of observations."""

import pytest

import games
from tests import golden

GOLDEN = golden.table(__file__, "transcripts")


@pytest.mark.parametrize("name", GOLDEN)
def test_observation(name):
    moves, seat, text = GOLDEN[name]
    game = games.make(f"pettingzoo/{name}")
    game.reset(3)
    for move in moves.split():
        game.apply({game.acting[0]: move})
    assert game.observe(seat).text == text


def test_rounds_of_rock_paper_scissors():
    game = games.make("pettingzoo/rps_v2(max_cycles=3)")
    game.reset(0)
    game.apply({"player_0": "rock", "player_1": "paper"})
    game.apply({"player_0": "rock", "player_1": "scissors"})
    assert game.observe("player_0").text == (
        "You are player_0.\n"
        "Round 1: you rock, opponent paper.\n"
        "Round 2: you rock, opponent scissors.\n"
        "Your score is +0.\n"
        "Round 3 of 3. It is your turn; all seats act at once."
    )
    assert game.legal("player_1") == ("rock", "paper", "scissors")


def test_moves_in_order():
    def legal(name, *moves):
        game = games.make(f"pettingzoo/{name}")
        game.reset(3)
        for move in moves:
            game.apply({game.acting[0]: move})
        return game.legal(game.acting[0])

    assert legal("connect_four_v3", *"444444") == ("1", "2", "3", "5", "6", "7")
    assert legal("tictactoe_v3", "5") == tuple("12346789")
    assert legal("leduc_holdem_v4") == ("call", "raise", "fold")
    assert legal("texas_holdem_no_limit_v6") == ("fold", "call", "pot", "all-in")
    assert legal("go_v5(board_size=2)") == ("A2", "B2", "A1", "B1", "pass")
