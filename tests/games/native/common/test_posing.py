"""Grading answers to tasks that a seat sets, and guesses that do not read the task."""

import pytest

import games.tasks
from games.dialogue.listed import CHOICES, often_right
from games.native.common.posing import TaskSetter
from games.randomness import RandomStream
from games.verifiers import Verdict


def test_a_verdict_is_kept_for_later_matches_unless_the_verifier_failed(monkeypatch):
    setter = TaskSetter(games.tasks.make("arithmetic"), "choose")
    task = setter.source.draw(0)
    verdicts = [Verdict("timeout", "too slow"), Verdict("pass", "")]
    monkeypatch.setattr(setter.source, "verdict", lambda task, answer: verdicts.pop(0))
    assert [setter.right(task, "1") for _ in range(3)] == [False, True, True]


@pytest.mark.parametrize(
    ("guess", "options", "chosen"),
    [
        ("the number whose distances fit", ("9", "10", "12", "20"), {"10"}),
        ("the number in the middle", ("9", "30", "10"), {"10"}),
        ("the number in the middle", ("9", "30", "10", "12"), {"10", "12"}),
        ("the largest number", ("9", "30", "10"), {"30"}),
        ("the smallest number", ("10", "9", "30"), {"9"}),
        ("the first of the list", ("10", "9", "30"), {"10"}),
        ("the last of the list", ("10", "30", "9"), {"9"}),
        ("the largest number", ("x", "y"), {"y"}),
    ],
)
def test_guesses_that_do_not_read_the_task(guess, options, chosen):
    assert {CHOICES[guess](options, RandomStream(seed)) for seed in range(30)} == chosen


def test_a_guess_from_priors_is_the_option_that_is_right_most_often():
    guess = often_right({"7": 3, "8": 5, "9": 5}.__getitem__)
    assert {guess(("7", "8", "9"), RandomStream(seed)) for seed in range(30)} == {"8", "9"}
