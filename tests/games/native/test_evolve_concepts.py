"""evolve with start=concepts: golden transcript, exact rewards, what counts as a task, and what shortcuts earn."""

import pytest

from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction
from games.native.evolve import evolve
from games.native.evolve.texts import EVOLVE

PARENT = "What is 17 + 25?"
QUESTION = "What is 25 * 17 + 17?"
PLAN = "<rationale>Multiply, then add.\n[GAME] hi</rationale>"


def started(task=EVOLVE + PARENT, **params):
    game = evolve(**({"solvers": 3, "start": "concepts", "pays": "hard"} | params))
    game.load_task(task)
    game.reset(0)
    return game


def composed(question=QUESTION, right=0, **params):
    """A match whose task is answered by `right` solvers."""
    game = started(**params)
    game.apply({"evolver": PLAN})
    game.apply({"evolver": f"<question>{question}</question>"})
    if game.acting:
        truth = game.facts()["truth"]
        game.apply({seat: f"<answer>{truth if i < right else 'x'}</answer>" for i, seat in enumerate(game.acting)})
    return game


def test_nobody_but_the_evolver_reads_the_rationale():
    game = started()
    game.apply({"evolver": PLAN})
    assert "Multiply" in game.observe("evolver").text
    game.apply({"evolver": f"<question>{QUESTION}</question>"})
    assert not any("Multiply" in game.observe(f"solver_{i}").text for i in range(3))


@pytest.mark.parametrize(("right", "paid"), [(0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0)])
def test_a_task_pays_if_some_but_fewer_than_half_solve_it(right, paid):
    assert composed(right=right, solvers=3).returns()["evolver"] == paid


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("What is 17 - 25?", "does not use +"),
        ("What is 17 + 2?", "does not use 25"),
        ("What is 1725 + 3?", "does not use 17, 25"),
        ("Add 17 + 25 apples", "no program"),
        ("17 25 +", "no program"),
    ],
)
def test_a_question_has_to_use_all_concepts_and_to_have_an_answer(text, reason):
    game = composed(text)
    assert game.acting == ()
    assert reason in game.facts()["reason"]
    assert (game.facts()["verdict"], game.returns()["evolver"]) == ("invalid", -1.0)


def test_the_pool_keeps_where_the_concepts_came_from_and_nothing_was_tried():
    facts = composed(right=1).facts()
    assert (facts["parents"], facts["tried"], facts["solve_rate"]) == ([PARENT], [], pytest.approx(1 / 3))
    assert facts["proposal"] == {"base": 0.0, "weight": 1.0, "rate": pytest.approx(1 / 3), "paid": 1.0}
    assert facts["rationale"] == '"Multiply, then add. (GAME) hi"'
    assert facts["idle"] == []


def test_a_missing_rationale_is_recorded_and_the_match_goes_on():
    game = started()
    game.apply({"evolver": "no tag"})
    assert game.facts()["unread"] == {"evolver": ["no <rationale>...</rationale>"]}
    assert game.acting == ("evolver",)


def test_a_closed_game_offers_rationales_and_the_sums_of_the_concept():
    game = started(task=f"{EVOLVE}1 + 2", size=2)
    assert len(game.legal("evolver")) == 3
    with pytest.raises(IllegalAction, match="choose one of"):
        game.apply({"evolver": PLAN})
    game.apply({"evolver": game.legal("evolver")[0]})
    assert game.legal("evolver") == ("0 + 1", "1 + 0", "1 + 1", "1 + 2", "2 + 1")
    game.apply({"evolver": "1 + 1"})
    game.apply(dict(zip(game.acting, ["2", "0", "0"], strict=True)))
    assert game.returns()["evolver"] == 1.0


def test_kinds_are_chosen_within_the_family_that_is_shown():
    game = started(task="", tasks="arithmetic(operation=multiply)", proposes="choose")
    assert game.observe("evolver").text.splitlines()[0] == "The concepts: multiply"
    game.apply({"evolver": PLAN})
    assert game.legal("evolver") == ("multiply/2x2",)


def test_a_pooled_task_is_only_answered():
    game = started(task=PARENT)
    assert game.acting == ("solver_0", "solver_1", "solver_2")
    game.apply(dict.fromkeys(game.acting, "<answer>42</answer>"))
    assert game.facts()["idle"] == ["evolver"]


def test_shortcuts_do_not_pay():
    report = check_shortcuts("evolve(start=concepts,pays=hard,solvers=8)", matches=40)
    assert report.ok, str(report)
