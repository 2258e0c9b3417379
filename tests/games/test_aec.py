"""`to_aec` makes a valid PettingZoo environment from every text game."""

import contextlib
import io
import warnings

import pytest
from pettingzoo import AECEnv

from games import InputError, to_aec
from games.aec import AnyText
from games.conformance.pettingzoo_tests import official_tests
from tests.toys.correct_games import Cards, Haggle, Shells

TOYS = [Cards, Shells, Haggle]
# Warnings of api_test about all environments with text spaces or named seats.
TEXT_WARNINGS = "not a NumPy array|should be gymnasium.spaces|We recommend agents to be named"


@pytest.mark.parametrize("toy", TOYS)
def test_passes_pettingzoos_own_tests_without_another_warning(toy):
    tests = official_tests()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.filterwarnings("error")
        for text in TEXT_WARNINGS.split("|"):
            warnings.filterwarnings("ignore", message=f".*{text}")
        tests.api_test(to_aec(toy()), num_cycles=100)
        tests.seed_test(lambda: to_aec(toy()), num_cycles=100)
    assert isinstance(to_aec(toy()), AECEnv)


def play(env, choose=None):
    """Play to the end; return the last reward and info of each agent."""
    seen = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            seen[agent] = (reward, terminated, truncated, info)
            env.step(None)
        else:
            env.step(choose(agent, info) if choose else info["action_mask"][0])
    return seen


def test_rewards_are_the_games_returns():
    env = to_aec(Cards())
    env.reset(seed=5)
    end = play(env, lambda agent, info: "bet" if agent == "player_0" else "pass")
    assert {a: e[0] for a, e in end.items()} == {"player_0": 1.0, "player_1": -1.0}
    assert all(e[1:3] == (True, False) for e in end.values())
    assert env.agents == []


def test_simultaneous_choices_stay_hidden_until_all_are_made():
    env = to_aec(Shells())
    env.reset(seed=1)
    before = env.observe("player_1")
    assert env.agent_selection == "player_0"
    env.step("rock")
    assert env.agent_selection == "player_1"
    assert env.observe("player_1") == before
    assert "rock" not in str(env.infos["player_0"])
    env.step("paper")
    assert "rock against paper" in env.observe("player_0")


@pytest.mark.parametrize("wrong", ["player_0", "player_1"])
def test_illegal_text_forfeits_and_keeps_the_sum(wrong):
    env = to_aec(Shells())
    env.reset(seed=1)
    end = play(env, lambda agent, info: "lizard\u2028\x00é" if agent == wrong else "rock")
    assert end[wrong][0] == -9.0
    assert sum(e[0] for e in end.values()) == 0.0
    assert all(e[1:3] == (True, True) for e in end.values())
    assert "not rock" in end[wrong][3]["illegal"]
    assert ["illegal" in e[3] for a, e in end.items() if a != wrong] == [False]


def test_a_match_without_an_end_is_truncated_at_max_turns():
    class Endless(Haggle):
        def legal(self, seat):
            return None if seat in self.acting else ()

        def apply(self, actions):
            self.said.append(("seller", "again")) if len(self.said) < 3 else None

    env = to_aec(Endless())
    env.reset(seed=1)
    end = play(env, lambda agent, info: "hm")
    assert all(e[1:3] == (False, True) for e in end.values())


def test_reset_without_a_seed_follows_from_the_last_seed():
    def deals(env):
        env.reset(seed=3)
        texts = [env.observe("seller")]
        for _ in range(5):
            env.reset()
            texts.append(env.observe("seller"))
        return texts

    first, second = deals(to_aec(Haggle())), deals(to_aec(Haggle()))
    assert first == second
    assert len(set(first)) > 3
    unseeded = [to_aec(Haggle()) for _ in range(6)]
    for env in unseeded:
        env.reset()
    assert len({env.observe("seller") for env in unseeded}) > 1


def test_a_seed_means_the_same_match_as_in_the_game():
    game, env = Cards(), to_aec(Cards())
    for seed in range(10):
        game.reset(seed)
        env.reset(seed=seed)
        assert env.observe("player_1") == game.observe("player_1").text


def test_every_agent_is_observed_at_any_time_and_render_shows_all():
    env = to_aec(Cards())
    env.reset(seed=5)
    play(env)
    assert "player_0" in env.observe("player_1")
    assert env.observe("player_0") in env.render()
    assert env.metadata == {"name": "cards-v0", "is_parallelizable": False, "render_modes": ["ansi"]}


def test_wrong_use_is_one_clear_line():
    env = to_aec(Cards())
    with pytest.raises(InputError, match="call reset before step"):
        env.step("bet")
    env.reset(seed=1)
    with pytest.raises(InputError, match="the action of player_0 must be a str, got 3"):
        env.step(3)


def test_any_unicode_within_the_bound_belongs_to_the_space():
    space = AnyText(10)
    assert "" in space
    assert "é👍\x00\ud800\n" in space
    assert "x" * 11 not in space
    assert 3 not in space
    space.seed(1)
    assert {space.sample(("a", "b")) for _ in range(30)} == {"a", "b"}
    assert len(space.sample(())) == 12
