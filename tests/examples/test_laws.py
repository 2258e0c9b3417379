"""The plugin scripts/examples/laws.py: laws as texts, their exact fidelity, and what explorer and writer earn."""

from statistics import mean

import pytest

import arena
import games
from arena import players


def score(game, name, matches=12):
    player = players.make(f"policy(name='{name}')")
    return mean(arena.play(game, [player] * 2, seed=seed).returns["writer"] for seed in range(matches))


def test_every_law_is_read_as_it_is_written_and_predicts_itself(module):
    every = list(module.laws(4, True, True))
    assert len(every) == len(set(map(str, every))) == 3 * (4 + 4 * 3 * 4)
    assert [module.read_law(str(law)) for law in every] == every
    assert module.read_law("move on") is None
    assert all(module.fidelity(law, law, range(4), 4) == pytest.approx(1.0) for law in every)


def test_the_fidelity_is_one_less_the_distance_of_the_next_states(module):
    stays, moves = module.Law(0), module.Law(1)
    assert module.fidelity(stays, moves, range(4), 4) == 0.0
    assert module.fidelity(module.Law(1, 2, 0), moves, range(4), 4) == 0.75
    assert module.fidelity(module.Law(1, slip=1), moves, range(4), 4) == 0.75
    assert module.fidelity(module.Law(1, slip=1), stays, range(4), 4) == 0.25
    assert module.fidelity(None, moves, range(4), 4) == 0.0


def test_likely_laws_predict_worlds_and_guesses_do_not():
    assert score("laws(places=false,steps=2)", "competent") == 1.0
    assert score("laws(places=false,steps=2)", "one law") < 0.5
    assert 0.7 < score("laws(steps=12,size=3)", "competent") < 1.0  # some places are never reached
    assert score("laws(chance=true,places=false,steps=30)", "competent") > 0.9


def test_what_was_tried_does_not_count_as_unseen():
    game = games.make("laws(places=false)")
    game.reset(1)
    for action in ("x", "x", "y", "x"):
        game.apply({"explorer": action})
    truth = dict(game.facts() or {}).get("laws")
    assert truth is None  # told only at the end
    for _ in "xy":
        game.apply({"writer": "nothing"})
    assert dict(game.returns()) == {"explorer": 0.0, "writer": 0.0}
    assert game.facts()["laws"].keys() == {"x", "y"}
