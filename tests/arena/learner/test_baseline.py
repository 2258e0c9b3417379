"""RoleBaseline compared with the published vectors, its definition and its batch form."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.learner import RoleBaseline

KEY = ("openspiel/kuhn_poker", "first")
REWARDS = [1.0, -1.0, 1.0, 0.0, -1.5]


def test_published_vector():
    baseline = RoleBaseline(debias=False)
    got = [baseline.advantage(KEY, r) for r in REWARDS]
    assert got == pytest.approx([1, -1.05, 1.0025, -0.047625, -1.54524375], abs=1e-15)
    assert baseline.value(KEY) == pytest.approx(-0.03201844, abs=1e-8)


def test_a_debiased_baseline_is_a_weighted_mean():
    baseline = RoleBaseline(decay=0.5)
    for r in REWARDS:
        baseline.advantage(KEY, r)
    weights = [0.5 ** (5 - i) for i in range(1, 6)]
    mean = sum(w * r for w, r in zip(weights, REWARDS, strict=True)) / sum(weights)
    assert baseline.value(KEY) == pytest.approx(mean, abs=1e-15)


def test_equal_rewards_have_no_advantage_after_the_first():
    baseline = RoleBaseline()
    assert [round(baseline.advantage(KEY, 0.7), 12) for _ in range(4)] == [0.7, 0, 0, 0]


def test_keys_are_independent():
    baseline = RoleBaseline()
    for _ in range(50):
        baseline.advantage(("g", "first"), 1.0)
        baseline.advantage(("g", "second"), -1.0)
    assert baseline.value(("g", "first")) == pytest.approx(1.0)
    assert baseline.value(("g", "second")) == pytest.approx(-1.0)
    assert baseline.value(("h", "first")) == 0.0


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.floats(-5, 5)), max_size=700),
    st.sampled_from([0.0, 0.05, 0.5, 0.95, 0.999]),
    st.booleans(),
)
def test_the_batch_form_equals_the_sequential_one(items, decay, debias):
    one, many = RoleBaseline(decay, debias), RoleBaseline(decay, debias)
    one.advantage(("a",), 0.3)
    many.advantage(("a",), 0.3)
    keys, rewards = [(k,) for k, _ in items], [r for _, r in items]
    expected = [one.advantage(k, r) for k, r in zip(keys, rewards, strict=True)]
    assert many.advantages(keys, rewards).tolist() == pytest.approx(expected, abs=1e-9)
    assert many.value(("a",)) == pytest.approx(one.value(("a",)), abs=1e-9)
    assert many.count(("b",)) == one.count(("b",))


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.floats(-5, 5), st.booleans()), max_size=600),
    st.sampled_from([0.0, 0.5, 0.95]),
    st.booleans(),
)
def test_all_rewards_of_a_match_meet_the_same_baseline(items, decay, debias):
    """By definition: read the baseline once per match, then update it with each reward."""
    one, many = RoleBaseline(decay, debias), RoleBaseline(decay, debias)
    matches = np.cumsum([new for _, _, new in items]).tolist()
    expected = []
    for match in dict.fromkeys(matches):
        part = [(k, r) for (k, r, _), m in zip(items, matches, strict=True) if m == match]
        expected += [r - one.value((k,)) for k, r in part]
        for k, r in part:
            one.advantage((k,), r)
    found = many.advantages([(k,) for k, _, _ in items], [r for _, r, _ in items], matches)
    assert found.tolist() == pytest.approx(expected, abs=1e-9)
    assert many.value(("a",)) == pytest.approx(one.value(("a",)), abs=1e-9)


def test_state_survives_json_exactly():
    baseline = RoleBaseline(0.9)
    for r in REWARDS:
        baseline.advantage(KEY, r)
    restored = RoleBaseline()
    restored.load_state_dict(json.loads(json.dumps(baseline.state_dict())))
    assert restored.advantage(KEY, 0.25) == baseline.advantage(KEY, 0.25)
    assert restored.state_dict() == baseline.state_dict()


@pytest.mark.parametrize("decay", [1.0, -0.1, 2.0])
def test_a_decay_outside_its_range_is_refused(decay):
    with pytest.raises(ValueError, match="decay"):
        RoleBaseline(decay)


def test_the_defaults_are_those_of_the_paper():
    state = RoleBaseline().state_dict()
    assert state == {"decay": 0.95, "debias": True, "baselines": []}


def test_keys_and_counts_are_those_of_the_rewards():
    baseline = RoleBaseline(0.0)
    baseline.advantages([("b",), ("a",), ("b",)], [1.0, 2.0, 3.0])
    assert baseline.keys() == (("b",), ("a",))
    assert [baseline.count(key) for key in (("a",), ("b",), ("c",))] == [1, 2, 0]
    assert [baseline.value(key) for key in (("a",), ("b",), ("c",))] == [2.0, 3.0, 0.0]


@pytest.mark.parametrize(
    ("keys", "rewards", "matches"),
    [
        ([("a",)], [], None),
        ([], [1.0], None),
        ([("a",)], [1.0, 2.0], None),
        ([("a",)], [1.0], ["m", "n"]),
        ([("a",), ("b",)], [1.0, 2.0], ["m"]),
        ([("a",)], [1.0], []),
    ],
)
def test_lists_of_different_lengths_are_refused(keys, rewards, matches):
    baseline = RoleBaseline()
    with pytest.raises(ValueError, match=f"{len(keys)} keys and .* matches for {len(rewards)} rewards"):
        baseline.advantages(keys, rewards, matches)
    assert baseline.keys() == ()


@pytest.mark.parametrize("debias", [True, False])
@pytest.mark.parametrize("decay", [0.0999, 0.1, 0.9])
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 513])
def test_blocks_of_rewards_continue_each_other(decay, debias, count):
    one, many = RoleBaseline(decay, debias), RoleBaseline(decay, debias)
    rewards = [((7 * i) % 11) / 5 - 1 for i in range(count)]
    expected = [one.advantage(KEY, r) for r in rewards]
    assert many.advantages([KEY] * count, rewards).tolist() == pytest.approx(expected, abs=1e-9)
    assert many.advantage(KEY, 0.3) == pytest.approx(one.advantage(KEY, 0.3), abs=1e-9)
    assert np.isfinite(many.value(KEY))
