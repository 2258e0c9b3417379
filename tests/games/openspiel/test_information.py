"""An observation contains exactly one information state of OpenSpiel."""

import random

import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import expected_game_score, exploitability

import games
from games.randomness import RandomStream
from tests import golden


def states(state):
    """`state` and every state below it, except chance nodes."""
    if not state.is_chance_node():
        yield state
    if state.is_terminal():
        return
    if state.is_simultaneous_node():
        for a in state.legal_actions(0):
            for b in state.legal_actions(1):
                after = state.clone()
                after.apply_actions([a, b])
                yield from states(after)
        return
    for action in state.legal_actions():
        yield from states(state.child(action))


SMALL = golden.rows(__file__, "information_small")


@pytest.mark.parametrize("name", SMALL)
def test_texts_and_information_states_are_one_to_one(name):
    game = games.make(f"openspiel/{name}")
    root = game._shared.game.new_initial_state()  # the same game, parameters included
    to_text, to_info = {}, {}
    for state in states(root):
        game.place(state)
        for player, seat in enumerate(game.spec.seats):
            info = (player, state.information_state_string(player))
            text = (player, game.observe(seat).text)
            assert to_text.setdefault(info, text) == text
            assert to_info.setdefault(text, info) == info
    assert len(to_text) == len(to_info) > 8


def kuhn_equilibrium(text):
    """Probability of Bet for a text of ours, in the equilibrium with alpha = 1/5 (Kuhn 1950)."""
    card = text.split(":")[1].split(".")[0].strip()
    so_far = text.partition("Actions so far: ")[2].partition(".")[0]
    alpha = 1 / 5
    return {
        "none": {"Jack": alpha, "Queen": 0.0, "King": 3 * alpha},
        "you passed, player_1 bet": {"Jack": 0.0, "Queen": alpha + 1 / 3, "King": 1.0},
        "player_0 passed": {"Jack": 1 / 3, "Queen": 0.0, "King": 1.0},
        "player_0 bet": {"Jack": 0.0, "Queen": 1 / 3, "King": 1.0},
    }[so_far][card]


def test_kuhn_is_worth_minus_one_eighteenth_through_our_texts():
    bare = pyspiel.load_game("kuhn_poker")
    game = games.make("openspiel/kuhn_poker")

    def act(state):
        game.place(state)
        (seat,) = game.acting
        bet = kuhn_equilibrium(game.observe(seat).text)
        probability = {"Pass": 1 - bet, "Bet": bet}
        return {a: probability[text] for a, text in zip(state.legal_actions(), game.legal(seat), strict=True)}

    table = policies.tabular_policy_from_callable(bare, act)
    value = expected_game_score.policy_value(bare.new_initial_state(), [table, table])
    assert value[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert value[1] == pytest.approx(1 / 18, abs=1e-12)
    assert exploitability.nash_conv(bare, table) == pytest.approx(0, abs=1e-12)


def test_kuhn_value_by_playing_matches_of_the_adapter():
    """Every deal and every pair of choices, weighted by the equilibrium, played by `apply` alone."""
    game = games.make("openspiel/kuhn_poker")

    def value(path, seed):
        game.reset(seed)
        for text in path:
            game.apply({game.acting[0]: text})
        if not game.acting:
            return game.returns()["player_0"]
        bet = kuhn_equilibrium(game.observe(game.acting[0]).text)
        return bet * value([*path, "Bet"], seed) + (1 - bet) * value([*path, "Pass"], seed)

    deals = {}
    for seed in range(200):
        game.reset(seed)
        deals.setdefault(tuple(game.observe(s).text[:16] for s in game.spec.seats), seed)
    assert len(deals) == 6
    assert sum(value([], seed) for seed in deals.values()) / 6 == pytest.approx(-1 / 18, abs=1e-12)


RESAMPLED = golden.rows(__file__, "information_resampled")


def read(game, shared, state, player):
    """The text of a player at a state; for games with a journal, the newest entry."""
    if shared.source == "log":
        return shared.raw(state, player)
    game.place(state)
    return game.observe(f"player_{player}").text


@pytest.mark.parametrize("name", RESAMPLED)
def test_twins_that_differ_only_in_what_is_hidden_read_the_same(name):
    game = games.make(f"openspiel/{name}")
    shared = game._shared
    rng, twins = RandomStream(1), 0
    sampler = random.Random(4)
    for seed in range(40):
        state = shared.game.new_initial_state()
        while not state.is_terminal() and twins < 150:
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[rng.below(len(state.chance_outcomes()))][0])
                continue
            player = state.current_player()
            twin = state.resample_from_infostate(player, sampler.random)
            assert read(game, shared, twin, player) == read(game, shared, state, player), seed
            twins += 1
            state.apply_action(rng.choice(state.legal_actions()))
    assert twins >= 30


def test_go_fish_does_not_tell_what_the_other_drew():
    """OpenSpiel's string reveals it ("0 asked -3 for 7"); the observation must not."""
    game = games.make("openspiel/go_fish")
    leaks = draws = 0
    for seed in range(10):
        game.reset(seed)
        while game.acting:
            for seat in game.spec.seats:
                raw = game.openspiel_state().information_state_string(int(seat[-1]))
                leaks += "asked -3" in raw
                text = game.observe(seat).text
                assert "-3" not in text
                draws += "drew a card" in text
            game.apply({s: game.legal(s)[seed % len(game.legal(s))] for s in game.acting})
    assert leaks > 0
    assert draws > 0


def test_cribbage_does_not_tell_what_the_other_laid_away():
    game = games.make("openspiel/cribbage")
    game.reset(1)
    laid = {}
    for _ in range(2):
        (seat,) = game.acting
        laid[seat] = game.legal(seat)[0]
        game.apply({seat: laid[seat]})
    for seat, action in laid.items():
        other = next(s for s in game.spec.seats if s != seat)
        assert action in game.observe(seat).text
        assert action not in game.observe(other).text


def test_a_journal_recalls_own_actions_and_forgets_at_reset():
    game = games.make("openspiel/hanabi")
    game.reset(1)
    start = game.observe("player_0").text
    action = game.legal("player_0")[0]
    game.apply({"player_0": action})
    assert f"you played {action}" in game.observe("player_0").text
    assert f"you played {action}" not in game.observe("player_1").text
    game.reset(1)
    assert game.observe("player_0").text == start
