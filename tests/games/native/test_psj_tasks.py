"""psj with a task source: the proposer chooses a kind of task or writes one, and a verifier grades the answers."""

import pytest

import games
from games import IllegalAction, InputError, tasks
from games.native.psj.game import PSJGame, PublishedPSJGame
from games.tasks.expressions import expression_key

SOURCE = "arithmetic(digits=1)"


def started(seed=0, task="", cls=PSJGame, **params):
    game = cls(**{"tasks": SOURCE, "votes": 0, "solvers": 2} | params)
    game.load_task(task)
    game.reset(seed)
    return game


def answered(game, *answers):
    game.apply({f"solver_{i}": f"<answer>{answer}</answer>" for i, answer in enumerate(answers)})
    return game


def test_the_proposer_chooses_a_kind_and_the_verifier_grades():
    game = started()
    assert game.legal("proposer") == ("add/2x1", "subtract/2x1", "multiply/2x1", "mixed/2x1")
    with pytest.raises(IllegalAction, match="choose one of add/2x1"):
        game.apply({"proposer": "divide/2x1"})
    game.apply({"proposer": "multiply/2x1"})
    assert " * " in game.observe("solver_0").text
    assert game.observe("solver_0").phase == "solve multiply/2x1"
    assert game.legal("solver_0") is None
    answered(game, game.facts()["truth"], "no idea")
    facts = game.facts()
    assert facts["right"] == {"solver_0": True, "solver_1": False}
    assert facts["solve_rate"] == 0.5
    assert game.returns() == pytest.approx({"proposer": (1 + 0.5 + 1) / 3, "solver_0": 1.0, "solver_1": 0.1})
    assert "repeat_cost" not in facts


def test_a_task_that_nobody_solves_pays_nothing_for_difficulty():
    """The laziest proposer: the hardest kind."""
    game = started(tasks="arithmetic(operation=multiply, digits=6)")
    game.apply({"proposer": "multiply/2x6"})
    answered(game, "1", "2")
    assert game.returns()["proposer"] == pytest.approx(2 / 3)  # the same as a task that all solve
    published = started(cls=PublishedPSJGame, tasks="arithmetic(operation=multiply, digits=6)")
    published.apply({"proposer": "multiply/2x6"})
    answered(published, "1", "2")
    assert published.returns()["proposer"] == 1.0


def test_the_seed_and_the_kind_decide_the_question():
    def question(seed, kind):
        game = started(seed)
        game.apply({"proposer": kind})
        return game.facts()["question"]

    assert question(3, "add/2x1") == question(3, "add/2x1")
    assert len({question(seed, "add/2x1") for seed in range(30)}) > 15
    assert all(tasks.split_of(expression_key(question(seed, "add/2x1"))) == "train" for seed in range(30))


def test_a_task_of_a_pool_is_posed_again_exactly():
    game = started(4)
    game.apply({"proposer": "mixed/2x1"})
    id, text = game.facts()["task"], game.observe("solver_0").text
    again = started(99, id)
    assert again.observe("solver_0").text == text
    assert again.facts()["idle"] == ["proposer"] or "proposer" in again.facts()["idle"]
    with pytest.raises(InputError, match="belongs to the split test"):
        started(0, tasks.suite(SOURCE).draw(0).id)
    with pytest.raises(InputError, match="not a task of arithmetic"):
        started(0, "What is 1 + 1?")


def test_a_proposer_that_writes_names_a_kind_or_asks_what_the_source_can_answer():
    game = started(proposes="write")
    assert game.legal("proposer") is None
    game.apply({"proposer": "Let me see. <question>What is 7 * (6 + 1)?</question>"})
    assert game.observe("solver_0").text.startswith('The question: "What is 7 * (6 + 1)?"')
    answered(game, "49", "42")
    assert game.facts()["right"] == {"solver_0": True, "solver_1": False}
    assert game.facts()["task"] == "What is 7 * (6 + 1)?"
    again = started(5, "What is 7 * (6 + 1)?", proposes="write")
    assert again.facts()["truth"] == "49"

    named = started(proposes="write")
    named.apply({"proposer": "<question>add/2x1</question>"})
    assert named.facts()["kind"] == "add/2x1"
    for text in ("<question>Who is it?</question>", "add/2x1", "<question>What is 42?</question>"):
        refused = started(proposes="write")
        refused.apply({"proposer": text})
        assert refused.acting == ()
        assert refused.facts()["verdict"] == "invalid"


def test_judges_are_compared_with_the_verifier():
    game = started(votes=1)
    game.apply({"proposer": "add/2x1"})
    answered(game, game.facts()["truth"], "no idea")
    game.apply({"judge_0": "<score>10</score>", "judge_1": "<score>10</score>"})
    assert [mark["agrees"] for mark in game.facts()["marks"]] == [True, False]


def test_ids_and_contradictions():
    id = "psj-v1(votes=0,tasks=arithmetic(digits=1))"
    assert games.make(id).spec.id == id
    assert games.make(f"psj(votes=0, tasks={SOURCE}, proposes=write)").spec.id == f"{id[:-1]},proposes=write)"
    for params in ({"size": 2}, {"grade": "judge", "votes": 1}, {"references": 0.5}):
        with pytest.raises(InputError, match="graded by their verifier"):
            started(**params)


def test_solvers_see_examples_of_the_same_kind():
    game = started()
    game.apply({"proposer": "subtract/2x1"})
    seen, wrote = game.spec.demonstrations[game.phase("solver_0")][0]
    assert " - " in seen
    assert seen.endswith("Answer the question: <answer>...</answer>")
    assert wrote.startswith("<answer>")
    assert game.spec.demonstrations["answer"]
