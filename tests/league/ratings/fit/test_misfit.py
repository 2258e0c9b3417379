"""Wrong ratings of anchors are found by the matches, right ones are not reported; simulated players of known skill."""

import numpy as np
import pytest

from league.ratings import SkillModel
from league.ratings.comparisons import Counts
from league.ratings.fit.misfit import misfits
from tests.league.ratings.simulation import BETA, names, play, random_pairs


def league(seed, wrong=0.0, sd=0.0, players=6, anchors=3, matches=60):
    """The misfits of a league whose first players are anchors, rated at their true skill up to an error by `sd`; or all
    at their true skill but the first, which is `wrong` off.
    """
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, 1.0, players)
    first, second = random_pairs(rng, players, players * matches // 2)
    counts = Counts.of_matches(names(players), first, second, play(rng, skill, first, second))
    stated = 25.0 + BETA * skill[:anchors] + rng.normal(0.0, 1.0, anchors) * (0.0 if wrong else sd)
    stated[0] += wrong * (-1) ** seed
    return misfits(SkillModel(), counts, {name: (r, sd) for name, r in zip(names(anchors), stated, strict=True)})


@pytest.mark.parametrize(
    ("sd", "players", "anchors"),
    [(0.0, 6, 3), (0.0, 2, 2), (2.0, 6, 3), pytest.param(0.0, 12, 5, marks=pytest.mark.slow)],
)
def test_right_ratings_are_reported_in_at_most_5_percent(sd, players, anchors):
    assert sum(bool(league(seed, 0.0, sd, players, anchors)) for seed in range(100)) <= 5


def test_a_wrong_rating_is_found_and_right_ones_are_not_blamed():
    """8 points are two standard deviations of a performance. A pair is reported if either may be wrong."""
    reports = [league(seed, 8.0, matches=100) for seed in range(100)]
    assert sum(any("p000" in (one.player, one.other) for one in report) for report in reports) >= 95
    assert sum(any("p000" not in (one.player, one.other) for one in report) for report in reports) <= 5
    alone = [
        (seed, one) for seed, report in enumerate(reports) for one in report if one.player == "p000" and not one.other
    ]
    assert len(alone) > 60
    right = [abs(one.estimate - (one.stated - 8.0 * (-1) ** seed)) <= one.reach for seed, one in alone]
    assert np.mean(right) > 0.85


def test_of_two_anchors_the_matches_know_only_the_distance():
    (report,) = league(3, 12.0, players=2, anchors=2, matches=200)
    assert {report.player, report.other} == {"p000", "p001"}
    assert "above anchor" in str(report)


def test_an_error_within_the_stated_uncertainty_is_no_misfit():
    """6 points contradict an exact rating, and are one and a half standard deviations of an uncertain one."""
    exact = [bool(league(seed, 6.0, matches=200)) for seed in range(20)]
    loose = [bool(league(seed, 6.0, sd=4.0, matches=200)) for seed in range(20)]
    assert sum(exact) >= 19
    assert sum(loose) <= 1


def test_anchors_that_no_matches_link_are_not_compared():
    first, second, result = np.array([0, 0, 2]), np.array([1, 1, 3]), np.array([0, 0, 0])
    counts = Counts.of_matches(names(4), first, second, result)
    assert misfits(SkillModel(), counts, {"p000": (0.0, 0.0), "p002": (100.0, 0.0)}) == ()
    assert misfits(SkillModel(), counts, {"p000": (0.0, 0.0)}) == ()


def test_an_unbeaten_anchor_may_be_as_strong_as_it_is_said_to_be():
    """40-0 fits 15 points and more, but not 2."""
    first = np.arange(40) % 2
    second, result = 1 - first, 2 * first
    counts = Counts.of_matches(names(2), first, second, result)
    for gap, contradicted in ((15.0, False), (60.0, False), (2.0, True)):
        assert bool(misfits(SkillModel(), counts, {"p000": (25.0 + gap, 0.0), "p001": (25.0, 0.0)})) is contradicted
