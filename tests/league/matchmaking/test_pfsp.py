"""PFSP weights: the published formulas, and no league in which they fail."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import UnknownName
from league.matchmaking.pfsp_weights import KINDS, weights


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("variance", [0.0, 0.1875, 0.25, 0.1875, 0.0]),
        ("linear", [1.0, 0.75, 0.5, 0.25, 0.0]),
        ("linear-capped", [0.5, 0.5, 0.5, 0.25, 0.0]),
        ("squared", [1.0, 0.5625, 0.25, 0.0625, 0.0]),
        ("uniform", [1.0] * 5),
    ],
)
def test_published_formulas(kind, expected):
    assert weights([0.0, 0.25, 0.5, 0.75, 1.0], kind) == pytest.approx(np.array(expected) / sum(expected))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rates", [[1.0] * 4, [1.0], [0.0, 1.0, 1.0], [1.0 - 1e-17] * 3, [1.0 - 1e-6] * 3])
def test_who_beats_everyone_still_has_opponents(kind, rates):
    p = weights(rates, kind)
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1.0)
    np.random.default_rng(0).choice(len(rates), p=p)  # what broke in other leagues
    if rates[0] == rates[-1]:
        assert p == pytest.approx(np.full(len(rates), 1 / len(rates)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from(KINDS))
def test_always_a_distribution(rates, kind):
    p = weights(rates, kind)
    assert (p >= 0).all()
    assert p.sum() == pytest.approx(1.0)


def test_no_opponents_no_weights():
    assert weights([], "squared").shape == (0,)


@pytest.mark.parametrize("rates", [[0.5, float("nan")], [1.5], [-0.1], [[0.5]]])
def test_rates_that_are_none_are_refused(rates):
    with pytest.raises(ValueError, match="from 0 to 1"):
        weights(rates)


def test_unknown_kind_names_the_nearest():
    with pytest.raises(UnknownName, match="squared"):
        weights([0.5], "square")
