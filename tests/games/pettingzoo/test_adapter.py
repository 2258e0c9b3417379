"""The adapter with test environments: parallel play, agents that leave, masks, other action spaces."""

import contextlib
import io
import json
import warnings

import numpy as np
import pytest

import games
from games import IllegalAction, InfrastructureError, RandomStream
from games.pettingzoo.adapter import env_seed
from tests.games.pettingzoo import envs
from tests.games.pettingzoo.official import api_test, parallel_api_test

HERE = "tests.games.pettingzoo.envs"


def made(name):
    return games.make(f"pettingzoo/{HERE}:{name}")


def test_our_environments_are_proper_ones():
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        api_test(envs.Countdown(), num_cycles=100)
        parallel_api_test(envs.Matching(), num_cycles=20)


@pytest.mark.parametrize("name", ["countdown", "Spaces"])
def test_the_conformance_kit_finds_nothing(name):
    games.check(f"pettingzoo/{HERE}:{name}", episodes=8).raise_if_failed()


def test_a_parallel_environment_is_played_at_once():
    game = made("Matching")
    game.reset(4)
    assert game.acting == ("left", "right", "short")
    assert game.legal("left") == ("-1", "0", "1")
    hidden = [dict(game.env.hidden)]
    game.apply({"short": "0", "left": "-1", "right": "1"})
    hidden.append(dict(game.env.hidden))
    game.apply({"left": "0", "right": "0", "short": "0"})
    assert game.acting == ("left", "right")
    assert game.legal("short") == ()
    assert game.legal("left") == ("-1", "0")  # the mask of the info after round 2
    said = [{"left": -1, "right": 1, "short": 0}, dict.fromkeys(("left", "right", "short"), 0)]
    expected = {s: sum(1.0 if t[s] == h[s] else -0.5 for t, h in zip(said, hidden, strict=True)) for s in said[0]}
    assert game.returns() == expected
    with pytest.raises(IllegalAction) as refused:
        game.apply({"left": "0", "right": "1"})
    assert refused.value.seat == "right"
    assert game.returns() == expected
    with pytest.raises(IllegalAction):
        game.apply({"left": "0", "right": "0", "short": "0"})
    for _ in range(3):
        assert game.acting == ("left", "right")
        game.apply({"left": "0", "right": "0"})
    assert game.acting == ()
    for seat in game.spec.seats:
        assert game.observe(seat).text.startswith(f"You are {seat}. The match is over.")


@pytest.mark.parametrize("name", ["Matching", "matching_as_aec"])
def test_parallel_matches_equal_the_environment(name):
    game = made(name)
    for seed in range(20):
        game.reset(seed)
        env, stream = envs.Matching(), RandomStream(seed)
        observations, _ = env.reset(seed=env_seed(seed))
        total = dict.fromkeys(env.possible_agents, 0.0)
        while game.acting:
            assert list(game.acting) == env.agents
            for seat in env.agents:
                assert str(observations[seat][1]) in game.observe(seat).text
            actions = {seat: stream.choice(game.legal(seat)) for seat in game.acting}
            game.apply(actions)
            observations, rewards, *_ = env.step({seat: int(text) for seat, text in actions.items()})
            for seat, reward in rewards.items():
                total[seat] += reward
        assert env.agents == []
        assert game.returns() == total


@pytest.mark.parametrize(
    "name", ["Countdown", "countdown", "Countdown(in_info=true)", "countdown(heap=3,in_info=true)"]
)
def test_agents_that_leave(name):
    """Finished agents are stepped with None, keep their last observation, and their rewards are counted once."""
    game = made(name)
    for seed in range(50):
        game.reset(seed)
        stream, turns, left = RandomStream(seed), 0, set()
        while game.acting:
            (seat,) = game.acting
            assert seat not in left
            for other in game.spec.seats:
                text = game.observe(other).text
                assert text.startswith(f"You are {other}.")
                assert "action_mask" not in text
            before = game.spectate()
            heap = game.env._left
            assert game.legal(seat) == tuple(str(n) for n in range(min(3, heap)))
            if heap < 3:
                with pytest.raises(IllegalAction):
                    game.apply({seat: "2"})
                assert game.spectate() == before
            game.apply({seat: stream.choice(game.legal(seat))})
            left = {s for s in game.spec.seats if s not in game.env.agents}
            turns += 1
        assert sorted(game.returns().values()) == [-1.0, -1.0, 2.0]
        assert turns == len(game.played)
        assert all(f"You are {seat}" in game.spectate() for seat in game.spec.seats)


def test_a_module_factory_takes_its_parameters():
    game = made("countdown(heap=30)")
    game.reset(0)
    assert 30 <= game.env._left < 33
    assert game.spec.rules.startswith("The environment countdown_v0 for a, b, c.\nThree players in turn take 1 to 3")
    assert game.spec.rules.endswith("An action is a whole number from 0 to 2.")


def test_a_failing_environment_is_a_failure_of_the_match_not_of_the_seat():
    game = made("Broken")
    game.reset(0)
    with pytest.raises(InfrastructureError, match="lost my dice"):
        game.apply({"a": "0"})
    with pytest.raises(InfrastructureError, match="failed at reset: lost my board"):
        made("Broken(at=reset)").reset(0)


def test_a_butterfly_environment():
    """Four seats at once with real-valued observations; the second match of a seed equals the first."""
    game = games.make("pettingzoo/knights_archers_zombies(max_cycles=8)")
    assert game.spec.id == "pettingzoo/butterfly/knights_archers_zombies_v11(max_cycles=8)"
    transcripts = []
    for _ in range(2):
        game.reset(1)
        transcripts.append([game.spectate()])
        while game.acting:
            game.apply({seat: str(i) for i, seat in enumerate(game.acting)})
            transcripts[-1].append(game.spectate())
        transcripts[-1].append(str(game.returns()))
    assert transcripts[0] == transcripts[1]
    assert len(set(transcripts[0])) == 10
    assert "shape (27, 5)" in transcripts[0][0]
    assert " -0. " not in transcripts[0][0]


VALID = {
    "box": ["[0.5, -1]", "[0, 0]", " [1, 1.0] "],
    "bytes": ["[[0, 255], [3, 4]]"],
    "many": ["[2, 1]", "[0,0]"],
    "bits": ["[0, 1, 1]"],
    "text": ["abc", "aaaaa"],
    "both": ['[2, "abc"]'],
    "named": ['{"go": 1, "to": 2.5}', '{"to": 0, "go": 0}'],
    "huge": ["0", "999999"],
}
INVALID = {
    "box": ["[0.5]", "[2, 0]", "[NaN, 0]", "[Infinity, 0]", "[1e999, 0]", "[[0], 1]", '["0", "0"]', "[true, 0]", "0.5"],
    "bytes": [
        "[[0, 256], [3, 4]]",
        "[[0, -1], [3, 4]]",
        "[[0.5, 1], [3, 4]]",
        "[0, 255, 3, 4]",
        f"[[{10**30}, 0], [0, 0]]",
    ],
    "many": ["[3, 0]", "[-1, 0]", "[1.0, 0]", "[0, 0, 0]"],
    "bits": ["[0, 1, 2]", "[true, false, true]", "[]"],
    "text": ["", "abcabc", "abd", "[a]"],
    "both": ["[2]", '[3, "abc"]', "[2, 3]", '[2, "abcd"]', "2"],
    "named": ["{}", '{"go": 1}', '{"go": 1, "to": 11}', '{"go": 1, "to": 1, "x": 0}', "[1, 2]"],
    "huge": ["1000000", "-1", "1.0", "one", "true", "1_000"],
}
HOSTILE = ["[" * 100_000, "9" * 5000, "x" * 100_001, "null", "\x00", "{", "[1, 2", '"abc"']


@pytest.mark.parametrize("seat", envs.Spaces.forms)
def test_actions_of_other_spaces_are_json(seat):
    game = made(f"Spaces(only={seat})")
    game.reset(0)
    assert game.legal(seat) is None
    assert game.examples(seat) == made(f"Spaces(only={seat})").interface.samples(seat)
    assert len(game.examples(seat)) > 1
    for text in INVALID[seat] + HOSTILE:
        with pytest.raises(IllegalAction) as refused:
            game.apply({seat: text})
        assert refused.value.seat == seat
        assert len(str(refused.value)) < 600
        assert game.acting == (seat,)
    for text in VALID[seat] + list(game.examples(seat)):
        game.reset(0)
        game.apply({seat: text})
        assert game.returns() == {seat: 1.0}
        assert game.acting == ()


def test_what_is_written_is_what_is_read():
    game = made("Spaces")
    game.reset(0)
    for actions in ({s: VALID[s][0] for s in VALID}, {s: game.examples(s)[1] for s in VALID}):
        game.reset(0)
        game.apply(actions)
        for seat, text in actions.items():
            chosen = game.env.last[seat]
            if seat == "text":
                assert chosen == text
            elif seat == "named":
                assert {k: float(v) for k, v in chosen.items()} == {k: float(v) for k, v in json.loads(text).items()}
            elif seat == "both":
                assert list(chosen) == json.loads(text)
            else:
                assert np.asarray(chosen) == pytest.approx(np.asarray(json.loads(text)), abs=1e-6)


def test_the_rules_tell_the_form_of_each_seat():
    rules = made("Spaces").spec.rules
    assert "An action of box is a JSON list of numbers of shape (2,), from -1 to 1." in rules
    assert "An action of many is a JSON list of whole numbers from [0, 0] to [2, 1]." in rules
    assert 'An action of named is a JSON object with "go": a whole number from 0 to 1; "to": ' in rules
