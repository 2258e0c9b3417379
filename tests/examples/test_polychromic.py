"""The plugin scripts/examples/polychromic.py: its advantages by hand, and that rare right answers earn more."""

import numpy as np
import pytest

from arena.learner import Credit
from arena.learner.advantages.base import ESTIMATORS


def test_a_pair_by_hand(module):
    """Different answers that earn 1 and 0: pairs 1/2, 1/2 | 1/2, 0, so the means are 1/2 and 1/4."""
    assert module.of_pairs(np.array([1.0, 0.0]), ["a", "b"]) == pytest.approx([0.125, -0.125])
    assert module.of_pairs(np.array([1.0, 1.0]), ["a", "a"]) == pytest.approx([0.0, 0.0])


def test_the_right_answer_that_few_give_earns_most_and_a_wrong_one_least(module):
    common, _, rare, wrong = module.of_pairs(np.array([1.0, 1.0, 1.0, 0.0]), ["a", "a", "b", "c"])
    assert rare > common > wrong


def test_groups_are_apart_and_the_estimator_is_known_by_its_name():
    rows = (("g", 1.0, "a"), ("h", 0.0, "a"), ("g", 0.0, "b"))
    credits = [
        Credit("x", "r", "", "s", "p", f"m{i}", group, reward, answer=answer)
        for i, (group, reward, answer) in enumerate(rows)
    ]
    assert list(ESTIMATORS.make("polychromic").advantages(credits)) == pytest.approx([0.125, 0.0, -0.125])
