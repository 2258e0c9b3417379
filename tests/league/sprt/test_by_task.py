"""Two players on the same tasks: the pairs narrow the interval and keep what it covers."""

import numpy as np
import pytest

from games import InputError
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult
from league.sprt.by_task import TaskDifference, by_task, difference, tasks_needed

GAMES = {"game": GameInfo("zero_sum", ("a", "b")), "deal": GameInfo("general_sum", ("a", "b"))}


def trials(luck, tasks, repeats=8, number=400, gap=0.3, seed=3):
    """Coverage and mean width of both intervals, (2,) each. Two players meet a third on `tasks` tasks, so often each;
    `luck`: how far tasks differ, in the unit of a performance. A third as strong knows the truth by a long run.
    """
    rng = np.random.default_rng(seed)

    def shares(skill, hard, size):
        return (skill + hard[:, None] + rng.normal(size=(len(hard), size)) > 0.0).mean(1)

    many = luck * rng.normal(size=200_000)
    truth = (shares(gap, many, 1) - shares(0.0, many, 1)).mean()
    held, wide = np.zeros(2), np.zeros(2)
    for _ in range(number):
        hard = luck * rng.normal(size=tasks)
        _, low, high, low2, high2, _ = difference(shares(gap, hard, repeats), shares(0.0, hard, repeats))
        held += low <= truth <= high, low2 <= truth <= high2
        wide += high - low, high2 - low2
    return held / number, wide / number


@pytest.mark.parametrize(("luck", "ratio"), [(1.0, 0.65), (2.0, 0.5)])
def test_pairs_make_the_interval_narrower_at_the_same_coverage(luck, ratio):
    (paired, unpaired), (narrow, wide) = trials(luck, 30)
    assert narrow < ratio * wide
    assert 0.92 <= paired <= 0.98
    assert unpaired > paired


def test_tasks_that_are_alike_make_it_hardly_wider():
    (paired, unpaired), (narrow, wide) = trials(0.0, 30)
    assert 0.97 < narrow / wide < 1.06
    assert 0.92 <= paired <= 0.98
    assert 0.92 <= unpaired <= 0.98


def result(index, first, second, score, task, game="game", status="finished"):
    seats = SeatResult("a", "a", first, score), SeatResult("b", "b", second, -score)
    return Result(index, 0, f"q{index}", f"m{index}", game, index, status, "", seats, 0.0, task=task)


def log():
    """x wins two of four tasks against z, y one; then what must not count."""
    scores = [
        ("x", 1, 1),
        ("x", 2, 1),
        ("x", 3, -1),
        ("x", 4, -1),
        ("y", 1, 1),
        ("y", 2, 0),
        ("y", 3, -1),
        ("y", 4, -1),
    ]
    kept = [result(n, who, "z", score, task) for n, (who, task, score) in enumerate(scores)]
    return kept, [
        result(20, "x", "z", 1, 9),  # a task that y has not played
        result(21, "z", "y", 1, 9),  # in another seat
        result(22, "y", "w", 1, 9),  # against another player
        result(23, "x", "y", 1, 1),  # against each other
        result(24, "x", "z", 1, 0),  # no task
        result(25, "y", "z", 1, 4, status="void"),
    ]


def test_only_equal_tasks_seats_and_opponents_are_compared():
    kept, others = log()
    alone, all_of_them = (by_task(rows, GAMES, "x", "y") for rows in (kept, kept + others))
    assert alone == all_of_them
    assert (alone.tasks, alone.difference) == (4, pytest.approx(0.125))  # a draw is half a point
    turned = by_task(kept, GAMES, "y", "x")
    assert (turned.difference, turned.low) == (-alone.difference, -alone.high)
    assert alone.high - alone.low < alone.unpaired_high - alone.unpaired_low


def test_a_task_counts_once_however_often_it_is_played():
    kept, _ = log()
    again = [result(100 + n, one.seats[0].player, "z", one.seats[0].score, one.task) for n, one in enumerate(kept)]
    assert by_task(kept + again, GAMES, "x", "y") == by_task(kept, GAMES, "x", "y")


def test_returns_are_compared_where_matches_are_not_won():
    rows = [result(n, who, "z", 0.1 * n, 1 + n // 2, "deal") for n, who in enumerate("xyxyxy")]
    assert by_task(rows, GAMES, "x", "y").difference == pytest.approx(-0.1)


def test_too_few_tasks_are_refused():
    kept, _ = log()
    with pytest.raises(InputError, match="x and y have 1 of the 3 tasks or openings that are needed"):
        by_task([one for one in kept if one.task == 1], GAMES, "x", "y")


def test_the_tasks_that_a_plan_asks_for_give_the_interval_that_it_promises():
    rng, reach = np.random.default_rng(11), 0.04

    def played(tasks):
        hard = rng.normal(size=tasks)
        first, second = (np.clip(0.5 - 0.2 * hard + 0.1 * rng.normal(size=tasks), 0, 1) for _ in range(2))
        return TaskDifference("x", "y", tasks, *difference(first, second))

    plan = tasks_needed(played(60), reach)
    assert plan.paired < 0.5 * plan.unpaired
    for tasks, low, high in ((plan.paired, "low", "high"), (plan.unpaired, "unpaired_low", "unpaired_high")):
        then = played(tasks)
        assert (getattr(then, high) - getattr(then, low)) / 2 == pytest.approx(reach, rel=0.35)


def test_tasks_on_which_all_score_the_same_say_nothing_about_others():
    flat = TaskDifference("x", "y", 5, *difference(np.ones(5), np.ones(5)))
    with pytest.raises(InputError, match="the same on all 5 tasks"):
        tasks_needed(flat, 0.05)
