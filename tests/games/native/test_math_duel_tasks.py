"""math-duel with a task source: the challenger chooses a kind of task, the verifier decides what is right."""

import pytest

import games
from games import IllegalAction, InputError, tasks
from games.native.math_duel import math_duel

SOURCE = "arithmetic(digits=1)"


def started(seed=0, task="", **params):
    game = math_duel(**{"tasks": SOURCE, "solvers": 4} | params)
    game.load_task(task)
    game.reset(seed)
    return game


def test_the_majority_does_not_decide():
    game = started()
    with pytest.raises(IllegalAction, match="choose one of"):
        game.apply({"challenger": "What is 1 + 1?"})
    game.apply({"challenger": "add/2x1"})
    right = game.facts()["truth"]
    assert game.observe("solver_0").phase == "vote add/2x1"
    game.apply({"solver_0": rf"\boxed{{{right}}}"} | {f"solver_{i}": r"\boxed{77}" for i in (1, 2, 3)})
    assert game.returns() == pytest.approx(
        {"challenger": 0.0, "solver_0": 1.0} | {f"solver_{i}": 0.1 for i in (1, 2, 3)}
    )
    assert game.facts()["label_right"] is False
    assert game.facts()["kind"] == "add/2x1"


def test_pooled_tasks():
    game = started(3)
    game.apply({"challenger": "multiply/2x1"})
    again = started(9, game.facts()["task"])
    assert again.facts()["question"] == game.facts()["question"]
    with pytest.raises(InputError, match="split test"):
        started(0, tasks.suite(SOURCE).draw(0).id)


def test_ids():
    id = "math-duel-v1(solvers=4,tasks=arithmetic(digits=1))"
    assert games.make(id).spec.id == id
    with pytest.raises(InputError, match="leave out size"):
        started(size=2)
