"""One set of draws behind every number of a table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ndtr

from league.ratings import Counts, SkillModel
from league.ratings.fit.elliptical_slice import sample
from league.ratings.fit.fit import Fit
from league.ratings.fit.model import Model
from league.ratings.fit.rank_ranges import rank_ranges, ranks_of
from league.ratings.fit.skill_draws import DRAWS, LIVE, quasi_variances
from tests.league.ratings.simulation import names, play, random_pairs

MODEL = SkillModel(groups=1)


def duel(won, lost):
    """The counts of two players who take seats in turn; the first wins so many matches and loses so many."""
    outcome, first = np.concatenate([np.zeros(won, int), np.full(lost, 2)]), np.arange(won + lost) % 2
    return Counts.of_matches(("a", "b"), first, 1 - first, np.where(first == 0, outcome, 2 - outcome))


def test_draws_of_an_unbeaten_player_follow_the_exact_posterior_given_the_widths():
    counts = duel(10, 0)
    counts.columns[4] = counts.columns[3]  # no seat term
    model = Model(MODEL, counts, {}, {})
    at, spread = model.solve()
    (width,) = model.prior.widths
    width.variance = 0.0
    draws = sample(model, at, model.weight(spread), 4000, 0.0, 1)
    gap = np.linspace(-5.0, 20.0, 5001)
    density = ndtr(gap) ** 10 * np.exp(-0.25 * width.alpha * gap * gap)
    shares = [0.025, 0.25, 0.5, 0.75, 0.95]
    exact = np.interp(shares, np.cumsum(density) / density.sum(), gap)
    assert np.quantile(draws.x[0] - draws.x[1], shares) == pytest.approx(exact, rel=0.08)
    assert draws.effective < 0.9


@pytest.mark.parametrize("won", [10, 36])
def test_a_loss_makes_nobody_surer(won):
    """Shown before: 99.0% above the next row for 36-0 and 99.996% for 36-1."""
    unbeaten, beaten = (MODEL.fit(duel(won, lost)) for lost in (0, 1))
    assert unbeaten.posterior.above("a", "b") >= max(0.998, beaten.posterior.above("a", "b"))
    gaps = [np.quantile(fit.posterior.skills[0] - fit.posterior.skills[1], 0.025) for fit in (unbeaten, beaten)]
    assert gaps[0] > gaps[1]
    points = [fit.posterior.expected_points("a", "b") for fit in (unbeaten, beaten)]
    assert points[0].low > points[1].low
    assert points[0].high == 100.0 > points[1].high
    assert unbeaten.posterior.expected_points("b", "a").low == 0.0
    low, high = unbeaten.interval()
    assert high[0] - unbeaten.ratings[0] > 1.3 * (unbeaten.ratings[0] - low[0])


def test_points_of_a_pair_add_up_and_a_player_makes_half_of_them_against_itself():
    draws = MODEL.fit(duel(7, 5)).posterior
    one, other = draws.expected_points("a", "b"), draws.expected_points("b", "a")
    assert one.mean + other.mean == pytest.approx(100.0)
    assert one.low == pytest.approx(100.0 - other.high, abs=0.2)
    assert draws.expected_points("a", "a") == pytest.approx((50.0, 50.0, 50.0))


@pytest.mark.parametrize("scale", [1.0, 30.0, 1e6])
def test_only_the_reference_has_no_interval_and_every_mean_lies_in_its_own(scale):
    """Skills so far apart that all points are rounded to 0 and 100, and draws so skewed that the mean is an outlier."""
    draws = MODEL.fit(duel(36, 0)).posterior
    skills = draws.skills * np.array([[scale], [scale]])
    skills[1, :20] = skills[0, :20]
    for reference in (0, 1):
        points = replace(draws, skills=skills, _memo={}).all_points(reference)
        assert [p.low == p.high for p in points] == [reference == 0, reference == 1]
        assert all(0.0 <= p.low <= p.mean <= p.high <= 100.0 for p in points)


def field(seed, n=8, spread=1.0, each=20, perfect=True):
    """The true skills of a random field, the first unbeaten, and its fit."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, spread, n)
    first, second = random_pairs(rng, n, each * n // 2)
    skill[0] += 12.0 * perfect
    return skill, MODEL.fit(Counts.of_matches(names(n), first, second, play(rng, skill, first, second)))


def test_no_column_contradicts_another_and_ranks_hold_together_at_about_their_level():
    held = []
    for seed in range(16):
        skill, fit = field(seed, 4 + seed % 5, 0.4 + 0.4 * (seed % 3), perfect=seed % 2 == 0)
        fit = replace(fit, number=LIVE if seed % 4 else DRAWS)
        draws, order = fit.posterior, fit.order()
        ranges, best = draws.rank_ranges(order), draws.p_best(order)
        above = draws.above_next(order, ranges)
        assert draws.skills.shape[1] == fit.number
        assert (best[0] >= 0.95) == (ranges[0] == (1, 1))
        for k, (here, after) in enumerate(pairwise(ranges)):
            assert (above[k] > 0.95) == (here[1] < after[0]) or above[k] == 0.95
            assert above[k] >= 0.5
        assert draws.p_order(order)[0] == pytest.approx(best[0])
        rank = ranks_of(skill[:, None])[order, 0]
        held.append(all(low <= r <= high for (low, high), r in zip(ranges, rank.tolist(), strict=True)))
    assert 0.8 <= np.mean(held) <= 1.0


def test_ranges_hold_in_the_stated_share_of_draws_and_are_not_wider():
    rng = np.random.default_rng(0)
    skills = rng.normal(np.linspace(2.0, -2.0, 8)[:, None], 0.7, (8, 4000))
    low, high = rank_ranges(ranks_of(skills))
    inside = ((ranks_of(skills) >= low[:, None]) & (ranks_of(skills) <= high[:, None])).all(0).mean()
    assert 0.95 <= inside < 0.985
    assert rank_ranges(ranks_of(skills[:1])) == (np.array([1]), np.array([1]))
    sure = np.array([[3.0], [2.0], [1.0]]) + 0.1 * skills[:3]
    assert rank_ranges(ranks_of(sure))[0].tolist() == rank_ranges(ranks_of(sure))[1].tolist() == [1, 2, 3]


def test_one_player_that_is_hardly_known_widens_no_other_row():
    """All others see only their comparisons; the mean of all players contains the error of the last one."""
    covariance = np.diag([1.0, 1.0, 1.0, 1.0, 400.0])
    assert quasi_variances(covariance) == pytest.approx(np.diag(covariance), rel=0.02)
    centre = np.eye(5) - 0.2
    fit = Fit(names(5), np.full(5, 25.0), centre @ covariance @ centre, np.ones(5, bool), {})
    low, high = fit.interval()
    assert (high - low)[:4] == pytest.approx(2 * 1.96, rel=0.1)
    assert (high - low)[4] == pytest.approx(2 * 1.96 * 20.0, rel=0.1)


def test_draws_are_as_wide_as_the_fit_and_as_the_sandwich():
    _, plain = field(3, perfect=False)
    assert np.std(plain.posterior.skills, axis=1) == pytest.approx(plain.sd, rel=0.2)
    rng = np.random.default_rng(1)
    first, second = random_pairs(rng, 4, 200)
    counts = Counts.of_matches(names(4), first, second, play(rng, np.zeros(4), first, second))
    robust = replace(MODEL, intervals="sandwich").fit(counts)
    assert np.std(robust.posterior.skills, axis=1) == pytest.approx(robust.sd, rel=0.2)


def test_a_player_without_a_match_is_as_unsure_as_the_width_of_the_field():
    """Four others say little of it: with the estimated width as known, 82 to 93% of such intervals held."""
    rng = np.random.default_rng(6)
    first, second = random_pairs(rng, 4, 60)
    fit = MODEL.fit(Counts.of_matches(names(5), first, second, play(rng, rng.normal(0.0, 1.0, 4), first, second)))
    skills = fit.posterior.skills[4]
    assert np.std(skills) == pytest.approx(fit.sd[4], rel=0.15)
    assert np.quantile(skills, 0.975) - fit.ratings[4] > 1.3 * 1.96 * fit.widths["players"]
