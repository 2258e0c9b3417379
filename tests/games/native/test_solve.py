"""solve: one task for every solver, graded by the source's verifier."""

import re

import pytest

import games
from games import InputError, tasks
from games.dialogue.listed import drawn
from games.native.solve import solve
from games.tasks.expressions import expression_key


def started(seed=0, task="", **params):
    game = solve(**params)
    game.load_task(task)
    game.reset(seed)
    return game


def test_solvers_are_paid_for_right_answers():
    game = started(solvers=3)
    right = game.facts()["truth"]
    game.apply(
        {
            "solver_0": f"I add them. <answer>{right}</answer>",
            "solver_1": "<answer>no</answer>",
            "solver_2": f"It may be {right}, or {right}1?",
        }
    )
    assert game.acting == ()
    assert game.returns() == {"solver_0": 1.0, "solver_1": 0.0, "solver_2": 0.0}
    facts = game.facts()
    assert facts["verdicts"] == {"solver_0": "pass", "solver_1": "invalid", "solver_2": "invalid"}
    assert facts["solve_rate"] == pytest.approx(1 / 3)
    assert "is right" in game.observe("solver_0").text
    assert "is not right" in game.observe("solver_1").text


def test_a_given_task_is_posed_exactly():
    source = tasks.make("arithmetic(operation=multiply, digits=1)")
    task = source.draw(5)
    game = started(99, task.id, tasks=source.id)
    assert game.observe("solver_0").text.startswith(task.question)
    assert game.facts()["task"] == task.id
    assert game.facts()["pooled"]


def test_a_task_of_a_suite_is_refused():
    with pytest.raises(InputError, match="belongs to the split test"):
        started(0, tasks.suite("arithmetic").draw(0).id)


def test_examples_are_training_tasks_of_the_same_kind():
    game = started(tasks="arithmetic(operation=add, digits=1, split=test)")
    shown = game.spec.demonstrations[game.phase("solver_0")]
    assert len(shown) == 2
    for seen, wrote in shown:
        question = seen.splitlines()[0]
        assert " + " in question
        assert tasks.split_of(expression_key(question)) == "train"
        solved = game.task_source.solve(question)
        assert wrote == f"<answer>{solved.answer}</answer>"


def test_no_observation_shows_the_answer():
    for seed in range(30):
        game = started(seed, tasks="arithmetic(operation=multiply, digits=3)")
        truth = game.facts()["truth"]
        if len(truth) > 3:  # a factor may be 0 or 1
            assert truth not in game.observe("solver_0").text
            assert truth not in "".join(game.examples("solver_0"))


def test_the_id_holds_the_source():
    assert games.make("solve(tasks=arithmetic(digits=2))").spec.id == "solve-v1"
    id = "solve-v1(tasks=arithmetic(operation=add,digits=1),solvers=2)"
    assert games.make(id).spec.id == id
    with pytest.raises(InputError, match="unknown task source"):
        games.make("solve(tasks=nothing)")


def test_a_constant_answer_earns_nothing_in_products():
    """The laziest policy: 0 for every task. No product with 0 is posed for free answers."""
    game = games.make("solve(tasks='arithmetic(operation=multiply, digits=1)')")
    for seed in range(300):
        game.reset(seed)
        game.apply({"solver_0": "<answer>0</answer>"})
        assert game.returns()["solver_0"] == 0


def test_no_sum_is_answered_by_copying():
    game, copied = started(), []
    for seed in range(1500):
        game.reset(seed)
        assert game.facts()["truth"] not in re.findall(r"-?\d+", game.facts()["question"])
        task = drawn(game.task_source, seed)
        copied.append(task.answer in re.findall(r"-?\d+", task.question))
    assert sum(copied) > 20  # the source draws such sums
