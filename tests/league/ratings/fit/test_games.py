"""Ratings over several games: who may be compared, how wide the intervals are, and how often claims are right."""

from itertools import pairwise

import numpy as np
import pytest

from league.config.tournament import RatingConfig
from league.ratings import SkillModel, mean_over_games
from league.ratings.comparisons import Counts
from league.ratings.engine import RatingEngine
from league.ratings.fit.games import comparable
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


def mean(of, model=MODEL):
    """The mean over the games of these counts."""
    return mean_over_games({game: model.fit(of.only(game)) for game in of.games}, of)


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
    np.testing.assert_array_equal(mean(one).ratings, MODEL.fit(one).ratings)
    assert mean(one).comparable is None


def test_who_plays_one_game_is_known_less_well_over_both():
    _, of = quickstart(2, 0.0)
    overall, alone = mean(of), MODEL.fit(of.only("g0"))
    assert overall.difference("p2", "p0")[1] > 1.2 * overall.difference("p0", "p1")[1]
    assert overall.difference("p0", "p1")[1] < alone.difference("p0", "p1")[1]
    assert np.std(overall.posterior.skills, axis=1) == pytest.approx(overall.sd, rel=0.25)


@pytest.mark.parametrize("own", [0.0, 1.5])
def test_intervals_and_claims_over_these_games_hold(own):
    """Of a mean over the two games, whether a player is alike in both or not; half of the players play one."""
    covered, claims = [], []
    for seed in range(14):
        rng = np.random.default_rng(seed)
        skills = rng.normal(0.0, 1.0, 6) + rng.normal(0.0, own, (2, 6))
        fit = mean(counts(skills, [[0, 1, 2, 3], [0, 1, 2, 4, 5]], rng, matches=12), SkillModel(groups=1))
        low, high = fit.interval()
        skill = skills.mean(0)
        truth = fit.ratings.mean() + BETA * (skill - skill.mean())
        covered += ((low <= truth) & (truth <= high)).tolist()
        claims += [
            skill[i] > skill[j]
            for i, j in np.argwhere(fit.comparable)
            if fit.posterior.above(fit.players[i], fit.players[j]) > 0.95
        ]
    assert 0.9 <= np.mean(covered) <= 0.99
    assert np.mean(claims) > 0.93


@pytest.mark.slow
def test_in_a_wide_field_intervals_hold_against_players_of_all_games():
    """Truth centred on the mean of all players reads 72 to 84%: that of players that miss a game is hardly known.
    Centred on those of all games: 92 ± 2% of 135 leagues; their gaps two by two, 94 ± 1% of 95 leagues.
    """
    pairs, alone, by_all, full = [], [], [], [0, 1, 2, 3]
    for seed in range(40):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0.0, 3.0, 8)
        fit = mean(counts(np.stack([skill, skill]), [[*full, 4, 5], [*full, 6, 7]], rng, matches=12))
        (low, high), draws, off = fit.interval(), fit.posterior.skills, BETA * skill - fit.ratings
        for centre, shares in ((off[full].mean(), alone), (off.mean(), by_all)):
            truth = BETA * skill - centre
            shares.append(((low <= truth) & (truth <= high))[full].mean())
        for i, j in ((0, 1), (1, 2), (2, 3)):
            ends = np.quantile(draws[i] - draws[j], (0.025, 0.975))
            pairs.append(ends[0] <= BETA * (skill[i] - skill[j]) <= ends[1])
    assert np.mean(pairs) > 0.9
    assert np.mean(alone) > max(0.85, np.mean(by_all) + 0.05)


def test_errors_of_two_games_are_independent_though_their_draws_start_alike():
    skills = np.random.default_rng(7).normal(0.0, 0.5, 4)
    one = counts(skills[None], [range(4)], np.random.default_rng(8))
    fit = MODEL.fit(one)
    both = mean_over_games({"g0": fit, "g1": fit}, one)
    assert both.ratings == pytest.approx(fit.ratings)
    assert np.std(both.posterior.skills, axis=1) == pytest.approx(fit.sd / 2**0.5, rel=0.1)


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
    """a and c always won, in different games: a line is about a gap in one of these."""
    log = [result(k, ("a", "b"), (1, -1), ZERO) for k in range(20)]
    log += [result(20 + k, ("c", "d"), (1, -1), NODRAW) for k in range(20)]
    log += [result(40 + k, ("b", "d"), (1, -1), NODRAW) for k in range(6)]
    ratings = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    ratings.add(log)
    shown = ratings.final("run", MatchCounts())
    assert shown.apart == ("a", "c", "d")
    assert shown.game_prior[ZERO].startswith("how far a is above b")
    assert shown.game_prior[NODRAW].startswith("how far c is above")
    assert "a is above c" not in shown.prior
    assert "c is above a" not in shown.prior


def test_players_that_never_met_directly_or_through_others_have_no_probability_in_one_game_either():
    log = [result(k, ("a", "b"), (1, -1) if k % 2 else (-1, 1), ZERO) for k in range(20)]
    log += [result(20 + k, ("c", "d"), (1, -1), ZERO) for k in range(20)]
    ratings = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    ratings.add(log)
    rows = ratings.final("run", MatchCounts()).standings
    assert sum(row.p_best for row in rows if row.player in "ab") == pytest.approx(1.0)
    assert sum(row.p_best for row in rows if row.player in "cd") == pytest.approx(1.0)
    assert [row.p_order for row in rows] == [None] * 4
    for row, after in pairwise(rows):
        assert (row.above_next is None) == ((row.player in "ab") != (after.player in "ab"))
    assert rows[-1].above_next is None
    ratings.add([result(40, ("b", "c"), (1, -1), ZERO)])
    linked = ratings.final("run", MatchCounts()).standings
    assert all(row.above_next is not None for row in linked[:-1])
    assert sum(row.p_best for row in linked) == pytest.approx(1.0, abs=0.01)


def test_over_several_games_only_who_lost_in_none_is_unbeaten_and_only_who_won_in_none_is_winless():
    """Comparisons are among the players of each game there; the players over all games have none of their own."""
    skills = np.array([[99.0, 0.0, 0.2, -99.0], [99.0, 0.1, 0.0, -99.0]])
    fit = mean(counts(skills, [[0, 1, 2, 3]] * 2, np.random.default_rng(3)))
    assert fit.posterior.unbeaten.tolist() == [True, False, False, False]
    assert fit.posterior.winless.tolist() == [False, False, False, True]
    points = fit.posterior.expected_points("p1", "p2")
    assert 0.0 < points.low < 50.0 < points.high < 100.0
