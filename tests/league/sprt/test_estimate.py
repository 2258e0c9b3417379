"""Estimated strengths after an early stop."""

import numpy as np
import pytest

from league.config.tournament import GateConfig
from league.sprt import Gate
from league.sprt.brownian import Passage
from league.sprt.estimate import WIDEST
from tests.league.sprt.trials import NELO1, tilted, trial


def estimate_of(counts, nelo1=NELO1, nelo0=0.0):
    gate = Gate(GateConfig(nelo0=nelo0, nelo1=nelo1, max_pairs=10**9))
    gate.counts = list(counts)
    return gate.estimate()


@pytest.mark.parametrize("times", [0, 2, 5])
def test_the_truth_lies_in_the_interval_and_on_both_sides_of_the_estimate(times):
    rng, truth = np.random.default_rng(3), times * NELO1
    p = tilted(truth)
    found = [trial(rng, p).estimate() for _ in range(20)]
    assert sum(e.low <= truth <= e.high for e in found) >= 18
    assert 5 <= sum(e.nelo > truth for e in found) <= 15


def test_a_test_decided_at_its_first_look_says_more_than_that():
    """Eight pairs of a candidate twice as strong as nelo1: pairs before the first check could not stop it."""
    rng, truth = np.random.default_rng(1), 600.0
    found = [trial(rng, tilted(truth), nelo1=300.0).estimate() for _ in range(20)]
    assert sum(e.low <= truth <= e.high for e in found) >= 18
    assert sum(e.nelo < truth for e in found) <= 14


@pytest.mark.parametrize("nelo1", [1.0, 2.0, 5.0])
def test_a_strong_candidate_is_told_as_strong_however_small_nelo1(nelo1):
    counts = [0, 3, 19, 28, 117]  # a tournament of mcts against random: the naive strength is 499
    found, mirror = estimate_of(counts, nelo1), estimate_of(counts[::-1], 0.0, -nelo1)
    assert 300.0 < found.low < 400.0 < found.nelo < 500.0 < found.high < 650.0
    assert mirror == pytest.approx([-found.nelo, -found.high, -found.low], abs=0.1)


def test_what_sets_no_limit_is_told_as_open():
    swept = estimate_of([0, 0, 0, 0, 17])
    assert (swept.nelo, swept.high) == (WIDEST, WIDEST)
    assert 100.0 < swept.low < 250.0
    assert str(swept) == f">+737 [{swept.low:+.0f}, >+737]"
    assert str(estimate_of([14, 0, 0, 0, 0])).startswith("<-737 [<-737, -")
    assert Gate().estimate() is None


@pytest.mark.parametrize("nelo1", [2.0, 50.0, 300.0])
def test_one_pair_says_next_to_nothing(nelo1):
    for place in range(5):
        counts = [0] * 5
        counts[place] = 1
        found = estimate_of(counts, nelo1)
        assert found.low <= found.nelo <= found.high
        assert found.high - found.low > 400.0


def test_passage_probabilities_agree_with_a_walk():
    rng = np.random.default_rng(1)
    walk = Passage(0.02, 0.1, -1.0, 1.5)
    steps = 400
    x = np.cumsum(0.02 / 4 + 0.1 / 2 * rng.standard_normal((4_000, 4 * steps)), axis=1)
    up, down = (x >= 1.5 + 0.583 * 0.05), (x <= -1.0 - 0.583 * 0.05)
    first_up = np.where(up.any(1), up.argmax(1), 10**9)
    first_down = np.where(down.any(1), down.argmax(1), 10**9)
    wide = Passage(0.02, 0.1, -1.0 - 0.583 * 0.05, 1.5 + 0.583 * 0.05)
    for time in (20, 60, 150):
        share = np.mean((first_up < first_down) & (first_up < 4 * time))
        # the walk is stopped beyond its barriers by 0.583 of a step on average, so both are compared further out
        assert Passage(0.02, 0.1, wide.low - 0.029, wide.high + 0.029).leaves_high(time) == pytest.approx(
            share, abs=0.03
        )
        assert walk.leaves_high(time) + walk.leaves_low(time) + walk.stays_above(-1.0, time) == pytest.approx(1.0)
    assert walk.leaves_high(1e6) + walk.leaves_low(1e6) == pytest.approx(1.0)


@pytest.mark.parametrize("drift", [-0.5, -0.02, 0.0, 0.02, 0.5])
def test_both_series_say_the_same_and_add_up(drift):
    """sd 0.1 over a width of 2.5: the series change at time 625, where neither has lost a digit."""
    walk = Passage(drift, 0.1, -1.0, 1.5)
    for ask in (walk.leaves_high, walk.leaves_low, lambda time: walk.stays_above(0.3, time)):
        assert ask(625.0 - 1e-6) == pytest.approx(ask(625.0 + 1e-6), abs=1e-9)
    for time in (1e-3, 1.0, 30.0, 400.0, 700.0, 1e5):
        total = walk.leaves_high(time) + walk.leaves_low(time) + walk.stays_above(-1.0, time)
        assert total == pytest.approx(1.0, abs=1e-9)
        assert walk.stays_above(-9.0, time) >= walk.stays_above(0.3, time) >= walk.stays_above(2.0, time) == 0.0


def test_a_strong_drift_neither_overflows_nor_cancels():
    """Steps a hundredth of the barriers' distance, as with nelo1 = 5; one barrier alone has a closed form."""
    for drift in (-1.0, -0.1, 0.1, 1.0):
        walk = Passage(drift, 0.02, -3.0, 3.0)
        for time in (1.0, 10.0, 100.0, 1e4, 1e7):
            assert walk.leaves_high(time) == pytest.approx(float(drift > 0.0 and drift * time > 3.0), abs=0.51)
            assert walk.leaves_high(time) == pytest.approx(Passage(-drift, 0.02, -3.0, 3.0).leaves_low(time))
