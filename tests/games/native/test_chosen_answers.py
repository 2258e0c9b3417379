"""Closed games about tasks of a source, for tiny models: answers from lists that do not tell the right one."""

from collections import Counter

import pytest

import games
import games.tasks
from games.dialogue.listed import CHOICES, drawn, frequency_of, often_right
from games.randomness import RandomStream
from games.tasks.choices import beside

SUMS = "arithmetic(operation=add,digits=1)"
CLOSED = (
    f"solve(tasks={SUMS},closed=true,problems=8)",
    f"refine(tasks={SUMS},closed=true,problems=8)",
    f"prefer(referee=pairs,tasks={SUMS},closed=true,problems=8)",
)
TELL_NOTHING = (
    *CLOSED,
    "prefer(closed=true)",
    f"prefer(tasks={SUMS},closed=true)",
    "debate(debaters=3)",
    "debate(debaters=4,closed=true)",
    f"debate(debaters=3,tasks={SUMS})",
)
"""games that list a right answer among wrong ones"""


def slow_but(ids, *default):
    """Marks all ids but a few, whose lists are made in different ways, as slow."""
    return [id if id in default else pytest.param(id, marks=pytest.mark.slow) for id in ids]


def options(game):
    """The answers that the first acting seat reads, or chooses from."""
    seat = game.acting[0]
    answers = game.data(seat).get("answers", {})
    return [*answers.values()] or [*game.legal(seat)]


def shares(id, seeds=200):
    """How often each choice by the numbers alone is right, and the share of a random one."""
    game, right, stream = games.make(id), Counter(), RandomStream(0)
    for seed in range(seeds):
        game.reset(seed)
        answers = options(game)
        for name, choice in CHOICES.items():
            right[name] += choice(answers, stream) == game.facts()["truth"]
    return {name: right[name] / seeds for name in CHOICES}, 1 / len(answers)


@pytest.mark.parametrize("id", slow_but(TELL_NOTHING, CLOSED[0], "debate(debaters=3)"))
def test_the_numbers_alone_do_not_tell_the_right_answer(id):
    found, chance = shares(id)
    assert max(found.values()) < chance + 0.14  # four standard deviations of 200 draws at most


def guessed(id, matches=300):
    """How often the answer that is right in most other matches is the right one of the list."""
    game, stream, right = games.make(id), RandomStream(0), 0
    often = often_right(frequency_of(game.task_source, 8 if "problems=8" in id else 0))
    for seed in range(matches):
        game.reset(seed)
        answers = options(game)
        right += often(answers, stream) == game.facts()["truth"]
    return right / matches, 1 / len(answers)


OFTEN_RIGHT = (
    *CLOSED,
    "prefer(closed=true)",
    f"prefer(closed=true,tasks={SUMS})",
    "solve(closed=true,tasks=arithmetic(operation=multiply,digits=1))",
    f"debate(tasks={SUMS})",
    f"debate(debaters=4,closed=true,tasks={SUMS})",
)


@pytest.mark.parametrize("id", slow_but(OFTEN_RIGHT, CLOSED[0], f"debate(tasks={SUMS})"))
def test_what_is_often_an_answer_is_no_better_guess(id):
    right, chance = guessed(id)
    assert right < chance + 0.12  # four standard deviations


@pytest.mark.parametrize("id", CLOSED)
def test_the_lists_of_few_problems_hold_their_answers_only(id):
    game = games.make(id)
    answers = {drawn(game.task_source, seed, 8).answer for seed in range(200)}
    assert len(answers) > 4
    for seed in range(50):
        game.reset(seed)
        assert len(set(game.legal(game.acting[0]))) == 4
        assert answers.issuperset(game.legal(game.acting[0]))


def test_a_list_of_two_problems_is_filled_and_tells_neither():
    id = f"solve(tasks={SUMS},closed=true,problems=2)"
    game = games.make(id)
    both = {drawn(game.task_source, seed, 2).answer for seed in range(40)}
    assert len(both) == 2
    right, matches = 0, 150
    for seed in range(matches):
        game.reset(seed)
        listed = sorted(map(int, game.legal("solver_0")))
        assert 3 <= len(listed) <= 4
        assert both <= set(map(str, listed))
        known = [n for n in listed if str(n) in both]
        nearest = min(known, key=lambda n: sum(abs(n - other) for other in listed))
        right += str(nearest) == game.facts()["truth"]
    assert abs(right / matches - 0.5) < 0.17  # four standard deviations


def test_a_task_that_a_pool_chose_is_listed_with_answers_of_its_source():
    game, source = games.make(f"solve(tasks={SUMS},closed=true,problems=8)"), games.tasks.make(SUMS)
    few = {drawn(game.task_source, seed, 8).answer for seed in range(200)}
    listed = set()
    for seed in range(40):
        game.load_task(source.draw(1000 + seed).id)
        game.reset(seed)
        listed |= set(game.legal("solver_0"))
    assert listed > few


@pytest.mark.parametrize(("truth", "n"), [(5, 3), (0, 3), (11, 3), (7, 2), (3, 11)])
def test_a_list_is_a_stretch_that_does_not_depend_on_which_number_is_right(truth, n):
    lists = [sorted(map(int, beside(truth, range(12), n, RandomStream(seed)))) for seed in range(5)]
    assert {len(found) for found in lists} == {n + 1}
    assert all(truth in found for found in lists)
    assert all(found[0] % (n + 1) == 0 and found[-1] - found[0] == n for found in lists)  # 12 is a multiple of n + 1


def test_a_list_of_too_few_numbers_holds_the_right_one():
    assert beside(4, [4, 5], 3, RandomStream(0)) == ("4",)


def test_a_closed_forum_lists_the_right_answer_anywhere():
    places = Counter()
    for id in ("forum(closed=true)", f"forum(closed=true,tasks={SUMS})"):
        game = games.make(id)
        for seed in range(100):
            game.reset(seed)
            truth, listed = game.facts()["truth"], game.legal("solver_0")
            form = "The answer is {}." if game.task_source is None else "<answer>{}</answer>"
            places[id, listed.index(form.format(truth))] += 1
            assert listed == game.legal("solver_1")
    assert len(places) == 8
    assert all(7 < n < 43 for n in places.values())  # 25 on average


@pytest.mark.parametrize("id", CLOSED)
def test_problems_limits_the_tasks_and_a_task_that_is_given_is_posed(id):
    game = games.make(id)
    asked = set()
    for seed in range(100):
        game.reset(seed)
        asked.add(game.facts()["question"])
    assert len(asked) <= 8
    task = games.tasks.make(SUMS).draw(12345)
    game.load_task(task.id)
    game.reset(0)
    assert game.facts()["question"] == task.question
    assert task.answer in game.legal(game.acting[0])


def test_the_choices_of_other_sources_hold_the_right_answer_once():
    source = games.tasks.make("facts(family=continent)")
    for seed in range(20):
        task = source.draw(seed)
        found = source.choices(task, RandomStream(seed), 3)
        assert found.count(task.answer) == 1
        assert len(set(found)) == len(found)


def test_golden_transcript_of_a_closed_refine():
    """The sneaky player's wrong answer is called incorrect, one refiner mends it."""
    game = games.make(f"refine(tasks={SUMS},closed=true,problems=8)")
    seed = next(seed for seed in range(64) if _asks_for_a_wrong_answer(game, seed))
    game.reset(seed)
    truth = game.facts()["truth"]
    wrong = next(option for option in game.legal("solver") if option != truth)
    game.apply({"solver": truth})
    assert game.acting == ("sneaky",)
    assert f"The right answer: {truth}" in game.observe("sneaky").text
    game.apply({"sneaky": wrong})
    assert game.legal("critic") == ("correct", "incorrect")
    assert game.observe("critic").text.endswith(f"The answer to judge: {wrong}")
    game.apply({"critic": "incorrect"})
    assert game.observe("refiner_0").text.endswith('[critique] "incorrect"')
    game.apply({"refiner_0": truth, "refiner_1": wrong})
    assert game.returns() == {"solver": 1.0, "sneaky": -1.0, "critic": 1.5, "refiner_0": 1.0, "refiner_1": 0.0}


def _asks_for_a_wrong_answer(game, seed):
    game.reset(seed)
    game.apply({"solver": game.facts()["truth"]})
    return game.acting == ("sneaky",)


def test_a_closed_solve_pays_for_the_right_choice():
    game = games.make(f"solve(tasks={SUMS},closed=true,solvers=2)")
    game.reset(3)
    truth = game.facts()["truth"]
    wrong = next(option for option in game.legal("solver_0") if option != truth)
    assert "answer>" not in game.observe("solver_0").text + game.spec.rules
    with pytest.raises(games.IllegalAction):
        game.apply({"solver_0": truth, "solver_1": f"<answer>{truth}</answer>"})
    game.apply({"solver_0": truth, "solver_1": wrong})
    assert game.returns() == {"solver_0": 1.0, "solver_1": 0.0}


@pytest.mark.parametrize("id", CLOSED)
def test_the_conformance_kit_finds_nothing(id):
    games.check(id, episodes=2).raise_if_failed()
