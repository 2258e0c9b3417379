"""The promotion gate: wrong promotions, matches saved, what it says and keeps."""

from math import log

import numpy as np
import pytest

from league.config.tournament import GateConfig
from league.sprt import Gate, category, pairs
from league.sprt import pentanomial as five
from tests.league.ratings.factories import GAMES, result
from tests.league.sprt.trials import NELO1, tilted, trial


@pytest.fixture(scope="module")
def trials():
    """(equal, stronger): gates that ended, the candidate equal to the old policy, and stronger by NELO1."""
    rng = np.random.default_rng(3)
    return [[trial(rng, tilted(nelo)) for _ in range(160)] for nelo in (0.0, NELO1)]


@pytest.mark.slow
def test_false_promotions_under_continuous_looking(trials):
    equal, stronger = trials
    assert np.mean([g.verdict == "accept" for g in equal]) <= 0.05
    assert np.mean([g.verdict == "reject" for g in stronger]) <= 0.06


@pytest.mark.slow
def test_at_most_55_percent_of_the_fixed_number_of_matches(trials):
    fixed = (2.0 * 1.6449 / five.per_pair(NELO1)) ** 2  # pairs for the same two error rates
    for kind in trials:
        assert np.mean([g.pairs for g in kind]) <= 0.55 * fixed


@pytest.mark.slow
def test_looking_naively_would_promote_far_too_often():
    """The same candidates, promoted as soon as a 95% interval lies above one half."""
    rng, promoted = np.random.default_rng(4), 0
    for _ in range(200):
        x = np.array(five.SCORES)[rng.choice(5, 600, p=tilted(0.0))]
        n = np.arange(1, 601)
        mean = np.cumsum(x) / n
        sd = np.sqrt(np.maximum(np.cumsum(x * x) / n - mean**2, 1e-9) / n)
        promoted += bool((mean - 1.96 * sd > 0.5)[20:].any())
    assert promoted / 200 > 0.1


@pytest.mark.slow
def test_the_naive_strength_is_too_high_where_it_stopped_early(trials):
    naive = [(five.moments(g.counts)[0] - 0.5) / five.moments(g.counts)[1] ** 0.5 for g in trials[1]]
    assert np.mean(np.array(naive) > five.per_pair(NELO1)) > 0.5


def test_the_ratio_has_its_known_limit():
    counts = np.round(tilted(30.0) * 50_000).astype(int)
    mean, variance = five.moments(counts)
    strength, s0, s1 = (mean - 0.5) / variance**0.5, five.per_pair(0.0), five.per_pair(60.0)
    expected = counts.sum() * (s1 - s0) * (strength - 0.5 * (s0 + s1))
    assert five.llr(counts, 0.0, 60.0) == pytest.approx(expected, abs=2.0)
    assert five.llr([0] * 5, 0.0, 60.0) == 0.0


@pytest.mark.parametrize("strength", [-0.5, 0.0, 0.3])
def test_constrained_probabilities_meet_the_constraint_and_are_the_likeliest(strength):
    shares = [0.1, 0.2, 0.4, 0.2, 0.1]
    p = np.array(five.constrained(shares, strength))
    mean, variance = five.moments(p)
    assert p.sum() == pytest.approx(1.0, abs=1e-6)
    assert (mean - 0.5) / variance**0.5 == pytest.approx(strength, abs=1e-5)
    rng, best = np.random.default_rng(0), np.dot(shares, np.log(p))
    for _ in range(50):
        other = tilted(strength / 2**0.5 * five.NELO, rng.dirichlet(np.array(shares) * 50))
        assert np.dot(shares, np.log(other)) <= best + 1e-9


def test_the_ratio_where_its_root_lies_beside_a_pole():
    """Of five shares the last has to grow fourfold: the multiplier's search once stopped at the pole, with LLR -35."""
    p = np.array(five.constrained(five.shares([0, 14, 2, 2, 1]), 0.0))
    assert p.sum() == pytest.approx(1.0, abs=1e-6)
    assert five.moments(p)[0] == pytest.approx(0.5, abs=1e-6)
    assert five.llr([0, 14, 2, 2, 1], 0.0, NELO1) == pytest.approx(-2.07, abs=0.01)


def test_bounds_verdicts_and_late_pairs():
    gate = Gate(GateConfig(alpha=0.05, beta=0.1, nelo1=100.0))
    assert gate.bounds == (pytest.approx(log(0.1 / 0.95)), pytest.approx(log(0.9 / 0.05)))
    verdicts = [gate.update((1.0, 1.0 if k % 3 else 0.5)) for k in range(200)]
    assert verdicts[0] is None
    assert verdicts[-1] == "accept"
    stopped = gate.pairs
    assert stopped == verdicts.index("accept") + 1
    assert gate.update(0) == "accept"
    assert gate.pairs == stopped
    assert str(gate).startswith("LLR: ")


def test_pairs_on_a_task_that_always_end_alike_count_as_one_pair():
    """Tests of two equal players accepted 28% of them where tasks of ten pairs had luck of 1 beta."""
    apart, together = Gate(), Gate()
    for task in range(1, 13):
        for _ in range(10):
            apart.update(4 if task % 4 else 0)
            together.update(4 if task % 4 else 0, task)
    assert apart.verdict == "accept"
    assert together.verdict is None
    assert together.effect == pytest.approx(10.0 * 12 / 11)
    assert together.llr == pytest.approx(five.llr((30, 0, 0, 0, 90), 0.0, 50.0) / together.effect, rel=0.01)
    assert "12 tasks that count as 11 pairs" in str(together)
    assert together.estimate().low < apart.estimate().low


def test_a_budget_ends_in_reject():
    gate = Gate(GateConfig(nelo1=20.0, max_pairs=12))
    assert [gate.update(2) for _ in range(12)][-1] == "reject"


@pytest.mark.parametrize("wrong", [5, -1, (0.3, 1.0), (1.0, 2.0)])
def test_what_is_no_pair_is_an_error(wrong):
    with pytest.raises(ValueError, match="pair"):
        Gate().update(wrong)


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"beta": 0.7}, {"nelo0": 10.0, "nelo1": 10.0}])
def test_wrong_constants_are_errors(wrong):
    with pytest.raises(ValueError, match=r"greater than 0|less than 0\.5|nelo0 must be below nelo1"):
        GateConfig(**wrong)


def test_pairs_are_read_from_results_whatever_their_order():
    log_ = [
        result(0, ("new", "old"), (1.0, -1.0), pairing="p0"),
        result(1, ("old", "new"), (0.0, 0.0), pairing="p0"),
        result(2, ("new", "old"), (-1.0, 1.0), pairing="p1"),
        result(3, ("old", "new"), (1.0, -1.0), pairing="p1"),
        result(4, ("new", "old"), (1.0, -1.0), pairing="p2"),  # its other half is still being played
        result(5, ("new", "old"), (1.0, -1.0), pairing="p3"),
        result(6, ("old", "new"), (0.0, 0.0), status="void", pairing="p3"),
        result(7, ("third", "old"), (1.0, -1.0), pairing="p4"),
    ]
    assert pairs(log_, GAMES, "new") == [3, 0]
    assert pairs(log_[::-1], GAMES, "new") == [3, 0]
    assert pairs(log_, GAMES, "old") == [1, 4]
    assert category(1.0, 0.0) == category(0.5, 0.5) == 2
