"""The OpenSpiel twin of an environment is the same game, move by move; the conformance kit compares the rest."""

import pytest

import games
from games import IllegalAction, RandomStream


@pytest.mark.parametrize("name", ["connect_four_v3", "tictactoe_v3"])
def test_a_move_chosen_in_the_twin_is_that_move(name):
    """Playing every OpenSpiel move by its text reaches OpenSpiel's position."""
    game = games.make(f"pettingzoo/{name}")
    for seed in range(20):
        stream = RandomStream(seed)
        game.reset(seed)
        while game.acting:
            state = game.openspiel_state()
            action = stream.choice(state.legal_actions())
            game.apply({game.acting[0]: game.from_openspiel(state.action_to_string(state.current_player(), action))})
            state.apply_action(action)
            assert str(state) == str(game.openspiel_state())
            marks = [c for c in game.spectate().split("\n\n")[0] if c in "xo." or c.isdigit()]
            assert len(marks) > 9


def test_the_callers_state_is_its_own():
    game = games.make("pettingzoo/connect_four_v3")
    game.reset(0)
    game.openspiel_state().apply_action(3)
    assert game.openspiel_state().move_number() == 0


def test_boards_agree():
    """The printed boards are equal cell by cell, apart from coordinates."""
    game = games.make("pettingzoo/connect_four_v3")
    for seed in range(20):
        stream = RandomStream(seed)
        game.reset(seed)
        while game.acting:
            game.apply({game.acting[0]: stream.choice(game.legal(game.acting[0]))})
        ours = "\n".join(game.observe("player_0").text.split("\n")[2:8]).replace(" ", "")
        assert ours == str(game.openspiel_state()).strip()


def test_no_twin_where_rules_differ():
    for name in ("chess_v6", "go_v5", "leduc_holdem_v4", "rps_v2(num_actions=5)"):
        game = games.make(f"pettingzoo/{name}")
        game.reset(0)
        assert game.openspiel_state() is None
        with pytest.raises(IllegalAction):
            game.from_openspiel("x3")


def test_an_unknown_text_of_the_twin_is_refused():
    game = games.make("pettingzoo/connect_four_v3")
    game.reset(0)
    with pytest.raises(IllegalAction, match="x9"):
        game.from_openspiel("x9")
