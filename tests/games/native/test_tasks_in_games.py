"""debate, forum and critic with a task source; kinds of errors in critic; a debate judge who sees evidence only."""

import pytest

import games
from games import InputError, tasks
from games.native.critic import critic
from games.native.debate import debate
from games.native.forum import forum

CAPITALS = "facts(family=capital)"


def started(cls, seed=0, task="", **params):
    game = cls(**params)
    game.load_task(task)
    game.reset(seed)
    return game


@pytest.mark.parametrize("base", ["debate", "forum", "critic"])
def test_a_pooled_task_is_posed_again_and_a_measured_one_refused(base):
    game = games.make(f"{base}(tasks={CAPITALS})")
    game.reset(3)
    id = game.facts()["task"]
    again = games.make(game.spec.id)
    assert again.spec.id == game.spec.id
    assert again.spec.id.endswith(f"(tasks={CAPITALS})")
    assert again.pools
    again.load_task(id)
    again.reset(99)
    assert again.facts()["task"] == id
    assert again.facts()["pooled"]
    question = game.task_source.load(id).question
    assert question in again.observe(next(iter(again.spec.seats))).text
    with pytest.raises(InputError, match="split test"):
        again.load_task(tasks.suite(CAPITALS).draw(0).id)
    plain = games.make(base)
    with pytest.raises(InputError, match="does not use tasks"):
        plain.load_task(id)


def test_debaters_argue_for_answers_of_which_the_verifier_accepts_one():
    for seed in range(20):
        game = started(debate, seed, tasks=CAPITALS, debaters=4, rounds=1)
        task = game.task_source.load(game.facts()["task"])
        answers = game.data("judge")["answers"]
        right = [letter for letter, text in answers.items() if game.task_source.grade(task, text).ok]
        assert right == [game.facts()["right"]]
        assert len(set(answers.values())) == 4


def test_a_family_with_too_few_answers_says_so():
    game = debate(tasks="facts(family=continent)", debaters=4)
    game.reset(0)
    assert len(game.data("judge")["answers"]) == 4
    with pytest.raises(InputError, match="fewer than 3 wrong answers"):
        started(debate, tasks="reasoning-gym(families=syllogism,difficulty=small)", debaters=4)


def test_forum_solutions_are_graded_by_the_verifier():
    game = started(forum, tasks=CAPITALS, agents=2, rounds=1)
    right = game.facts()["truth"]
    game.apply({"solver_0": f"I think so. <answer>{right}</answer>", "solver_1": "<answer>Atlantis</answer>"})
    marks = {"scorer_0": "3", "scorer_1": "3"}
    for messages in (marks, {"evaluator_0": "Yes.", "evaluator_1": "No."}, marks):
        game.apply(messages)
    assert {post["solver"]: post["right"] for post in game.facts()["posts"]} == {"solver_0": True, "solver_1": False}


def shown_a_draft(first):
    """A match about capitals in which this seat acts first."""
    matches = (started(critic, seed, tasks=CAPITALS) for seed in range(99))
    return next(game for game in matches if game.acting == (first,))


def test_a_critic_judges_answers():
    game = shown_a_draft("sneaky")
    right = game.facts()["true"]
    assert f"The correct answer: {right}" in game.observe("sneaky").text
    assert right not in game.observe("critic").text
    game.apply({"sneaky": "<answer>Atlantis</answer>"})
    assert "The answer to judge: Atlantis" in game.observe("critic").text
    game.apply({"critic": "incorrect"})
    assert game.returns() == {"sneaky": -1.0, "critic": 1.0}
    for text in (f"<answer>{right}</answer>", f"<answer>{right.upper()}.</answer>", "It is wrong, or is it?"):
        honest = shown_a_draft("sneaky")
        honest.apply({"sneaky": text})
        assert honest.returns() == {"sneaky": -1.0, "critic": 0.0}, text


def test_a_critic_is_shown_the_reference_answer_in_control_matches():
    game = shown_a_draft("critic")
    game.apply({"critic": "correct"})
    assert game.returns() == {"sneaky": 0.0, "critic": 1.0}


def test_taboo_and_spy_draw_from_a_vocabulary():
    taboo = games.make("taboo(tasks=vocabulary(category=animal))")
    words = set()
    for seed in range(60):
        taboo.reset(seed)
        word = taboo.data("attacker")["word"].text
        words.add(word)
        assert word not in taboo.observe("defender").text
    assert len(words) > 25
    spy = games.make("spy(tasks=vocabulary)")
    pairs = set()
    for seed in range(60):
        spy.reset(seed)
        pairs.add(tuple(spy.data(seat)["word"].text for seat in ("spy", "civilian_0")))
    assert len(pairs) > 40
    assert all(a != b for a, b in pairs)
    for base in ("taboo", "spy"):
        with pytest.raises(InputError, match="no words to draw"):
            games.make(f"{base}(tasks=arithmetic)")
    with pytest.raises(InputError, match="leave out words and closed"):
        games.make("taboo(tasks=vocabulary, closed=true)")
