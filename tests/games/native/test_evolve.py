"""evolve: golden transcript, exact rewards, what counts as a variant, and what shortcuts earn."""

import math

import pytest

from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction, InputError
from games.native.evolve import evolve
from games.native.evolve.texts import EVOLVE
from games.native.evolve.variants import kept
from tests import golden

PARENT = "What is 17 + 25?"


def started(task=EVOLVE + PARENT, **params):
    game = evolve(**({"solvers": 2} | params))
    game.load_task(task)
    game.reset(0)
    return game


def play(game, *moves):
    for move in moves:
        texts = move if isinstance(move, list) else [move]
        game.apply(dict(zip(game.acting, texts, strict=True)))
    return game


def answer(text):
    return f"<answer>{text}</answer>"


def evolved(question, right=0, solvers=4):
    """A match whose variant is answered by `right` solvers."""
    game = play(started(solvers=solvers), [answer("42")] * solvers, f"<question>{question}</question>")
    if game.acting:
        truth = game.facts()["truth"]
        play(game, [answer(truth if i < right else "x") for i in range(solvers)])
    return game


@pytest.mark.parametrize(("right", "paid"), [(0, -3.125), (1, 0.0), (2, -3.125)])
def test_a_variant_pays_by_the_gaussian_of_its_solve_rate(right, paid):
    game = evolved("What is 17 + 25 - 9?", right, solvers=2)
    assert game.facts()["solve_rate"] == right / 2
    assert game.returns()["evolver"] == pytest.approx(math.exp(paid))


@pytest.mark.parametrize(("pays", "rewards"), [("gap", (0.0, 1.0, 1.0, 0.0)), ("band", (0.0, 1.0, 1.0, 0.0))])
def test_other_rewards(pays, rewards):
    for right, paid in enumerate(rewards):
        game = play(started(solvers=3, pays=pays), [answer("42")] * 3, "<question>What is 17 + 25 - 9?</question>")
        play(game, [answer("33" if i < right else "x") for i in range(3)])
        assert game.returns()["evolver"] == paid


@pytest.mark.parametrize(("text", "reason"), golden.rows(__file__, "evolve_what_is_no_variant"))
def test_what_is_no_variant(text, reason):
    game = evolved(text)
    assert game.acting == ()
    assert reason in game.facts()["reason"]
    assert game.facts()["verdict"] == "invalid"
    assert game.returns()["evolver"] == -1.0
    assert game.facts()["idle"] == ["solver_4", "solver_5", "solver_6", "solver_7"]


def test_a_message_without_a_tag_is_no_variant():
    game = play(started(), [answer("42")] * 2, "What is 17 + 25 - 9?")
    assert (game.facts()["verdict"], game.facts()["unread"]["evolver"]) == ("invalid", ["no <question>...</question>"])


def test_the_share_that_a_variant_keeps():
    assert kept(PARENT, "What is 17 - 25?") == pytest.approx(2 / 3)
    assert kept(PARENT, "17 * 2") == pytest.approx(1 / 3)
    assert kept("Name a prime", "name a Number") == pytest.approx(2 / 3)


def test_the_facts_name_the_parent_and_who_was_asked_what():
    facts = evolved("What is 17 + 25 - 9?", 1, solvers=2).facts()
    assert (facts["task"], facts["parents"], facts["pooled"]) == ("What is 17 + 25 - 9?", [PARENT], False)
    (tried,) = facts["tried"]
    assert (tried["task"], tried["solve_rate"], len(tried["answers"])) == (PARENT, 1.0, 2)
    assert facts["asked"]["solver_0"] == PARENT
    assert facts["asked"]["solver_3"] == "What is 17 + 25 - 9?"
    assert facts["proposal"] == {"base": 0.0, "weight": 1.0, "rate": 0.5, "paid": 1.0}


def test_a_pooled_task_is_only_answered():
    game = started(task=PARENT)
    assert game.acting == ("solver_2", "solver_3")
    play(game, [answer("42"), answer("1")])
    facts = game.facts()
    assert (facts["task"], facts["solve_rate"], facts["pooled"], facts["parents"]) == (PARENT, 0.5, True, [])
    assert facts["idle"] == ["solver_0", "solver_1", "evolver"]
    assert game.returns()["evolver"] == 0.0


def test_a_chosen_kind_is_of_the_parents_family_and_gives_another_question():
    game = started(task="", tasks="arithmetic(operation=add)", proposes="choose")
    parent = game.facts()["tried"][0]["question"]
    play(game, [answer("x")] * 2)
    assert game.legal("evolver") == ("add/2x2",)
    with pytest.raises(IllegalAction, match="choose one of add/2x2"):
        game.apply({"evolver": "multiply/2x2"})
    play(game, "add/2x2")
    assert game.facts()["question"] != parent
    assert game.facts()["kind"] == "add/2x2"


def test_a_closed_game_offers_sums_with_one_other_number():
    game = play(started(task=f"{EVOLVE}1 + 0", size=2), ["1", "2"])
    assert game.legal("evolver") == ("0 + 0", "1 + 1", "1 + 2", "2 + 0")
    play(game, "2 + 0", ["2", "1"])
    assert game.returns() == {"solver_0": 1.0, "solver_1": 0.0, "solver_2": 1.0, "solver_3": 0.0, "evolver": 1.0}
    with pytest.raises(InputError, match="not a task of size 2"):
        game.load_task(EVOLVE + "9 + 9")


@pytest.mark.slow
def test_shortcuts_do_not_pay():
    report = check_shortcuts("evolve", matches=60)
    assert report.ok, str(report)
