"""Suites: accuracy by family and difficulty on tasks that training never poses."""

import asyncio

import pytest

from arena.evaluation.suite import Accuracy, Suite, best_constant, suite_lines
from arena.match import Decision
from arena.players import Player
from games import InputError, tasks
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers import arithmetic


class Adder(Player):
    """Solves sums and nothing else."""

    name = "adder"

    def act(self, view):
        question = view.observation.text.splitlines()[0]
        truth = arithmetic.value(question) if "+" in question else 0
        return Decision(f"So <answer>{truth}</answer>")


def played(suite, player=None):
    return asyncio.run(suite.play(player or Adder()))


def test_accuracy_by_kind():
    score = played(Suite("arithmetic(digits=3)", 20))
    rates = {kind.family: kind.accuracy.rate for kind in score.kinds}
    assert rates["add"] == 1.0
    assert rates["subtract"] == rates["multiply"] == 0.0
    assert 0.0 < rates["mixed"] < 1.0  # a mixed expression of two terms is sometimes a sum
    assert score.all.tasks == 80
    assert score.all.low < score.all.rate < score.all.high
    assert score.suite == "arithmetic(digits=3,split=test)"
    assert sum(score.answers.values()) == score.all.right
    assert [line.split()[0] for line in suite_lines(score)] == [
        "adder", "family", "add", "subtract", "multiply", "mixed", "all"
    ]  # fmt: skip


def test_progress_counts_every_answered_task():
    seen = []
    asyncio.run(Suite("arithmetic(operation=add)", 5).play(Adder(), progress=lambda n, of: seen.append((n, of))))
    assert seen[-1] == (5, 5)
    assert seen == sorted(seen)


def test_a_suite_asks_the_same_tasks_whatever_plays():
    suite, again = Suite("arithmetic", 10), Suite("arithmetic(split=test)", 10)
    assert suite.tasks == again.tasks
    assert played(suite) == played(again)
    assert Suite("arithmetic", 10, seed=1).tasks != suite.tasks


def test_a_suite_never_asks_a_training_question():
    asked = {task.question for found in Suite("arithmetic(digits=1)", 50).tasks.values() for task in found}
    source = ArithmeticSource(digits=1)
    posed = {source.draw(seed).question for seed in range(1000)}
    assert len(asked) > 30
    assert not asked & posed
    with pytest.raises(InputError, match="training tasks"):
        Suite("arithmetic(split=train)")


def test_questions_of_a_small_family_are_asked_once():
    found = Suite("arithmetic(operation=add, digits=1)", 50).tasks
    (asked,) = found.values()
    assert len(asked) == len({task.question for task in asked}) < 50


def test_the_best_constant_answer():
    source = tasks.make("arithmetic(operation=multiply, digits=1)")
    found = [source.draw(seed) for seed in range(100)]
    answer, rate = best_constant(source, found)
    assert answer == "0"
    assert rate == sum(task.answer == "0" for task in found) / 100


def test_an_accuracy_without_tasks():
    assert Accuracy.of([]) == Accuracy(0, 0, 0.0, 0.0, 1.0)
