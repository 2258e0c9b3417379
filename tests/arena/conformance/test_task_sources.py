"""The conformance kit for task sources: ours pass, and each defect is found."""

import random

import pytest

from arena.conformance.task_sources import check_task_source
from games import tasks
from games.plugins import isolated
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers.verdict import PASS


@pytest.mark.parametrize("id", ["arithmetic", "facts", "vocabulary(category=animal)", "programs(steps=2)"])
def test_our_sources_pass(id):
    report = check_task_source(id)
    assert report.ok, str(report)


class Global(ArithmeticSource):
    def make(self, kind, number):
        return f"What is {random.random()}?", "1"


class Generous(ArithmeticSource):
    def grade(self, task, answer):
        return PASS


class Wrong(ArithmeticSource):
    def make(self, kind, number):
        question, answer = super().make(kind, number)
        return question, answer + " or so"

    def grade(self, task, answer):
        return super().grade(task._replace(answer="7"), answer)


class Mixed(ArithmeticSource):
    def split_key(self, kind, question):
        return f"{self.split}{question}"


@pytest.mark.parametrize(
    ("source", "check"), [(Global, "repeats"), (Generous, "hostile"), (Wrong, "references"), (Mixed, "splits")]
)
def test_a_defect_is_found(source, check):
    with isolated():
        tasks.register("broken")(type(source.__name__, (source,), {"name": "broken"}))
        report = check_task_source("broken(operation=add, digits=1)")
    assert not report.ok
    assert check in {finding.check for finding in report.findings}


def test_a_source_with_the_earlier_names_of_its_methods_works_as_before():
    class Earlier(ArithmeticSource):
        def _make(self, kind, number):
            question, answer = super()._make(kind, number)
            return f"Please: {question}", answer

        def _key(self, kind, question):
            return question.removeprefix("Please: ")

    plain, earlier = ArithmeticSource(), Earlier()
    task = plain.draw(5)
    assert earlier.draw(5).question == f"Please: {task.question}"
    assert earlier.split_key(task.kind, f"Please: {task.question}") == task.question
