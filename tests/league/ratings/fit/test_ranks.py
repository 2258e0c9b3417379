"""Ranks from a joint posterior: sets that hold together, the best, a whole order."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import ndtr

from league.ratings.fit.ranks import best, ordered, rank_sets


def posterior(n, spread, seed=0):
    """Skills, correlated estimates of them with a known covariance, and draws around the estimates."""
    rng = np.random.default_rng(seed)
    root = rng.normal(0.0, 0.3, (n, n)) + np.eye(n) * 0.5
    covariance = root @ root.T / n + np.eye(n) * 0.05
    truth = rng.normal(0.0, spread, n)
    mean = rng.multivariate_normal(truth, covariance)
    return truth, mean, covariance, rng.multivariate_normal(mean, covariance, 1000)


def above(mean, covariance):
    own = np.diag(covariance)
    sd = np.sqrt(np.maximum(np.add.outer(own, own) - 2.0 * covariance, 1e-300))
    out = ndtr(np.subtract.outer(mean, mean) / sd)
    np.fill_diagonal(out, 0.5)
    return out


@pytest.mark.parametrize(("n", "spread"), [(6, 1.0), (20, 0.3), (20, 2.0)])
def test_rank_sets_hold_for_all_players_at_once(n, spread):
    held = []
    for seed in range(120):
        truth, mean, covariance, draws = posterior(n, spread, seed)
        sets = rank_sets(mean, covariance, draws)
        rank = np.argsort(np.argsort(-truth)) + 1
        held.append(bool(((sets.low <= rank) & (rank <= sets.high)).all()))
    assert np.mean(held) >= 0.95 - 2.0 * (0.95 * 0.05 / 120) ** 0.5


def test_players_that_are_equal_in_truth_keep_every_rank_open():
    """Any set but the whole is wrong for somebody there; 5% of the leagues may have one."""
    wrong = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        covariance = np.eye(12) * 0.2
        mean = rng.multivariate_normal(np.zeros(12), covariance)
        sets = rank_sets(mean, covariance, rng.multivariate_normal(mean, covariance, 1000))
        wrong += bool((sets.low > 1).any() or (sets.high < 12).any())
    assert wrong <= 11


def test_the_point_rank_is_inside_and_the_sets_are_monotone():
    for seed in range(20):
        _, mean, covariance, draws = posterior(15, 1.5, seed)
        sets = rank_sets(mean, covariance, draws)
        order = np.argsort(-mean)
        rank = np.argsort(order) + 1
        assert ((sets.low <= rank) & (rank <= sets.high)).all()
        assert ((sets.low >= 1) & (sets.high <= 15)).all()


def test_sets_of_a_clear_field_are_single_ranks_and_two_players_use_the_normal_quantile():
    mean, covariance = np.array([3.0, 9.0, 6.0]), np.eye(3) * 0.01
    draws = np.random.default_rng(1).multivariate_normal(mean, covariance, 1000)
    sets = rank_sets(mean, covariance, draws)
    assert (sets.low.tolist(), sets.high.tolist()) == ([3, 1, 2], [3, 1, 2])
    two = rank_sets(np.zeros(2), np.eye(2), np.random.default_rng(2).normal(size=(20_000, 2)))
    assert two.critical == pytest.approx(NormalDist().inv_cdf(0.975), abs=0.05)
    assert rank_sets(np.zeros(1), np.eye(1), np.zeros((10, 1)))[:2] == (np.array([1]), np.array([1]))


def test_the_stepdown_frees_what_is_left():
    """Half of the pairs are surely ordered: what remains open needs less than all pairs together."""
    rng = np.random.default_rng(3)
    mean = np.concatenate([np.full(6, 40.0), np.zeros(6)]) + rng.normal(0.0, 0.1, 12)
    draws = rng.multivariate_normal(mean, np.eye(12), 4000)
    alone = rank_sets(mean[:6], np.eye(6), draws[:, :6]).critical
    both = rank_sets(mean, np.eye(12), draws)
    spread = np.ptp(draws - mean, axis=1) / 2**0.5  # of all 66 pairs, without the stepdown
    assert alone < both.critical < np.quantile(spread, 0.95)
    assert both.low[:6].tolist() == [1] * 6
    assert both.high[:6].tolist() == [6] * 6


def test_the_best_and_the_order_against_integration():
    mean, covariance = np.array([1.0, 0.6, -0.5, 0.0]), np.diag([0.3, 0.2, 0.4, 0.1])
    x = np.linspace(-6.0, 6.0, 4001)
    each = [NormalDist(m, v**0.5) for m, v in zip(mean, np.diag(covariance), strict=True)]
    density = np.array([[d.pdf(v) for v in x] for d in each])
    below = np.array([[d.cdf(v) for v in x] for d in each])
    exact = [np.trapezoid(density[i] * np.prod(np.delete(below, i, 0), 0), x) for i in range(4)]
    draws = np.random.default_rng(0).multivariate_normal(mean, covariance, 40_000)
    found = best(above(mean, covariance), draws)
    assert found == pytest.approx(exact, abs=0.01)
    assert found.sum() == pytest.approx(1.0, abs=0.01)
    order = [0, 1, 3, 2]
    chances = ordered(above(mean, covariance)[np.ix_(order, order)], draws[:, order])
    assert chances[0] == pytest.approx(found[0])
    assert chances[-1] == pytest.approx(np.mean((np.diff(draws[:, order], axis=1) < 0.0).all(1)), abs=1e-9)
    assert (np.diff(chances) <= 1e-12).all()


def test_far_in_the_tail_pairs_tell_what_samples_cannot():
    mean, covariance = np.array([6.0, 0.0, -1.0]), np.eye(3)
    found = best(above(mean, covariance), np.random.default_rng(0).multivariate_normal(mean, covariance, 100))
    doubt = NormalDist().cdf(-6.0 / 2**0.5)
    assert 0.99 * doubt <= 1.0 - found[0] <= 2.0 * doubt  # and not 0, though all 100 samples agree
    chances = ordered(above(mean, covariance), np.tile(mean, (100, 1)))
    assert 0.99 * doubt <= 1.0 - chances[0] <= 2.0 * doubt


def test_neighbours_alone_are_too_sure_of_the_best():
    """The first is above the second with 94%, but not above all of seven equal ones."""
    mean = np.array([2.2, *np.zeros(7)])
    table = above(mean, np.eye(8))
    found = best(table, np.random.default_rng(0).multivariate_normal(mean, np.eye(8), 20_000))
    assert table[0, 1] > 0.93
    assert found[0] < 0.80
