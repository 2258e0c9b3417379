"""forum: who reads whose answer, strict marks, the rewards of CoMAS."""

import pytest

from arena.learner import credits_of
from arena.match import MatchPlan, play
from games.native.common.rewards import comas
from roles.rewards import monitors
from tests import golden
from tests.games.native import matches
from tests.games.native.matches import episode_of
from tests.toys.players import first_example

SOLVERS = ("solver_0", "solver_1", "solver_2")


def started(seed=0, rules="published", **params):
    written = "".join(f",{key}={value}" for key, value in params.items())
    return matches.started(f"forum(rules={rules}{written})", seed)


@pytest.mark.parametrize(("score", "paid"), [(1, (0, 1, 0)), (2, (0.5, 0.5, 0)), (3, (1, 0, 0)), (None, (0, 0, -1))])
def test_rewards_to_the_digit(score, paid):
    assert comas(score) == paid


@pytest.mark.parametrize(("text", "score"), golden.rows(__file__, "forum_a_digit_in_a_text_is_no_mark"))
def test_a_digit_in_a_text_is_no_mark(text, score):
    game = started(agents=1, rounds=1)
    for said in ({"solver_0": "7"}, {"evaluator_0": "Fine."}, {"scorer_0": text}):
        game.apply(said)
    assert game.facts()["posts"][0]["score"] == score
    assert ("scorer_0" in game.facts()["unread"]) == (score is None)


def test_the_outcome_of_each_seat():
    game = started(rules="truth", agents=1, rounds=1)
    for move in ({"solver_0": "It is 7."}, {"scorer_0": "3"}, {"evaluator_0": "No."}, {"scorer_0": "1"}):
        game.apply(move)
    assert monitors.truths(episode_of(game)) == {"solver_0": 0.0, "evaluator_0": 1.0, "scorer_0": 1.0}
    assert monitors.violations(episode_of(game)) == set()


def played(game):
    """Play a match in which every seat writes its own name and scorers write 2; yield before every stage."""
    while game.acting:
        yield game
        game.apply({seat: "2" if seat.startswith("scorer") else f"I am {seat}" for seat in game.acting})


def test_each_answer_is_looked_at_once_by_somebody_drawn():
    partners = set()
    for seed in range(30):
        game = started(seed, agents=3)
        for _ in played(game):
            pass
        posts = game.facts()["posts"]
        for now in (1, 2):
            mine = [p for p in posts if p["round"] == now]
            for role in ("solver", "evaluator", "scorer"):
                assert len({p[role] for p in mine}) == 3
        partners |= {(p["solver"], p["evaluator"], p["scorer"]) for p in posts}
    assert len(partners) == 27


def test_solvers_see_two_earlier_answers_from_the_second_round_on():
    game, shown = started(agents=3), []
    for now in played(game):
        if now.acting == SOLVERS:
            shown.append([now.observe(s).text.count("[earlier answer]") for s in SOLVERS])
    assert shown == [[0, 0, 0], [2, 2, 2]]


def test_an_evaluator_sees_one_answer_and_no_mark():
    game = started(agents=3)
    game.apply({s: f"I am {s}" for s in SOLVERS})
    seen = [[s for s in SOLVERS if f"I am {s}" in game.observe(seat).text] for seat in game.acting]
    assert sorted(seen) == [[s] for s in SOLVERS]


def test_truth_is_written_down_and_pays_nothing():
    game = started(agents=1, rounds=1)
    for _ in played(game):
        pass
    right = game.facts()
    assert [p["right"] for p in right["posts"]] == [False]
    game = started(agents=1, rounds=1)
    game.apply({"solver_0": f"I need 2 steps. It is {right['truth']}."})
    game.apply({"evaluator_0": "No."})
    game.apply({"scorer_0": "1"})
    assert [p["right"] for p in game.facts()["posts"]] == [True]
    assert game.returns()["solver_0"] == 0.0


def test_a_fraction_that_is_no_number_in_lowest_terms_is_no_answer():
    game = started(agents=1, rounds=1)
    game.apply({"solver_0": f"It is {2 * int(game.facts()['truth'])}/2."})
    game.apply({"evaluator_0": "No."})
    game.apply({"scorer_0": "1"})
    assert [p["right"] for p in game.facts()["posts"]] == [False]


def test_roles_are_credited_with_the_returns():
    game = started(closed="true")
    seats = dict.fromkeys(game.spec.seats, "p")
    episode = play(game, MatchPlan("m", game.spec.id, 0, seats), dict.fromkeys(seats, first_example()))
    assert {c.seat: c.reward for c in credits_of([episode], {"p"})} == episode.returns


@pytest.mark.parametrize(("first", "evaluator", "scorer"), [("right", 0, 1), ("middle", 1, 0.5), ("wrong", 2, 0)])
def test_an_evaluator_earns_what_the_second_mark_is_better(first, evaluator, scorer):
    """One that always found no error earned as much as a good one beside a scorer that needs neither."""
    game = started(rules="truth", agents=2, rounds=1)
    truth = game.facts()["truth"]
    game.apply({"solver_0": f"It is {truth}.", "solver_1": f"It is {int(truth) + 10}."})
    right = {seat: "3" if f" {truth}." in game.observe(seat).text else "1" for seat in game.acting}
    marks = {"right": right, "wrong": {seat: str(4 - int(m)) for seat, m in right.items()}}
    game.apply(marks.get(first) or dict.fromkeys(right, "2"))
    game.apply(dict.fromkeys(game.acting, "I find no error."))
    game.apply(right)
    paid = game.returns()
    assert [paid[f"{role}_{i}"] for role in ("evaluator", "scorer") for i in "01"] == [evaluator] * 2 + [scorer] * 2


@pytest.mark.parametrize(("off", "paid"), [(10, 1.0), (1, 0.0), (-(10**7), 0.0)])
def test_a_mark_is_paid_if_it_takes_the_whole_calculation(off, paid):
    game = started(rules="truth", agents=2, rounds=1)
    truth = int(game.facts()["truth"])
    game.apply({"solver_0": f"It is {truth}.", "solver_1": f"It is {truth + off}."})
    right = {seat: "3" if f"is {truth}." in game.observe(seat).text else "1" for seat in game.acting}
    game.apply(right)
    game.apply(dict.fromkeys(game.acting, "No."))
    game.apply(right)
    assert [game.returns()[seat] for seat in right] == [paid, paid]
