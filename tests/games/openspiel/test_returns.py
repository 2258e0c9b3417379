"""Returns equal OpenSpiel's: every match is replayed in a pyspiel state."""

import pyspiel
import pytest

import games
from games.openspiel.adapter import _CHANCE_SALT
from games.randomness import RandomStream
from tests import golden

GAMES = golden.rows(__file__, "returns_games")


def replayed(name, played, history):
    """The returns of a bare state given our actions and the chance outcomes of `history`."""
    state = pyspiel.load_game(name).new_initial_state()
    chance = [h for h in history if h.player == pyspiel.PlayerId.CHANCE]
    chance.reverse()
    for actions in played:
        while state.is_chance_node():
            state.apply_action(chance.pop().action)
        numbers = [0] * state.num_players()
        for seat, text in actions.items():
            player = int(seat[-1])
            numbers[player] = next(a for a in state.legal_actions(player) if state.action_to_string(player, a) == text)
        if state.is_simultaneous_node():
            state.apply_actions(numbers)
        else:
            state.apply_action(numbers[state.current_player()])
    while state.is_chance_node():
        state.apply_action(chance.pop().action)
    assert state.is_terminal()
    assert not chance
    return state.returns()


@pytest.mark.parametrize("name", GAMES)
def test_returns_are_openspiels_over_many_matches(name):
    game = games.make(f"openspiel/{name}")
    rng = RandomStream(3)
    for seed in range(200):
        game.reset(seed)
        played = []
        while game.acting:
            played.append({s: rng.choice(game.legal(s)) for s in game.acting})
            game.apply(played[-1])
        assert list(game.returns().values()) == replayed(name, played, game.openspiel_state().full_history())


def test_chance_has_the_engines_probabilities():
    game = games.make("openspiel/kuhn_poker")
    deals = {}
    for seed in range(1200):
        game.reset(seed)
        texts = tuple(game.observe(s).text.split(".")[0] for s in game.spec.seats)
        deals[texts] = deals.get(texts, 0) + 1
    assert len(deals) == 6
    expected = 200
    assert sum((n - expected) ** 2 / expected for n in deals.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


@pytest.mark.parametrize(("name", "deals"), [("kuhn_poker", 6), ("leduc_poker", 30), ("kuhn_poker(players=4)", 120)])
def test_a_deal_is_every_chance_event_drawn_from_one_number(name, deals):
    """What is left of 64 bits after one event decides the next; `SharedGame.deals` only lists the results."""
    game = games.make(f"openspiel/{name}")
    shared = game._shared
    assert len(set(map(id, shared.deals))) == deals
    for seed in range(300):
        game.reset(seed)
        bits, state = RandomStream(seed ^ _CHANCE_SALT).bits(), shared.game.new_initial_state()
        while state.is_chance_node():
            numbers = [number for number, _ in state.chance_outcomes()]
            index, bits = divmod(bits * len(numbers), 1 << 64)
            state.apply_action(numbers[index])
        assert str(game.openspiel_state()) == str(state)


def test_unequal_chance_is_drawn_with_its_weights():
    game = games.make("openspiel/social_deduction(players=3,observation_noise=0.25)")
    suspicious = total = 0
    for seed in range(1000):
        game.reset(seed)
        texts = {s: game.observe(s).text for s in game.spec.seats}
        imposter = next(s[-1] for s, text in texts.items() if "Role: Imposter" in text)
        signal = next(line for line in texts["player_0"].split("\n") if line.startswith("Signal"))
        if signal.startswith(f"Signal: player {imposter}"):
            total += 1
            suspicious += signal.endswith("suspicious")
    assert abs(total / 1000 - 1 / 3) < 4 * (2 / 9 / 1000) ** 0.5
    assert abs(suspicious / total - 0.75) < 4 * (0.1875 / total) ** 0.5
