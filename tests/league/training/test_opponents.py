"""Prioritised fictitious self-play."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.randomness import Stream
from league.matchmaking.pfsp import KINDS, weights
from league.training.opponents import Record, draw


@pytest.mark.parametrize("kind", KINDS)
def test_whom_the_live_policy_beats_least_it_meets_most(kind):
    stream = Stream(1)
    drawn = Counter(draw(["even", "weak"], [0.5, 0.9], kind, stream) for _ in range(2000))
    expected = weights([0.5, 0.9], kind).tolist()
    assert drawn["weak"] / 2000 == pytest.approx(expected[1], abs=0.04)
    assert expected[0] > expected[1] or kind == "uniform"


@pytest.mark.parametrize("kind", KINDS)
def test_where_all_weights_vanish_anybody_is_met(kind):
    stream = Stream(1)
    assert {draw(["a", "b"], [1.0, 1.0], kind, stream) for _ in range(50)} == {"a", "b"}


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
