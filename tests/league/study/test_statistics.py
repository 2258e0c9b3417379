"""Known answers of the comparison of two arms."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from league.study.statistics import compare, detectable, holm

SEEDS = 5


def simulated(gain, spread, studies, items=1):
    """Studies of two arms whose seeds differ by `spread` each; items are right or wrong, some harder than others."""
    generator, out = np.random.default_rng(0), []
    for study in range(studies):
        arms = [0.5 + shift + generator.normal(0, spread, (SEEDS, 1)) for shift in (gain, 0.0)]
        if items > 1:
            hard = generator.normal(0, 0.2, (1, items))
            arms = [(generator.random((SEEDS, items)) < arm + hard).astype(float) for arm in arms]
        out.append(compare(arms[0], arms[1], study))
    return out


def significant(differences):
    return float(np.mean([d.p is not None and d.p < 0.05 for d in differences]))


def test_a_planted_gain_of_5_percent_is_found_in_95_percent_and_none_where_there_is_none():
    spread = 0.05 / detectable(SEEDS)  # of the differences: 0.0227; each arm then spreads by 0.016
    studies = simulated(0.05, spread / 2**0.5, 500)
    assert significant(studies) == pytest.approx(0.95, abs=0.02)
    assert np.mean([d.low <= 0.05 <= d.high for d in studies]) == pytest.approx(0.95, abs=0.02)
    assert significant(simulated(0.0, spread / 2**0.5, 500)) == pytest.approx(0.05, abs=0.02)


@pytest.mark.slow
def test_items_that_are_right_or_wrong_give_no_gain_where_there_is_none():
    assert significant(simulated(0.0, 0.008, 300, items=200)) < 0.09
    assert significant(simulated(0.15, 0.008, 50, items=200)) > 0.95


def test_without_items_it_is_the_paired_t_test():
    first, second = np.array([[0.4], [0.5], [0.7]]), np.array([[0.3], [0.45], [0.5]])
    assert compare(first, second).p == pytest.approx(ttest_rel(first, second).pvalue.item(), rel=0.05)


def test_items_that_all_seeds_share_widen_the_interval():
    generator = np.random.default_rng(1)
    gains = generator.normal(0.1, 0.3, (1, 20)) + generator.normal(0, 0.01, (4, 20))
    items, means = compare(gains, np.zeros((4, 20))), compare(gains.mean(axis=1, keepdims=True), np.zeros((4, 1)))
    assert items.high - items.low > 3 * (means.high - means.low)


def test_runs_without_spread_are_not_tested():
    same = np.full((3, 1), 0.5)
    assert compare(same, same).p == 1.0
    assert compare(same + 0.1, same).p is None


def test_holm_corrects_the_smallest_most_and_never_reorders():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([None, 0.02]) == [None, 0.04]


def test_more_seeds_find_less_and_more_contrasts_need_more():
    assert detectable(5) == pytest.approx(2.2, abs=0.02)
    assert detectable(10) < detectable(5) < detectable(5, contrasts=3)
