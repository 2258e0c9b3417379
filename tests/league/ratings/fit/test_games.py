"""Ratings over several games: who may be compared, how wide the intervals are, and how often claims are right."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from league.config.tournament import RatingConfig
from league.ratings import SkillModel, fit_games
from league.ratings.comparisons import Counts
from league.ratings.engine import RatingEngine
from league.ratings.fit.games import comparable
from league.ratings.fit.prior import Edges, Loading, Width
from league.records.leaderboard import MatchCounts
from tests.league.ratings.factories import GAMES, NODRAW, ZERO, result
from tests.league.ratings.simulation import BETA

MODEL = SkillModel()


def counts(skills, plays, rng, matches=30):
    """`skills` (games, n) in beta; `plays`: per game, who plays it, everybody against everybody."""
    columns, n = [], []
    for game, players in enumerate(plays):
        for place, a in enumerate(players):
            for b in players[place + 1 :]:
                won = (skills[game][a] - skills[game][b]) / 2**0.5 + rng.standard_normal(matches) > 0.0
                columns.append((game, a, b, 0, 0, 0, 0, 2))
                n.append((won.sum(), 0, (~won).sum()))
    names = tuple(f"p{i}" for i in range(len(skills[0])))
    ids = tuple(f"g{g}" for g in range(len(plays)))
    return Counts(names, ids, ("player",), np.array(columns, np.int64).T, np.array(n, np.int64).T)


def quickstart(seed, own):
    """Two players of both games, and one of each alone."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, 1.0, 4)
    skills = [skill + rng.normal(0.0, own, 4) for _ in range(2)]
    return skill, counts(skills, [[0, 1, 2], [0, 1, 3]], rng)


def test_only_players_linked_in_a_common_game_are_comparable():
    found = comparable(quickstart(0, 0.7)[1])
    assert [(i, j) for i in range(4) for j in range(i) if not found[i, j]] == [(3, 2)]
    split = counts(np.zeros((1, 4)), [[0, 1]], np.random.default_rng(0))
    assert not comparable(split)[0, 2]


def test_a_game_alone_is_the_fit_of_that_game():
    one = counts(np.linspace(0.0, 2.0, 5)[None], [range(5)], np.random.default_rng(1))
    np.testing.assert_array_equal(fit_games(MODEL, one).ratings, MODEL.fit(one).ratings)
    assert fit_games(MODEL, one).comparable is None


def test_who_plays_one_game_is_known_less_well_overall_than_in_it():
    _, of = quickstart(2, 0.0)
    overall, alone = fit_games(MODEL, of), MODEL.fit(of.only("g0"))
    place = of.players.index("p2")
    assert overall.sd[place] > 1.2 * alone.sd[place]
    assert overall.sd[place] > overall.sd[of.players.index("p0")]


def test_overall_intervals_hold_where_games_differ():
    """Audit H2: 46 to 58% of the truths were covered with deviations of .7 beta per game."""
    covered, claims = [], []
    for seed in range(25):
        skill, of = quickstart(seed, 0.7)
        fit = fit_games(MODEL, of)
        low, high = fit.interval()
        truth = 25.0 + BETA * (skill - skill.mean())
        covered += ((low <= truth) & (truth <= high)).tolist()
        claims += [
            skill[i] > skill[j]
            for i, j in np.argwhere(fit.comparable)
            if fit.posterior.above(fit.players[i], fit.players[j]) > 0.95
        ]
    assert np.mean(covered) >= 0.85
    assert np.mean(claims) > 0.9


def test_a_game_of_luck_is_told_by_its_discrimination():
    """Ten players of both games; the second shows a fifth of the skill. Its results move overall ratings less."""
    rng = np.random.default_rng(4)
    skill = np.linspace(-2.0, 2.0, 10)
    fit = fit_games(MODEL, counts([skill, 0.2 * skill], [range(10), range(10)], rng, matches=60))
    assert np.corrcoef(fit.ratings, skill)[0, 1] > 0.97
    assert fit.loadings["g0"] > 2.0 * fit.loadings["g1"]


def test_the_order_of_games_and_the_set_of_results_decide():
    skills = np.random.default_rng(5).normal(0.0, 1.0, (2, 4))
    log = []
    for index in range(60):
        game, pair = (ZERO, (0, 1)) if index % 2 else (NODRAW, (0, 2) if index % 4 else (1, 2))
        lead = skills[index % 2][pair[0]] - skills[index % 2][pair[1]] + np.random.default_rng(index).normal()
        log.append(result(index, ("abcd"[pair[0]], "abcd"[pair[1]]), (np.sign(lead), -np.sign(lead)), game))
    shown = []
    for order in (log, log[::-1]):
        ratings = RatingEngine(GAMES, RatingConfig(), list("abc"))
        ratings.add(order)
        shown.append(ratings.final("run", MatchCounts()))
    assert shown[0] == shown[1]


def test_players_without_a_common_game_get_no_rank_range_or_probability():
    log = []
    for index in range(40):
        log.append(result(2 * index, ("a", "b"), (1, -1) if index % 4 else (-1, 1), ZERO))
        log.append(result(2 * index + 1, ("b", "c"), (1, -1) if index % 4 else (-1, 1), NODRAW))
    ratings = RatingEngine(GAMES, RatingConfig(), list("abc"))
    ratings.add(log)
    for shown in (ratings.snapshot("run", MatchCounts()), ratings.final("run", MatchCounts())):
        rows = {row.player: row for row in shown.standings}
        assert shown.apart == ("a", "c")
        for player in "ac":
            assert (rows[player].rank, rows[player].rank_low, rows[player].rank_high) == (None, None, None)
        assert rows["b"].rank is not None
        for row, after in zip(shown.standings, shown.standings[1:], strict=False):
            assert (row.above_next is None) == ({row.player, after.player} == {"a", "c"})
        assert [row.rank for row in shown.games[ZERO]] == [1, 2]


def test_the_warning_of_the_prior_names_no_players_without_a_common_game():
    """a never lost, c always won: the widest gap is between players of which nothing is claimed."""
    log = [result(k, ("a", "b"), (1, -1), ZERO) for k in range(20)]
    log += [result(20 + k, ("c", "d"), (1, -1), NODRAW) for k in range(20)]
    log += [result(40 + k, ("b", "d"), (1, -1), NODRAW) for k in range(6)]
    ratings = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    ratings.add(log)
    shown = ratings.final("run", MatchCounts())
    assert shown.apart == ("a", "c", "d")
    assert shown.prior.startswith(("how far c is above", "how far b is above d", "how far a is above b"))


def test_players_that_never_met_directly_or_through_others_have_no_probability_in_one_game_either():
    log = [result(k, ("a", "b"), (1, -1) if k % 2 else (-1, 1), ZERO) for k in range(20)]
    log += [result(20 + k, ("c", "d"), (1, -1), ZERO) for k in range(20)]
    ratings = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    ratings.add(log)
    rows = ratings.final("run", MatchCounts()).standings
    assert [row.p_best for row in rows] == [None] * 4
    assert [row.p_order for row in rows] == [None] * 4
    for row, after in pairwise(rows):
        assert (row.above_next is None) == ((row.player in "ab") != (after.player in "ab"))
    assert rows[-1].above_next is None
    ratings.add([result(40, ("b", "c"), (1, -1), ZERO)])
    linked = ratings.final("run", MatchCounts()).standings
    assert all(row.above_next is not None for row in linked[:-1])
    assert sum(row.p_best for row in linked) == pytest.approx(1.0, abs=0.01)


def test_derivatives_of_the_loading():
    """Slope and step against the marginal likelihood of a small Gaussian model."""
    rng = np.random.default_rng(6)
    parent, child = np.arange(3), np.arange(3, 6)
    data = rng.normal(size=6)

    def posterior(z):
        width = Width(Edges("g", child, parent, 0.8), 0.8, 1.0)
        loading = Loading(width, 0.7)
        loading.restart(z)
        prior = np.diag([1.0] * 3 + [0.0] * 3)
        width.edges.add_precision(prior, width.alpha)
        covariance = np.linalg.inv(prior + np.diag([0.0] * 3 + [4.0] * 3))
        return loading, covariance @ np.diag([0.0] * 3 + [4.0] * 3) @ data, covariance, prior

    def marginal(z):
        loading, x, covariance, prior = posterior(float(np.squeeze(z)))
        fit = -0.5 * 4.0 * ((data - x)[3:] ** 2).sum() - 0.5 * x @ prior @ x
        return fit + 0.5 * np.linalg.slogdet(covariance)[1] + 3 * np.log(0.8**-1) - 0.5 * (loading.z / 0.7) ** 2

    loading, x, covariance, _ = posterior(0.2)
    moved = (posterior(0.2 + 1e-6)[1] - posterior(0.2 - 1e-6)[1]) / 2e-6
    np.testing.assert_allclose(loading.slope(x, covariance), moved, atol=1e-6)
    slope = float(np.squeeze(approx_fprime(np.array([0.2]), marginal, 1e-6)))
    bend = (marginal(0.201) - 2 * marginal(0.2) + marginal(0.199)) / 1e-6
    change = loading.step(x, covariance)
    assert change == pytest.approx(np.clip(slope / max(-bend, 0.7**-2), -0.3, 0.3), abs=2e-3)


def test_over_several_games_only_who_lost_in_none_is_unbeaten_and_only_who_won_in_none_is_winless():
    """Comparisons are among the players of each game there; the players over all games have none of their own."""
    skills = np.array([[99.0, 0.0, 0.2, -99.0], [99.0, 0.1, 0.0, -99.0]])
    fit = fit_games(MODEL, counts(skills, [[0, 1, 2, 3]] * 2, np.random.default_rng(3)))
    assert fit.posterior.unbeaten.tolist() == [True, False, False, False]
    assert fit.posterior.winless.tolist() == [False, False, False, True]
    points = fit.posterior.expected_points("p1", "p2")
    assert 0.0 < points.low < 50.0 < points.high < 100.0
