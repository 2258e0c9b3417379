"""Suites of an evaluation and its anchors."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from arena import Decision, Player, players
from arena.evaluation import Accuracy, Suite, measure, play_anchor, suite_lines, wilson
from arena.evaluation.anchors import plans
from arena.evaluation.suite import best_constant
from games import InputError, tasks
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers import arithmetic
from tests.toys.team_games import Tug


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
    assert rates["subtract"] == rates["multiply"] == rates["mixed"] == 0.0  # a mixed expression has a product
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


def test_wilson_has_the_published_values():
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_a_probability(case):
    successes, n = case
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n + 1e-12
    assert successes / n - 1e-12 <= high <= 1


def test_the_solver_does_not_lose_to_itself_and_beats_random_in_both_seats():
    spec = games.make("openspiel/tic_tac_toe").spec
    solver, random = players.make("solver"), players.make("random")
    for score in asyncio.run(play_anchor(solver, solver, spec, 10)):
        assert (score.matches, score.wins, score.draws, score.rate) == (10, 0, 10, 0.5)
    scores = asyncio.run(play_anchor(solver, random, spec, 60, seed=1))
    assert [s.seat for s in scores] == ["player_0", "player_1"]
    assert all(s.wins + s.draws == 60 and s.rate > 0.8 and s.low < s.rate < s.high and s.illegal == 0 for s in scores)
    assert scores == asyncio.run(play_anchor(solver, random, spec, 60, seed=1))


def test_the_progress_counts_matches_from_the_beginning():
    random, counted = players.make("random"), list[tuple[int, int]]()
    spec = games.make("openspiel/kuhn_poker").spec
    asyncio.run(play_anchor(random, random, spec, 6, concurrency=4, progress=lambda *counts: counted.append(counts)))
    assert counted[0] == (0, 12)
    assert counted[-1] == (12, 12)
    assert counted == sorted(counted)
    assert len(counted) > 2


def test_among_strangers_the_player_takes_one_seat_of_a_team():
    spec = games.make("spy(closed=true,players=3,rounds=1)").spec
    seats = [plan.seats for plan in plans(spec, "player", "anchor", ["spy", "civilian_0"], 1, 0)]
    assert [list(by.values()) for by in seats] == [["player", "anchor", "anchor"], ["anchor", "player", "anchor"]]
    scores = asyncio.run(play_anchor(players.make("random"), players.make("random"), spec, 20))
    assert [(s.seat, s.role, s.matches, s.wins + s.draws < 20) for s in scores] == [
        ("spy", "spy", 20, True),
        ("civilian_0", "civilian", 20, True),
    ]


def test_a_team_plays_as_one():
    games.register("tug-v0")(Tug)
    scores = asyncio.run(play_anchor(players.make("random"), players.make("random"), Tug.spec, 40, seed=2))
    assert [s.seat for s in scores] == ["a1", "b1"]
    for score in scores:
        assert score.matches == 40
        assert 0 < score.wins < 40 - score.draws


def test_a_report_names_the_player_that_was_made():
    """A text may stand for another name, such as that of a run for its newest snapshot, whatever that is called."""
    made = players.make("random", "step nine")
    assert measure("newest", "openspiel/kuhn_poker", matches=0, make=lambda text: made).player == "step nine"
