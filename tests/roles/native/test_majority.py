"""Majority and novelty as a reward without labels."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import games
import roles
from games import InputError
from league.config.training import load_training
from roles.native.majority import majority, majority_novelty, votes

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"


def test_equal_numbers_and_texts_are_one_vote():
    assert votes(["7", "7.0", " 7.", "Paris", "paris!", None]) == ["7", "7", "7", "paris", "paris", None]
    assert votes(["0"]) != votes(["no"])
    assert majority(["a", "b", "b", None, None, None]) == "b"
    assert majority([None]) is None


def test_the_majority_is_above_the_minority_and_novelty_orders_both():
    """Texts without a common word have similarity 0, equal ones 1.

    Majority of 7: two equal texts (mean similarity 1/2, largest 1: novelty 1 - .25 - .5 = .25) and a different one
    (novelty 1), scaled to 0, 0, 1. The minority of one is at 1/2. The unreadable one gets -1.
    """
    texts = ["same words in this text", "same words in this text", "another way altogether now", "wrong", "?"]
    paid = majority_novelty(["7", "7", "7", "8", None], texts)
    assert paid == pytest.approx([0.5, 0.5, 1.0, -0.75, -1.0])
    assert majority_novelty(["7", "7", "7", "8", None], texts, novelty=False) == [1.0, 1.0, 1.0, -1.0, -1.0]


def test_equal_texts_are_in_the_middle():
    assert majority_novelty(["1", "1"], ["a b c d", "a b c d"]) == [0.75, 0.75]
    assert majority_novelty([], []) == []


def test_alpha_weighs_the_mean_against_the_largest_similarity():
    texts = ["a b c d e", "a b c d e", "v w x y z", "a b c d e"]
    mean = majority_novelty(["1", "1", "1", "2"], texts, alpha=1.0)
    assert mean[2] == 1.0
    assert mean[0] == mean[1] == 0.5


def test_the_role_pays_the_vote_and_not_the_truth():
    turns = [SimpleNamespace(seat=f"solver_{i}", action=f"text number {i}") for i in range(3)]
    episode = SimpleNamespace(
        match="m",
        game="solve-v1(solvers=3)",
        roles={f"solver_{i}": "solver" for i in range(3)},
        returns={f"solver_{i}": 0.0 for i in range(3)},
        facts={"answers": {"solver_0": "5", "solver_1": "5", "solver_2": "6"}, "right": {"solver_2": True}},
        turns=turns,
    )
    (paid,) = roles.make("majority-solver(novelty=false)").credit_batch([episode])
    assert paid == {"solver_0": 1.0, "solver_1": 1.0, "solver_2": -1.0}
    (shaped,) = roles.make("majority-solver").credit_batch([episode])
    assert min(shaped["solver_0"], shaped["solver_1"]) >= 0.5 > -0.5 >= shaped["solver_2"]
    forfeit = SimpleNamespace(**{**vars(episode), "facts": {}})
    assert roles.make("majority-solver").credit_batch([forfeit]) == [{}]
    with pytest.raises(InputError, match="alpha"):
        roles.make("majority-solver(alpha=2.0)")


@pytest.mark.parametrize("name", ["judge", "majority"])
def test_the_training_files_are_valid(name):
    training = load_training(SCRIPTS / f"{name}_train.toml")
    for game in training.games:
        assert games.make(game.id).spec.id == game.id
    for id in training.roles.values():
        roles.make(id)
