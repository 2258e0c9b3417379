"""Cycles and the disc dimension: found where they are, not found where one number orders the players."""

import numpy as np
import pytest
from scipy.special import ndtr

from league.board.printed import board_text, to_json
from league.config.tournament import RatingConfig
from league.ratings import GameInfo
from league.ratings.engine import RatingEngine
from league.ratings.fit.cycles import disc, hodge
from league.records.leaderboard import Cycle, Leaderboard, MatchCounts
from league.records.matches import Result, SeatResult


def league(n, games, circle, seed):
    """Points of players with skills and, at strength `circle`, places on a circle."""
    rng = np.random.default_rng(seed)
    skill, angle = rng.normal(0, 1, n), rng.uniform(0, 2 * np.pi, n)
    odds = np.subtract.outer(skill, skill) + circle * np.sin(np.subtract.outer(angle, angle))
    won = np.triu(rng.binomial(games, 1 / (1 + np.exp(-odds))), 1).astype(float)
    points = won + np.tril(games - won.T, -1)
    return points, points + points.T, odds


def test_false_alarms_are_rare_and_cycles_are_found():
    alarms = [hodge(*league(8, 20, 0.0, seed)[:2]).p_value < 0.05 for seed in range(150)]
    found = [hodge(*league(8, 20, 1.5, seed)[:2]).p_value < 0.05 for seed in range(60)]
    assert np.mean(alarms) <= 0.05
    assert np.mean(found) >= 0.8


def test_a_wide_field_has_no_cycles():
    """A logit of the counts found cycles in 49% of such leagues of 3 beta."""
    alarms = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0.0, 3.0, 12)
        p = ndtr(np.subtract.outer(skill, skill) / 2**0.5)
        won = np.triu(rng.binomial(200, p), 1).astype(float)
        points = won + np.tril(200 - won.T, -1)
        alarms.append(hodge(points, points + points.T).p_value < 0.05)
    assert np.mean(alarms) <= 0.1


def test_the_disc_predicts_a_circle_that_no_ranking_does():
    points = np.array([[0, 90, 10], [10, 0, 90], [90, 10, 0]], float)
    found = disc(points, points + points.T)
    assert np.abs(found.ranking).max() < 1e-3
    circle, rate = found.clearest_cycle()
    assert sorted(circle) == [0, 1, 2]
    assert (circle[1] - circle[0]) % 3 == 1
    assert 0.8 < rate < 0.92
    points, games, odds = league(10, 200, 1.5, 3)
    fitted = disc(points, games)
    assert fitted.explained > 0.5
    assert np.corrcoef(fitted.odds[np.triu_indices(10, 1)], odds[np.triu_indices(10, 1)])[0, 1] > 0.97


def test_in_a_transitive_league_the_disc_explains_nothing():
    assert np.median([disc(*league(8, 20, 0.0, seed)[:2]).explained for seed in range(3)]) <= 0.0


@pytest.mark.parametrize(("rate", "told"), [(0.9, True), (0.5, False)])
def test_the_board_says_that_one_number_does_not_order_the_players(rate, told):
    rng, log = np.random.default_rng(1), []
    for first, second in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")):
        for n in range(40):
            score = 1.0 if rng.random() < rate else -1.0
            seats = tuple(
                SeatResult(s, s, p, x) for s, p, x in zip("ab", (first, second), (score, -score), strict=True)
            )
            log.append(Result(len(log), 0, f"{first}{n}", f"m{len(log)}", "g", n, "finished", "", seats, 0.1))
    ratings = RatingEngine({"g": GameInfo("zero_sum", ("a", "b"))}, RatingConfig(), ("rock", "scissors", "paper"))
    ratings.add(log)
    shown = ratings.final("r", MatchCounts())
    assert ("g" in to_json(shown)["cycles"]) is told
    assert ("one number cannot order these players" in board_text(shown).plain) is told
    if told:
        at = shown.cycles["g"].players
        assert " beats ".join(at[at.index("rock") :] + at[: at.index("rock")]) == "rock beats scissors beats paper"
        assert shown.cycles["g"].win_rate > 0.7


def test_gaps_that_do_not_add_up_are_no_cycle():
    """Points of three players in tic-tac-toe: a beats c 57 to 43, and both beat b alike, by 94 and 96."""
    points = np.array([[0, 750, 460], [50, 0, 32], [340, 768, 0]], float)
    test, clearest = hodge(points, points + points.T), disc(points, points + points.T).clearest_cycle()
    assert (test.p_value < 0.05, clearest) == (True, None)
    at = Leaderboard("r", (), {}, {}, MatchCounts(), cycles={"g": Cycle(test.p_value, test.share, 0.0, (), 0.5, {})})
    text = board_text(at).plain
    assert "the gaps between players do not add up" in text
    assert "cannot order" not in text
