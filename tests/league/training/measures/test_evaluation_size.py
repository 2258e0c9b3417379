"""The size of an evaluation by default, beside the steps between two of them."""

import pytest

from league.training.measures.evaluation_size import evaluation_size
from tests.league.training.runs import KUHN, config, plans

LEDUC = "openspiel/leduc_poker"


def size(tmp_path, game=LEDUC, anchors=2, **more):
    plan, policy = plans(config(tmp_path, games=[game], **more))
    return evaluation_size(plan, policy, {game: ["anchor"] * anchors})


def test_an_exact_evaluation_reads_at_most_what_the_steps_between_play(tmp_path):
    small = size(tmp_path, matches_per_step=8, steps=500, evaluation={})
    assert small.left_out == {LEDUC: 936}
    assert not small.tabulated
    assert any("its 936 positions are more than the 400 matches" in line for line in small.lines())
    large = size(tmp_path, matches_per_step=32, steps=500, evaluation={})
    assert not large.left_out
    assert len(large.tabulated[LEDUC].decisions) == 936
    assert size(tmp_path, game=KUHN, matches_per_step=8, steps=500, evaluation={}).tabulated


def test_steps_that_are_fewer_than_the_interval_count(tmp_path):
    """A training of 4 steps with an evaluation every 50 plays 4 steps between its two evaluations."""
    assert size(tmp_path, matches_per_step=32, steps=4, evaluation={}).left_out == {LEDUC: 936}


def test_a_setting_overrides_the_default(tmp_path):
    forced = size(tmp_path, matches_per_step=8, evaluation={"exact": True, "matches": 70})
    assert not forced.left_out
    assert forced.tabulated
    assert forced.matches == 70
    none = size(tmp_path, matches_per_step=8000, evaluation={"exact": False, "matches": 0})
    assert not none.left_out
    assert not none.tabulated
    assert none.matches == 0


@pytest.mark.parametrize(
    ("steps", "per_step", "anchors", "matches"), [(2, 8, 2, 2), (500, 8, 2, 50), (500, 1, 2, 6), (500, 8, 0, 0)]
)
def test_the_matches_against_anchors_are_at_most_half_of_those_between(tmp_path, steps, per_step, anchors, matches):
    chosen = size(tmp_path, anchors=anchors, matches_per_step=per_step, steps=steps, evaluation={})
    assert chosen.matches == matches
    assert chosen.matches * anchors * 2 <= chosen.between / 2
