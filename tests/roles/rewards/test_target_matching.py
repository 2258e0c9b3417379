"""STP's matching of conjectures with unproved targets, on worked examples and against scipy's assignment."""

import random

import pytest
from scipy.optimize import linear_sum_assignment

from roles.rewards.target_matching import likeness, matched

# Four targets, all more similar to the first conjecture, by decreasing margins.
CASE = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]]


@pytest.mark.parametrize(
    ("most", "weights"),
    [
        (4.0, [2.0, 0.0]),  # the bound is 4 * 4 / 2 = 8: the first takes all four, 4 * 2 / 4, and the second is dropped
        (1.5, [1.5, 0.5]),  # it takes 3 at most, and the target that loses least by it goes to the second
        (1.25, [1.25, 0.75]),  # 2.5 at most: that target, and half of the next
        (1.0, [1.0, 1.0]),
    ],
)
def test_the_worked_case(most, weights):
    assert matched(CASE, most) == weights


def test_one_conjecture_stands_for_everything_and_one_target_is_shared_out():
    assert matched([[0.1], [0.0]]) == [1.0]
    assert matched([[0.1, 0.9, 0.5]], most=1.5) == [0.0, 1.5, 1.5]  # a half each, and nothing for the third


@pytest.mark.parametrize("seed", range(5))
def test_the_best_assignment_is_found(seed):
    """With integer bounds the result is an assignment of targets to copies of the conjectures."""
    rng = random.Random(seed)
    n, m, most = 12, 6, 2
    table = [[rng.random() for _ in range(m)] for _ in range(n)]
    copies = [[-row[j // (most * n // m)] for j in range(m * most * n // m)] for row in table]
    _, columns = linear_sum_assignment(copies)
    taken = [sum(int(c) // (most * n // m) == j for c in columns) for j in range(m)]
    assert matched(table, most) == pytest.approx([t * m / n for t in taken])


def test_a_bound_below_the_even_share_is_refused():
    with pytest.raises(ValueError, match="1 or more"):
        matched(CASE, 0.5)


def test_likeness():
    assert likeness("p -> q", "p -> q") == pytest.approx(1.0)
    assert likeness("p -> q", "r") == 0.0
    assert likeness("", "p") == 0.0
    # words p -> q and pairs (p ->), (-> q) against p -> r: two words and one pair of five are shared
    assert likeness("p -> q", "p -> r") == pytest.approx(3 / 5)
    assert likeness("(p -> q) -> r", "((p -> q) -> r)") > 0.9
