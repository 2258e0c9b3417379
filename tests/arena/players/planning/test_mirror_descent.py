"""Mirror descent at the moment of the decision, against exact values."""

import asyncio

import pytest

import games
from arena import View, players
from arena.evaluation import evaluate, read_table, tabulate
from arena.players.planning.values import action_values, mirror_step
from games import InputError
from games.openspiel.tree import openspiel_game


def exploitability(id, player):
    game = games.make(id)
    table = asyncio.run(read_table(player, tabulate(game)))
    assert table is not None
    return evaluate(game, table).exploitability


@pytest.mark.parametrize(
    ("prior", "improved"), [({0: 0.5, 1: 0.5}, (0.6608, 0.3392)), ({0: 0.9, 1: 0.1}, (0.8939, 0.1061))]
)
def test_a_step_has_the_published_form(prior, improved):
    found = mirror_step(prior, {0: 1.0, 1: 0.0}, eta=1.0, alpha=0.5)
    assert (found[0], found[1]) == pytest.approx(improved, abs=5e-5)
    assert mirror_step({0: 1.0, 1: 0.0}, {0: -9.0, 1: 9.0}, eta=1000.0) == {0: 1.0, 1: 0.0}


def test_action_values_agree_with_the_value_of_the_policy():
    """The value of the root is the mean of its action values; here over player 0's three cards, each a third."""
    game = games.make("openspiel/kuhn_poker")
    table = asyncio.run(read_table(players.make("random"), tabulate(game)))
    assert table is not None
    values = action_values(openspiel_game(game), table)
    root = sum(p * values[key][a] / 3 for key in ("0", "1", "2") for a, p in table[key].items())
    assert root == pytest.approx(evaluate(game, table).values["player_0"])
    assert values["0pb"] == pytest.approx({0: -1.0, 1: -2.0})  # a jack after pass and bet: fold loses 1, call loses 2
    assert values["2pb"] == pytest.approx({0: -1.0, 1: 2.0})


@pytest.mark.parametrize(
    ("id", "eta", "most"),
    [("openspiel/kuhn_poker", 0.5, 0.23), ("openspiel/leduc_poker", 0.1, 1.8), ("openspiel/tic_tac_toe", 5, 0.63)],
)
def test_one_step_lowers_exploitability(id, eta, most):
    before = exploitability(id, players.make("random"))
    assert exploitability(id, players.make(f"mirror-descent(player=random, eta={eta})")) < most < before


def test_steps_nest():
    id = "random"
    for _ in range(10):
        id = f"mirror-descent(player={id},eta=0.5,alpha=0.05)"
    assert exploitability("openspiel/kuhn_poker", players.make(id)) < 0.13


@pytest.mark.parametrize("id", ["mirror-descent", "lookahead(width=3, rollouts=5)"])
def test_the_true_hidden_state_is_never_used(id):
    """Two positions that the seat cannot tell apart give the same decision."""
    import pyspiel

    decisions = []
    for other in (0, 2):
        state = pyspiel.load_game("kuhn_poker").new_initial_state()
        for action in (1, other):
            state.apply_action(action)
        board = games.make("openspiel/kuhn_poker")
        board.place(state)  # type: ignore[attr-defined]
        view = View(board, "player_0", "player", board.legal("player_0"), 11, 0)
        player = players.make(id)
        decisions.append([player.act(View(board, "player_0", "player", view.legal, n, 0)).action for n in range(12)])
    assert decisions[0] == decisions[1]


def test_what_it_cannot_improve_is_told():
    player = players.make("mirror-descent(player=mcts(simulations=2))")
    game = games.make("openspiel/kuhn_poker")
    game.reset(0)
    with pytest.raises(InputError, match="does not know its probabilities"):
        player.act(View(game, "player_0", "player", game.legal("player_0"), 1, 0))
    assert "not a game of OpenSpiel" in str(players.make("mirror-descent").supports(games.make("bargain-v1")))
    with pytest.raises(InputError, match="eta must be a number > 0"):
        players.make("mirror-descent(eta=0)")
