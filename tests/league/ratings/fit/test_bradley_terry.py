"""Batch ratings: known answers, coverage of the intervals, and the faults found in other leagues."""

import itertools
import random
from dataclasses import replace
from math import log

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, ndtr
from scipy.stats import spearmanr

from games import InputError
from league.ratings import BradleyTerry, GameInfo, SkillModel, fit_roles
from league.ratings.comparisons import Counts, CountTable
from league.ratings.fit.links import CURVES, TERMS
from league.ratings.fit.model import Model
from tests.league.ratings.factories import DEAL, GAMES, NODRAW, PAIR, THREE, ZERO, logs, result
from tests.league.ratings.simulation import BETA, covered, league, names, play, random_pairs

BT = BradleyTerry()


def table(results, players=()):
    made = CountTable(GAMES, players)
    made.add(results)
    return made.counts()


def fit(results, players=(), **more):
    return BT.fit(table(results, players), **more)


def rotated(number, a, b, outcomes, game=ZERO):
    """A pairing of two matches; each outcome is the score of `a`."""
    first, second = outcomes
    return [
        result(2 * number, (a, b), (first, -first), game, pairing=f"p{number}"),
        result(2 * number + 1, (b, a), (-second, second), game, pairing=f"p{number}"),
    ]


@pytest.mark.parametrize(("link", "curve"), [("logit", expit), ("probit", ndtr)])
def test_derivatives_of_the_likelihood(link, curve):
    rng = np.random.default_rng(0)
    d, t = rng.normal(0.0, 1.5, 40), rng.uniform(0.05, 1.0, 40)
    counts = rng.integers(0, 5, (3, 40)).astype(float)

    def value(d, t):
        win, loss = curve(d - t), curve(-d - t)
        return counts[0] * np.log(win) + counts[1] * np.log(1.0 - win - loss) + counts[2] * np.log(loss)

    got, h = CURVES[link](d, t, *counts), 1e-4
    np.testing.assert_allclose(got.gap, (value(d + h, t) - value(d - h, t)) / (2 * h), atol=1e-3)
    np.testing.assert_allclose(got.margin, (value(d, t + h) - value(d, t - h)) / (2 * h), atol=1e-3)
    np.testing.assert_allclose(got.gap2, -(value(d + h, t) + value(d - h, t) - 2 * value(d, t)) / h**2, atol=1e-2)
    np.testing.assert_allclose(got.margin2, -(value(d, t + h) + value(d, t - h) - 2 * value(d, t)) / h**2, atol=1e-2)
    mixed = value(d + h, t + h) - value(d + h, t - h) - value(d - h, t + h) + value(d - h, t - h)
    np.testing.assert_allclose(got.mixed, -mixed / (4 * h * h), atol=1e-2)
    terms = TERMS[link](d, t)
    np.testing.assert_allclose(terms.p.sum(1), 1.0)
    np.testing.assert_allclose((terms.p * terms.score).sum(1), 0.0, atol=1e-12)  # scores have mean zero


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_many_games_of_two_give_the_odds(link):
    wins = np.repeat([0, 2, 0, 2], [15_000, 5_000, 5_000, 15_000])  # 3 to 1 in both seats
    counts = Counts.of_matches(("a", "b"), np.repeat([0, 1], 20_000), np.repeat([1, 0], 20_000), wins)
    gap, sd = BradleyTerry(link=link).fit(counts).difference("a", "b")
    expected = log(3.0) * 2**0.5 * BETA / 1.64 if link == "logit" else 0.67449 * 2**0.5 * BETA
    assert gap == pytest.approx(expected, rel=0.01)
    assert 0.0 < sd < 0.1


def test_a_draw_probability_is_read_from_the_matches():
    counts = Counts.of_matches(
        ("a", "b"), np.tile([0, 1], 5_000), np.tile([1, 0], 5_000), np.resize([0, 2, 1, 1, 1], 10_000)
    )
    found = BT.fit(counts)
    assert found.draws["game"] == pytest.approx(0.6, abs=0.01)
    assert abs(found.difference("a", "b")[0]) < 0.2


@settings(max_examples=12, deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_no_bit(log_, rng):
    one, other = table(log_), table(rng.sample(log_, len(log_)))
    assert one.players == other.players
    np.testing.assert_array_equal(one.columns, other.columns)
    np.testing.assert_array_equal(one.n, other.n)
    a, b = BT.fit(one), BT.fit(other)
    np.testing.assert_array_equal(a.ratings, b.ratings)
    np.testing.assert_array_equal(a.covariance, b.covariance)
    np.testing.assert_array_equal(a.posterior.skills, b.posterior.skills)


def three_seats(rng, matches=240, players="abcdef"):
    """Rotated pairings of a game of three seats, with ties; the players of a pairing share its luck."""
    log = []
    for number in range(matches // 3):
        who = rng.sample(players, 3)
        luck = {p: rng.gauss(0.4 * ord(p), 1.5) for p in who}
        for turn in range(3):
            seated = who[turn:] + who[:turn]
            scores = [round(rng.gauss(luck[p], 0.7)) for p in seated]
            log.append(result(3 * number + turn, seated, scores, THREE, pairing=f"p{number}"))
    return log


@pytest.mark.parametrize("intervals", ["posterior", "sandwich"])
def test_three_seats_in_any_order_of_arrival_change_no_bit(intervals):
    """Audit M3: parts of a pairing were summed in the order in which cells were first met."""
    method = replace(BT, intervals=intervals)
    rng = random.Random(3)
    log_ = three_seats(rng)
    first = method.fit(table(log_))
    for _ in range(12):
        other = method.fit(table(rng.sample(log_, len(log_))))
        np.testing.assert_array_equal(first.ratings, other.ratings)
        np.testing.assert_array_equal(first.covariance, other.covariance)
        assert first.dispersion == other.dispersion


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_extreme_upsets_stay_finite(link):
    rng = np.random.default_rng(1)
    first, second = random_pairs(rng, 12, 4_000)
    skill = np.linspace(-12.0, 12.0, 12)
    outcome = play(rng, skill, first, second)
    first, second = np.append(first, 0), np.append(second, 11)  # the worst beats the best, once
    found = BradleyTerry(link=link).fit(Counts.of_matches(names(12), first, second, np.append(outcome, 0)))
    assert np.isfinite(found.ratings).all()
    assert np.isfinite(found.sd).all()
    assert (found.sd > 0.0).all()
    assert np.isfinite(found.posterior.skills).all()


def test_an_unbeaten_player_has_a_finite_rating_and_a_wide_interval():
    found = fit([m for k in range(30) for m in rotated(k, "best", f"o{k % 5}", (1.0, 1.0))])
    best = found.players.index("best")
    assert found.order()[0] == best
    assert np.isfinite(found.ratings[best])
    assert found.sd[best] > 1.0


def test_nobody_played_yet():
    found = fit([], ("a", "b"))
    assert found.players == ("a", "b")
    assert list(found.ratings) == [25.0, 25.0]
    assert found.posterior.rank_ranges([0, 1]) == [(1, 2), (1, 2)]
    assert found.components == ()


def test_a_drawn_game_tells_of_equality_where_no_draw_was_expected():
    before = fit(rotated(0, "a", "b", (1.0, 1.0)))
    after = fit(rotated(0, "a", "b", (1.0, 1.0)) + rotated(1, "a", "b", (0.0, 0.0)))
    assert 0.0 < after.difference("a", "b")[0] < before.difference("a", "b")[0]
    assert after.difference("a", "b")[1] < before.difference("a", "b")[1]


def test_seats_assigned_by_name_do_not_bias_ranks():
    plain, fitted = [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0.0, 2.0, 64)
        first, second = random_pairs(rng, 64, 1_280)
        first, second = np.minimum(first, second), np.maximum(first, second)  # the alphabet decides who moves first
        counts = Counts.of_matches(names(64), first, second, play(rng, skill, first, second, edge=2.0))
        found = BT.fit(counts)
        fitted.append(spearmanr(found.ratings, skill).statistic)
        seatless = counts.columns.copy()
        seatless[4] = 0
        blind = BT.fit(Counts(counts.players, counts.games, counts.roles, seatless, counts.n))
        plain.append(spearmanr(blind.ratings, skill).statistic)
        seat = found.seats["game"][0]
        assert abs(2.0 * seat.advantage - 2.0 * BETA) < 3.0 * 2.0 * seat.sd + 1.0
    assert np.median(fitted) > 0.95 > np.median(plain)


def test_anchors_hold_the_scale():
    games = [m for k in range(40) for m in rotated(k, "a", "b", (1.0, -1.0 if k % 2 else 1.0))]
    found = fit(games, anchors={"b": (30.0, 0.0)})
    assert found.ratings[found.players.index("b")] == pytest.approx(30.0, abs=0.01)
    assert found.ratings[found.players.index("a")] > 30.0
    loose = fit(games, anchors={"b": (30.0, 2.0), "a": (30.0, 2.0)})
    assert np.mean(loose.ratings) == pytest.approx(30.0, abs=0.2)


def test_pools_that_never_met_are_named():
    found = fit(rotated(0, "a", "b", (1.0, 1.0)) + rotated(1, "c", "d", (1.0, 1.0)) + rotated(2, "a", "e", (0.0, 1.0)))
    assert found.components == (("a", "b", "e"), ("c", "d"))
    assert not found.connected


def test_two_matches_per_checkpoint_rank_a_lineage_with_an_estimated_width():
    with_lineage, without = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        skill = np.cumsum(rng.normal(0.3, 0.6, 64))
        new = np.repeat(np.arange(1, 64), 2)
        old = (rng.random(len(new)) * new).astype(np.int64)  # any of its ancestors
        swap = rng.random(len(new)) < 0.5
        first, second = np.where(swap, old, new), np.where(swap, new, old)
        counts = Counts.of_matches(names(64), first, second, play(rng, skill, first, second))
        who = names(64)
        found = BT.fit(counts, lineage=dict(itertools.pairwise(reversed(who))))
        with_lineage.append(spearmanr(found.ratings, skill).statistic)
        without.append(spearmanr(BT.fit(counts).ratings, skill).statistic)
    assert np.median(with_lineage) >= 0.96 > np.median(without)


def lineage_walk(seed, drift, step, n=64):
    """Skills of checkpoints and two matches of each new one against any of its ancestors, one in each seat."""
    rng = np.random.default_rng(seed)
    skill = np.cumsum(rng.normal(drift, step, n))
    new = np.repeat(np.arange(1, n), 2)
    old = (rng.random(len(new)) * new).astype(np.int64)
    swap = np.arange(len(new)) % 2 == 0
    first, second = np.where(swap, old, new), np.where(swap, new, old)
    return skill, Counts.of_matches(names(n), first, second, play(rng, skill, first, second))


def test_what_a_training_step_gains_is_estimated():
    lineage, n = dict(itertools.pairwise(reversed(names(64)))), 64
    gains, orders = {0.0: [], 0.25: [], -0.25: []}, []
    for drift, found in gains.items():
        for seed in range(4):
            skill, counts = lineage_walk(seed, drift, 0.2, n)
            fitted = BT.fit(counts, lineage=lineage)
            found.append(fitted.drift / BETA)
            orders.append((spearmanr(fitted.ratings, skill).statistic, drift))
    assert abs(np.mean(gains[0.0])) < 0.12
    assert 0.1 < np.mean(gains[0.25]) < 0.4
    assert -0.4 < np.mean(gains[-0.25]) < -0.1
    assert np.median([order for order, drift in orders if drift]) >= 0.98


def test_the_drift_is_part_of_one_joint_posterior():
    """A chain of three with the drift as an unknown, against the same prior written as a dense Gaussian."""
    counts = Counts.of_matches(names(3), [0, 1, 2, 2], [1, 2, 1, 0], [2, 2, 0, 0])
    lineage = {names(3)[1]: names(3)[0], names(3)[2]: names(3)[1]}
    model = Model(BT, counts, lineage, {})
    width = model.prior.widths[1]
    matrix = np.zeros((model.design.size, model.design.size))
    width.edges.add_precision(matrix, 2.0)
    rows = np.zeros((2, model.design.size))
    rows[0, [1, 0, model.drift]] = rows[1, [2, 1, model.drift]] = 1.0, -1.0, -1.0
    assert matrix == pytest.approx(2.0 * rows.T @ rows)
    x, covariance = np.arange(model.design.size) ** 2.0, np.cov(np.random.default_rng(0).normal(size=(len(matrix), 40)))
    assert width.edges.difference(x) == pytest.approx(rows @ x)
    assert width.edges.pull(x) == pytest.approx(rows.T @ rows @ x)
    assert width.edges.spread(covariance) == pytest.approx(rows @ covariance @ rows.T)


def test_without_a_lineage_nothing_drifts():
    skill, counts = lineage_walk(0, 0.25, 0.2, 12)
    assert BT.fit(counts).drift == 0.0
    still = replace(BT, drift=0.0).fit(counts, lineage=dict(itertools.pairwise(reversed(names(12)))))
    assert still.drift == 0.0
    assert len(skill) == len(still.ratings)


def test_a_circular_lineage_is_refused():
    with pytest.raises(InputError, match="is a cycle"):
        fit(rotated(0, "a", "b", (1.0, 1.0)), lineage={"a": "b", "b": "a"})


@pytest.mark.slow
@pytest.mark.parametrize("spread", [2.0, 0.5])
@pytest.mark.parametrize("policy", ["random", "uncertainty", "quality", "thompson"])
def test_intervals_cover_under_adaptive_pairing(policy, spread):
    rates = [covered(*league(policy, spread, 960, seed)) for seed in range(8)]
    # 512 intervals, those of one run not independent
    assert 0.90 <= np.mean(rates) <= 0.995


@pytest.mark.long
@pytest.mark.parametrize("spread", [2.0, 0.5])
@pytest.mark.parametrize("policy", ["random", "uncertainty", "quality", "thompson"])
def test_intervals_cover_92_to_97_percent(policy, spread):
    assert 0.92 <= np.mean([covered(*league(policy, spread, 1_280, seed)) for seed in range(40)]) <= 0.97


def test_rank_ranges_cover_the_true_ranks():
    hits = []
    for seed in range(3):
        skill, found = league("random", 0.5, 1_280, seed)
        rank = np.argsort(np.argsort(-skill)) + 1
        order = found.order()
        ranges = found.posterior.rank_ranges(order)
        hits += [low <= r <= high for (low, high), r in zip(ranges, rank[order], strict=True)]
    assert 0.92 <= np.mean(hits) <= 1.0


def test_games_of_four_weigh_what_they_tell():
    """Intervals of 4-seat games, broken into 6 pairs each, still cover: neither too narrow nor much too wide."""
    info, seats, rates = {}, ("a", "b", "c", "d"), []
    info["four"] = GameInfo("zero_sum", seats)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0.0, 1.0, 24)
        made = CountTable(info)
        for index in range(240):
            who = rng.choice(24, 4, replace=False)
            score = skill[who] + rng.normal(size=4)
            made.add([_four(index, [names(24)[i] for i in who], score, seats)])
        rates.append(covered(skill - skill.mean(), BT.fit(made.counts())))
    assert 0.88 <= np.mean(rates) <= 0.99


def test_sets_of_matches_are_those_of_one_game():
    """The hashes of two tasks may be equal, or somebody wrote them: a sandwich then had no root."""
    made = CountTable(GAMES, "abc")
    for index, game in enumerate([NODRAW, ZERO, NODRAW, ZERO] * 3):
        who = ("a", "b") if index % 3 else ("b", "c")
        made.add([msgspec.structs.replace(result(index, who, (1.0, -1.0) if index % 2 else (0, 0), game), task=7)])
    counts = made.counts()
    assert len(counts.units.count) == 2
    for game in counts.games:
        one = counts.only(game)
        if one.n.any():
            units = one.units
            assert np.bincount(3 * units.cell + units.outcome, minlength=3 * one.n.shape[1]).sum() == one.n.sum() == 6
            assert (one.n[units.outcome, units.cell] > 0).all()
            SkillModel(intervals="sandwich").fit(one).posterior.above("a", "b")


def _four(index, players, scores, seats):
    one = result(index, players[:2], (0.0, 0.0))
    seat = one.seats[0]
    found = [
        type(seat)(seat=s, role=s, player=p, score=float(x)) for s, p, x in zip(seats, players, scores, strict=True)
    ]
    return type(one)(index, 0, f"p{index}", f"m{index}", "four", 1, "finished", "", tuple(found), 0.1)


def test_matches_of_a_pairing_that_repeat_each_other_count_once():
    rng = random.Random(3)
    same, mixed = [], []
    for k in range(400):
        a, b = rng.sample("abcdefgh", 2)
        luck = rng.choice([1.0, -1.0])
        same += rotated(k, a, b, (luck, luck))
        mixed += rotated(k, a, b, (luck, rng.choice([1.0, -1.0])))
    repeated, independent = fit(same), fit(mixed)
    assert repeated.dispersion[ZERO] == pytest.approx(2.0, abs=0.2)
    assert independent.dispersion[ZERO] == pytest.approx(1.0, abs=0.15)
    robust = BradleyTerry(intervals="sandwich").fit(table(same))
    assert np.median(robust.sd / repeated.sd) == pytest.approx(1.0, abs=0.25)


def test_a_general_sum_pairing_compares_the_same_seat():
    log_ = [
        result(0, ("a", "b"), (5.0, 9.0), DEAL, pairing="p"),
        result(1, ("b", "a"), (4.0, 9.5), DEAL, pairing="p"),
    ]
    counts = table(log_)
    assert (counts.columns[3] == counts.columns[4]).all()
    assert BT.fit(counts).difference("a", "b")[0] > 0.0
    assert table(log_[:1]).n.sum() == 0


def test_three_seats_make_three_comparisons():
    counts = table([result(0, ("u", "v", "w"), (2.0, -1.0, -1.0), THREE, pairing="p")])
    info = GAMES[THREE]
    if not info.by_pairing:
        assert counts.n.sum() == 3
        assert set(counts.weight) == {0.75}


def test_a_warm_start_changes_nothing_that_matters():
    rng = np.random.default_rng(5)
    skill = rng.normal(0.0, 1.0, 32)
    first, second = random_pairs(rng, 32, 600)
    outcome = play(rng, skill, first, second)
    before = BT.fit(Counts.of_matches(names(32), first[:-1], second[:-1], outcome[:-1]))
    counts = Counts.of_matches(names(32), first, second, outcome)
    cold, warm = BT.fit(counts), BT.fit(counts, start=before)
    np.testing.assert_allclose(warm.ratings, cold.ratings, atol=0.02)
    assert warm.iterations < cold.iterations


def test_roles_are_rated_apart_and_overall_is_their_mean():
    rng = np.random.default_rng(7)
    attack, defend = rng.normal(0.0, 1.0, (2, 10))
    log_ = []
    for index in range(3_000):
        a, b = rng.choice(10, 2, replace=False)
        won = (attack[a] - defend[b]) / 2**0.5 + rng.normal() > 0.0
        log_.append(result(index, (names(10)[a], names(10)[b]), (1.0, -1.0) if won else (-1.0, 1.0)))
    found = fit_roles(BT, table(log_).only(ZERO))
    assert spearmanr(found.roles[PAIR[0]].ratings, attack).statistic > 0.9
    assert spearmanr(found.roles[PAIR[1]].ratings, defend).statistic > 0.9
    mean = (found.roles[PAIR[0]].ratings + found.roles[PAIR[1]].ratings) / 2.0
    np.testing.assert_allclose(found.overall.ratings, mean)
