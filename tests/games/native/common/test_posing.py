"""Grading answers to tasks that a seat sets."""

import games.tasks
from games.native.common.posing import TaskSetter
from games.verifiers import Verdict


def test_a_verdict_is_kept_for_later_matches_unless_the_verifier_failed(monkeypatch):
    setter = TaskSetter(games.tasks.make("arithmetic"), "choose")
    task = setter.source.draw(0)
    verdicts = [Verdict("timeout", "too slow"), Verdict("pass", "")]
    monkeypatch.setattr(setter.source, "verdict", lambda task, answer: verdicts.pop(0))
    assert [setter.right(task, "1") for _ in range(3)] == [False, True, True]
