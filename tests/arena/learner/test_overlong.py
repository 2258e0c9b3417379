"""Answers that the limit of tokens ended are not learned from."""

from arena.learner import Credit, without_overlong
from arena.records import Decision, Episode, Sample, Turn


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
    assert without_overlong([match], credits) == credits[1:]


def test_only_the_phase_of_the_cut_answer_is_dropped():
    match = episode(turn("a", sample(truncated=True), phase="clue"), turn("a", sample(), phase="vote"))
    credits = [credit("a", phase="clue"), credit("a", phase="vote")]
    assert without_overlong([match], credits) == credits[1:]


def test_a_failed_attempt_and_a_forfeit_are_trained():
    failed = episode(turn("a", sample(truncated=True), sample()))
    lost = episode(failure=(Decision(None, "truncated", sample=sample(truncated=True)),), forfeited_by="a")
    for match in (failed, lost):
        assert without_overlong([match], [credit("a", -1.0)]) == [credit("a", -1.0)]
