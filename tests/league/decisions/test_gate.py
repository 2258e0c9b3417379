"""The promotion gate: wrong promotions, matches saved, estimates after an early stop."""

from math import log

import numpy as np
import pytest

from league.decisions import Gate, category, pairs
from league.decisions import pentanomial as five
from league.decisions.brownian import Passage
from tests.league.ratings.results import GAMES, result

NELO1 = 50.0


def tilted(nelo, base=(1.0, 4.0, 8.0, 4.0, 1.0)):
    """Probabilities of the five categories with a given strength, a tilt of `base`."""
    scores, want, low, high = np.array(five.SCORES), five.per_pair(nelo), -20.0, 20.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        p = np.array(base) * np.exp(middle * scores)
        p /= p.sum()
        mean, variance = five.moments(p)
        low, high = (middle, high) if (mean - 0.5) / variance**0.5 < want else (low, middle)
    return p


def trial(rng, p, **more):
    gate = Gate(nelo1=NELO1, **more)
    for place in rng.choice(5, 4_000, p=p):
        if gate.update(int(place)) is not None:
            break
    return gate


@pytest.fixture(scope="module")
def trials():
    """(equal, stronger): gates that ended, the candidate equal to the old policy, and stronger by NELO1."""
    rng = np.random.default_rng(3)
    return [[trial(rng, tilted(nelo)) for _ in range(160)] for nelo in (0.0, NELO1)]


def test_false_promotions_under_continuous_looking(trials):
    equal, stronger = trials
    assert np.mean([g.verdict == "accept" for g in equal]) <= 0.05
    assert np.mean([g.verdict == "reject" for g in stronger]) <= 0.06


def test_at_most_55_percent_of_the_fixed_number_of_matches(trials):
    fixed = (2.0 * 1.6449 / five.per_pair(NELO1)) ** 2  # pairs for the same two error rates
    for kind in trials:
        assert np.mean([g.pairs for g in kind]) <= 0.55 * fixed


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


def test_estimates_after_an_early_stop_are_median_unbiased(trials):
    for kind, truth in zip(trials, (0.0, NELO1), strict=True):
        found = [g.estimate() for g in kind[:80]]
        above = np.mean([e.nelo > truth for e in found])
        assert 0.3 <= above <= 0.7
        assert np.mean([e.low <= truth <= e.high for e in found]) >= 0.9
    naive = [(five.moments(g.counts)[0] - 0.5) / five.moments(g.counts)[1] ** 0.5 for g in trials[1]]
    assert np.mean(np.array(naive) > five.per_pair(NELO1)) > 0.5  # what stopped early looks better than it is


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
        total = walk.leaves_high(time) + walk.leaves_low(time) + walk.stays_above(-1.0, time)
        assert total == pytest.approx(1.0, abs=1e-4)
    assert walk.leaves_high() + walk.leaves_low() == pytest.approx(1.0)


def test_bounds_verdicts_and_late_pairs():
    gate = Gate(alpha=0.05, beta=0.1, nelo1=100.0)
    assert gate.bounds == (pytest.approx(log(0.1 / 0.95)), pytest.approx(log(0.9 / 0.05)))
    verdicts = [gate.update((1.0, 1.0 if k % 3 else 0.5)) for k in range(200)]
    assert verdicts[0] is None
    assert verdicts[-1] == "accept"
    stopped = gate.pairs
    assert stopped == verdicts.index("accept") + 1
    assert gate.update(0) == "accept"
    assert gate.pairs == stopped
    assert str(gate).startswith("LLR: ")


def test_a_gate_goes_on_where_it_was_saved():
    rng = np.random.default_rng(5)
    places = [int(x) for x in rng.choice(5, 300, p=tilted(40.0))]
    whole, first = Gate(nelo1=NELO1), Gate(nelo1=NELO1)
    for place in places:
        whole.update(place)
    for place in places[:20]:
        first.update(place)
    second = Gate(nelo1=NELO1)
    second.load_state_dict(first.state_dict())
    for place in places[20:]:
        second.update(place)
    assert second.state_dict() == whole.state_dict()
    assert second.llr == whole.llr


def test_a_budget_ends_in_reject():
    gate = Gate(nelo1=20.0, max_pairs=12)
    assert [gate.update(2) for _ in range(12)][-1] == "reject"


@pytest.mark.parametrize("wrong", [5, -1, (0.3, 1.0), (1.0, 2.0)])
def test_what_is_no_pair_is_an_error(wrong):
    with pytest.raises(ValueError, match="pair"):
        Gate().update(wrong)


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"beta": 0.7}, {"nelo0": 10.0, "nelo1": 10.0}])
def test_wrong_constants_are_errors(wrong):
    with pytest.raises(ValueError, match="seen"):
        Gate(**wrong)


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
