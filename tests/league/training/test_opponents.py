"""Prioritised fictitious self-play."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.randomness import Stream
from league.training.opponents import Record, draw, weights

RATES = st.lists(
    st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=30
)
WEIGHTINGS = st.sampled_from(["variance", "linear", "squared", "uniform"])


@given(RATES, WEIGHTINGS, st.integers(0, 2**63))
def test_weights_are_a_distribution_whatever_the_rates(rates, weighting, seed):
    found = weights(rates, weighting)
    assert len(found) == len(rates)
    assert all(math.isfinite(w) and w >= 0 for w in found)
    assert math.fsum(found) == pytest.approx(1)
    assert draw([str(i) for i in range(len(rates))], rates, weighting, Stream(seed)).isdigit()


def test_weights_have_the_published_form():
    rates = [0.9, 0.5, 0.2]
    assert weights(rates, "variance") == pytest.approx([0.09 / 0.5, 0.25 / 0.5, 0.16 / 0.5])
    assert weights(rates, "linear") == pytest.approx([0.1 / 1.4, 0.5 / 1.4, 0.8 / 1.4])
    assert weights(rates, "squared") == pytest.approx([0.01 / 0.9, 0.25 / 0.9, 0.64 / 0.9])
    assert weights(rates, "uniform") == pytest.approx([1 / 3] * 3)


def test_where_all_weights_vanish_the_choice_is_uniform():
    assert weights([1.0, 1.0], "linear") == [0.5, 0.5]
    assert weights([1.0, 0.0], "variance") == [0.5, 0.5]
    assert weights([], "variance") == []


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=300))
def test_a_record_is_a_rate_strictly_between_0_and_1(results):
    record = Record(decay=0.9)
    assert record.rate == 0.5
    for result in results:
        record.add(result)
        assert 0 < record.rate < 1
    assert record.seen == len(results)
    assert Record.of(record.state(), 0.9).rate == record.rate


def test_a_record_forgets():
    record = Record(decay=0.9)
    for _ in range(100):
        record.add(0.0)
    for _ in range(100):
        record.add(1.0)
    assert record.rate > 0.9
