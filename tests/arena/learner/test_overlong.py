"""Answers that the limit of tokens ended: masked, penalised by DAPO's formula, or trained."""

import pytest

from arena.learner import Credit, without_overlong
from arena.learner.overlong import penalty
from arena.records import Decision, Episode, Sample, Turn
from tests import golden


def sample(tokens=10, truncated=False):
    return Sample((1,), (2,) * tokens, (-0.5,) * tokens, truncated=truncated)


def turn(seat, *samples, phase="play"):
    attempts = tuple(Decision("a", sample=s) for s in samples)
    return Turn(seat, "r", phase, "live", "a", attempts, trainable=True)


def episode(*turns, **other):
    return Episode(
        "m", "g", 0, {"a": "live", "b": "live"}, {"a": "r", "b": "r"}, turns, {"a": 1.0, "b": 0.0}, "finished", **other
    )


def credit(seat, reward=1.0, phase=""):
    return Credit("g", "r", phase, seat, "live", "m", "group", reward)


def test_a_played_answer_that_was_cut_leaves_gradient_and_baseline():
    match = episode(turn("a", sample(truncated=True)), turn("b", sample()))
    credits = [credit("a"), credit("b")]
    assert without_overlong([match], credits, "mask", 100) == credits[1:]
    assert without_overlong([match], credits, "train", 100) == credits


def test_only_the_phase_of_the_cut_answer_is_dropped():
    match = episode(turn("a", sample(truncated=True), phase="clue"), turn("a", sample(), phase="vote"))
    credits = [credit("a", phase="clue"), credit("a", phase="vote")]
    assert without_overlong([match], credits, "mask", 100) == credits[1:]


def test_a_failed_attempt_and_a_forfeit_are_trained():
    failed = episode(turn("a", sample(truncated=True), sample()))
    lost = episode(failure=(Decision(None, "truncated", sample=sample(truncated=True)),), forfeited_by="a")
    for match in (failed, lost):
        assert without_overlong([match], [credit("a", -1.0)], "mask", 100) == [credit("a", -1.0)]


@pytest.mark.parametrize(
    ("tokens", "truncated", "buffer", "expected"), golden.rows(__file__, "overlong_the_penalty_rises_before_the_limit")
)
def test_the_penalty_rises_before_the_limit(tokens, truncated, buffer, expected):
    assert penalty(sample(tokens, truncated), 100, buffer) == pytest.approx(expected)


def test_the_longest_answer_of_a_seat_decides_its_penalty():
    match = episode(turn("a", sample(10)), turn("a", sample(90)), turn("b", sample(100, truncated=True)))
    found = without_overlong([match], [credit("a"), credit("b", 0.25)], "penalty", 100, 0.2)
    assert [c.reward for c in found] == pytest.approx([0.5, -0.75])
