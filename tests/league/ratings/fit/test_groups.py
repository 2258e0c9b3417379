"""The prior of several populations: clusters, outliers, and leagues of one normal population, which it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest

from league.ratings import SkillModel
from league.ratings.comparisons import Counts
from league.ratings.fit.groups import Groups, partitions, shares
from league.ratings.fit.prior import Edges, Width
from league.ratings.fit.prior_sensitivity import dependence
from tests.league.ratings.simulation import BETA, names, play, random_pairs

MODEL = SkillModel()


def clusters(seed, n=32, within=24, across=16):
    """Two groups at +2 and -2 beta; `within` matches of each player in its group, `across` in all between them."""
    rng = np.random.default_rng(seed)
    half = n // 2
    skill = np.where(np.arange(n) < half, 2.0, -2.0) + rng.normal(0.0, 0.3, n)
    pairs = [random_pairs(rng, half, within * half // 2) for _ in range(2)]
    first = np.concatenate([pairs[0][0], half + pairs[1][0], rng.integers(0, half, across)])
    second = np.concatenate([pairs[0][1], half + pairs[1][1], half + rng.integers(0, half, across)])
    counts = Counts.of_matches(names(n), first, second, play(rng, skill, first, second))
    return skill - skill.mean(), counts


def test_a_league_of_one_normal_population_is_left_as_it_is():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0.0, 0.5, 24)
        first, second = random_pairs(rng, 24, 480)
        counts = Counts.of_matches(names(24), first, second, play(rng, skill, first, second))
        fit, one = MODEL.fit(counts), replace(MODEL, groups=1).fit(counts)
        assert np.abs(fit.ratings - one.ratings).max() < 0.5 * one.sd.mean()
        assert fit.sd == pytest.approx(one.sd, rel=0.25)
        assert not dependence(fit).decides


def test_a_champion_that_beat_everybody_is_far_above_and_uncertain():
    rng = np.random.default_rng(1)
    first, second = random_pairs(rng, 7, 140)
    outcome = play(rng, rng.normal(0.0, 0.4, 7), first, second)
    first = np.concatenate([first, np.full(42, 7)])
    second = np.concatenate([second, np.tile(np.arange(7), 6)])
    counts = Counts.of_matches(names(8), first, second, np.concatenate([outcome, np.zeros(42, np.int64)]))
    fit, one = MODEL.fit(counts), replace(MODEL, groups=1).fit(counts)
    best = fit.order()[0]
    assert best == 7
    assert fit.ratings[7] - 1.96 * fit.sd[7] < 25.0 + 3.5 * BETA < fit.ratings[7] + 1.96 * fit.sd[7]
    assert fit.sd[7] > 1.2 * one.sd[7]
    assert dependence(fit).better == "p007"
    assert dependence(fit).decides


def champion_among(n, matches, lost=0):
    """A field of 0.5 beta, and a player who met it `matches` times and lost `lost` of them."""
    rng = np.random.default_rng(3)
    first, second = random_pairs(rng, n - 1, 20 * (n - 1))
    outcome = play(rng, rng.normal(0.0, 0.5, n - 1), first, second)
    first = np.append(first, np.full(matches, n - 1))
    second = np.append(second, np.arange(matches) % (n - 1))
    outcome = np.append(outcome, np.where(np.arange(matches) < lost, 2, 0))
    return MODEL.fit(Counts.of_matches(names(n), first, second, outcome))


@pytest.mark.parametrize(("matches", "lost"), [(40, 0), (90, 1)])
def test_a_champion_is_a_population_of_its_own_among_many_players_too(matches, lost):
    """One of 64: 40 matches won of 40 say 3 beta or more, 89 of 90 about 3 to 5."""
    fit = champion_among(64, matches, lost)
    above = (fit.ratings[-1] - 25.0) / BETA
    assert 2.5 < above < 5.5
    assert above + 1.96 * fit.sd[-1] / BETA > 4.2
    assert above - 1.96 * fit.sd[-1] / BETA < 4.0
    found = dependence(fit)
    assert found.better == "p063"
    assert found.decides


def test_partitions_cut_where_squares_are_least_and_where_the_gap_is_widest():
    values = np.array([-2.1, -2.0, -1.9, 1.9, 2.0, 2.1])
    assert partitions(values) == [[3], [1, 3]] or partitions(values)[0] == [3]
    outlier = np.array([-1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 3.0])
    assert [6] in partitions(outlier)
    share = shares(values[::-1], [3])
    assert share[:3, 1].tolist() == [0.9] * 3
    assert shares(np.arange(64.0), [63])[:63, 1].sum() < 1.0
    assert share.sum(1) == pytest.approx(np.ones(6))


def test_the_evidence_of_groups_counts_every_numbering():
    """Two players in two groups, each surely in one: (n1! n2! / 3!) times two numberings."""
    width = Width(Edges("players", np.array([0, 0, 1, 1]), np.array([2, 3, 2, 3]), 1.0), 1.0, 1.0)
    found = Groups(width, np.eye(2))
    assert found.evidence() == pytest.approx(np.log(2.0 * 1.0 / 6.0))


def test_the_same_counts_give_the_same_fit_bit_for_bit():
    _, counts = clusters(3)
    one, other = MODEL.fit(counts), MODEL.fit(counts)
    np.testing.assert_array_equal(one.covariance, other.covariance)
    warm = MODEL.fit(counts, start=one)
    np.testing.assert_allclose(warm.ratings, one.ratings, atol=0.1)


def test_among_many_players_doubt_about_the_width_is_a_small_part_of_an_interval(monkeypatch):
    """64 players who met neighbours only, as in a swiss: a quarter of the variance was for a prior of twice the width,
    though 64 players determine the width well, and 97.6% of true ratings were covered."""
    rng = np.random.default_rng(5)
    skill = np.sort(rng.normal(0.0, 2.0, 64))[::-1]
    first = rng.integers(0, 64, 1280)
    second = np.clip(first + rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], 1280), 0, 63)
    first, second = first[first != second], second[first != second]
    counts = Counts.of_matches(names(64), first, second, play(rng, skill, first, second))
    whole = MODEL.fit(counts).sd.mean() ** 2
    monkeypatch.setattr("league.ratings.fit.averaging._SHIFT_SHARE", 0.0)
    assert 0.93 < MODEL.fit(counts).sd.mean() ** 2 / whole < 0.99
