import numpy as np
import pytest

from league.outcomes.table import OutcomeTable
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult
from league.sprt import always_valid, over_games, pair_scores

GAME = {"game": GameInfo("zero_sum", ("a", "b"))}
LOOKS = (2, 4, 6, 9, 13, 20, 30, 45, 70, 100)


def false_claims(rng, trials, luck, tasks):
    """Pairs of equal players, a look after ever more pairs of matches: in how many trials one of them is called better.

    `luck`: standard deviation, in beta, of what a task is worth to either of them.
    """
    out = 0
    for _ in range(trials):
        task = rng.integers(tasks, size=LOOKS[-1]) + 1 if luck else np.zeros(LOOKS[-1], np.int64)
        gap = luck * rng.normal(0.0, 2.0**0.5, tasks + 1)[task] + rng.normal(0.0, 2.0**0.5, (2, LOOKS[-1]))
        scores = (gap > 0.0).mean(0)
        out += any(low > 0.5 or high < 0.5 for low, high in (always_valid(scores[:n], task[:n], 0.05) for n in LOOKS))
    return out


@pytest.mark.slow
@pytest.mark.parametrize(("luck", "tasks"), [(0.0, 1), (0.5, 10), (1.0, 10), (1.0, 30)])
def test_equal_players_are_rarely_told_apart_however_often_one_looks(luck, tasks):
    assert false_claims(np.random.default_rng(7), 100, luck, tasks) <= 5


def test_a_better_player_is_found_and_a_task_that_comes_again_is_not_more_evidence():
    scores, alone = np.tile([1.0, 1.0, 0.5, 1.0], 10), np.zeros(40, np.int64)
    low, high = always_valid(scores, alone, 0.05)
    assert 0.5 < low < scores.mean() < high < 1.0
    assert always_valid(scores, alone + 1, 0.05).low < 0.01  # one task: hardly anything about others
    assert always_valid(scores, np.arange(40) % 20 + 1, 0.05).low < low


def test_no_scores_say_nothing_and_a_smaller_error_says_less():
    assert always_valid(np.zeros(0), np.zeros(0, np.int64), 0.05) == (0.0, 1.0)
    scores, tasks = np.ones(20), np.zeros(20, np.int64)
    assert always_valid(scores, tasks, 0.001).low < always_valid(scores, tasks, 0.05).low


def result(index, first, second, score, task=0, pairing=None):
    seats = SeatResult("a", "a", first, score), SeatResult("b", "b", second, -score)
    return Result(index, 0, pairing or f"q{index}", f"m{index}", "game", index, "finished", "", seats, 0.0, task=task)


def scores_of(*results):
    table = OutcomeTable(GAME)
    table.add(results)
    return pair_scores(table.rows(), GAME, "x").get(("y", "game"))


def test_a_score_needs_both_seats():
    assert scores_of(result(0, "x", "y", 1.0), result(1, "x", "y", 1.0)) == ([], [])
    assert scores_of(result(0, "x", "y", 1.0), result(1, "x", "y", 1.0), result(2, "y", "x", 1.0)) == ([0.5], [0])
    pair = result(0, "x", "y", 1.0, 3, "q"), result(1, "y", "x", -1.0, 3, "q")
    assert scores_of(*pair) == ([1.0], [3])
    assert scores_of(result(0, "x", "y", 1.0, 3), result(1, "y", "x", 1.0, 4)) == ([], [])


def test_each_game_has_the_same_weight():
    table = OutcomeTable(GAME)
    table.add([result(k, *(("x", "y") if k % 2 else ("y", "x")), 1.0 if k % 2 else -1.0) for k in range(80)])
    won = pair_scores(table.rows(), GAME, "x")["y", "game"]
    lost = pair_scores(table.rows(), GAME, "y")["x", "game"]
    one, other = over_games([won], 0.05), over_games([lost], 0.05)
    both = over_games([won, lost], 0.05)
    assert one.low > 0.5 > other.high
    assert both == pytest.approx(((one.low + other.low) / 2, (one.high + other.high) / 2))
