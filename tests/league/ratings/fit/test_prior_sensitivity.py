"""The board says which rating gaps rest on the prior; coverage of the intervals in such leagues."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from league.board.printed import board_text, to_json
from league.config.tournament import RatingConfig
from league.matchmaking import PairingContext, expand, make
from league.ratings import GameInfo, SkillModel
from league.ratings.comparisons import Counts
from league.ratings.engine import RatingEngine
from league.ratings.fit.prior_sensitivity import FAR_LIMIT, LIMIT, dependence, without_prior
from league.records.leaderboard import MatchCounts
from league.records.matches import Result, SeatResult
from tests.league.ratings.simulation import names, play, random_pairs

GAMES = {"g-v0": GameInfo("zero_sum", ("a", "b"))}
BETA = 25.0 / 6.0


def fitted(skill, matches, seed=0, pairs=None):
    rng = np.random.default_rng(seed)
    first, second = pairs or random_pairs(rng, len(skill), matches)
    counts = Counts.of_matches(names(len(skill)), first, second, play(rng, np.asarray(skill), first, second))
    return SkillModel().fit(counts)


def test_a_gap_without_upsets_rests_on_the_prior():
    found = dependence(fitted([6.0, 6.1, 6.2, 0.0, 0.1, 0.2], 240))
    assert found is not None
    assert found.decides
    assert {found.better, found.worse} & {"p000", "p001", "p002"}
    assert found.better in {"p000", "p001", "p002"}
    assert found.worse in {"p003", "p004", "p005"}
    assert "is not known: the matches that link them were nearly all one-sided" in str(found)


def test_a_well_tested_league_does_not():
    told = [dependence(fitted(np.random.default_rng(s).normal(0, 0.5, 8), 400, s)) for s in range(5)]
    assert sum(one is not None and one.decides for one in told) == 0


def pairwise(wins):
    """The fit of results {(a, b): (won by a, lost by a)}."""
    of_pair = [(a, b, k) for (a, b), both in wins.items() for k, n in zip((0, 2), both, strict=True) for _ in range(n)]
    first, second, outcome = (np.array(column) for column in zip(*of_pair, strict=True))
    return SkillModel().fit(Counts.of_matches(names(4), first, second, outcome))


def test_one_lost_match_does_not_hide_that_a_wide_gap_is_loose():
    """A champion that lost one of 60 matches: the prior moves the gap by less than LIMIT, and intervals miss."""
    field = {(1, 2): (4, 3), (2, 3): (3, 4), (1, 3): (4, 3)}
    fit = pairwise({(0, 1): (20, 0), (0, 2): (20, 0), (0, 3): (19, 1)} | field)
    found = dependence(fit)
    assert found.better == "p000"
    assert FAR_LIMIT < found.moves < LIMIT
    assert found.decides


def test_two_groups_with_a_few_lost_matches_across_are_told_though_the_prior_hardly_moves_the_gap():
    """32 players, every interval contains the error of one gap."""
    rng = np.random.default_rng(1)
    halves = np.repeat([2.0, -2.0], 16) + rng.normal(0.0, 0.3, 32)
    found = dependence(fitted(halves, 640, 1))
    assert found.decides
    assert 0.25 < found.sd < 0.6
    assert int(found.better[1:]) < 16 <= int(found.worse[1:])
    assert "every interval contains this error" in str(found)
    assert not dependence(fitted(rng.normal(0.0, 1.0, 32), 640, 1)).decides


def test_few_matches_of_near_equals_are_no_reason_to_warn():
    near = {(a, b): (2, 1 + (a + b) % 2) for a in range(4) for b in range(a + 1, 4)}
    assert not dependence(pairwise(near)).decides


def test_without_a_prior_skills_are_the_maximum_of_the_likelihood():
    a, b = np.array([0]), np.array([1])
    found = without_prior(2, a, b, np.array([[75.0], [0.0], [25.0]]))
    from statistics import NormalDist

    assert found.mean[0] - found.mean[1] == pytest.approx(NormalDist().inv_cdf(0.75), abs=0.01)
    nobody = without_prior(3, np.array([0]), np.array([1]), np.array([[30.0], [0.0], [0.0]]))
    assert nobody.mean[0] - nobody.mean[1] > 2.0
    assert nobody.mean[2] == 0.0


def league(skill, pairing, each, seed, ratings):
    """Play `each` matches per player by TrueSkill's model."""
    n = len(skill)
    field = PairingContext({f"p{i:02d}": None for i in range(n)}, GAMES, 10_000, seed)
    place = {name: i for i, name in enumerate(field.players)}
    rng, log, maker, round = random.Random(seed), [], make(pairing), 0
    while len(log) < each * n:
        planned = expand(
            maker.next(field, round, () if maker.ahead else log),
            GAMES,
            run="s",
            seed=seed,
            round=round,
            start=len(log),
        )
        for one in planned[: each * n - len(log)]:
            i, j = (place[player] for player in one.match.seats.values())
            won = skill[i] - skill[j] + rng.gauss(0.0, 2.0**0.5) > 0.0
            rows = tuple(
                SeatResult(seat, seat, player, score)
                for (seat, player), score in zip(one.match.seats.items(), (1, -1) if won else (-1, 1), strict=True)
            )
            log.append(Result(one.index, one.round, one.pairing, one.match.id, "g-v0", 0, "finished", "", rows, 0.0))
        round += 1
    ratings.add(log)
    return ratings.snapshot("run", MatchCounts())


def board(skill, pairing, each=20, seed=0):
    config = RatingConfig(draw_probability={"g-v0": 0.0})
    return league(skill, pairing, each, seed, RatingEngine(GAMES, config, [f"p{i:02d}" for i in range(len(skill))]))


def clusters(n, seed):
    return np.where(np.arange(n) % 2, 2.0, -2.0) + np.random.default_rng(seed).normal(0.0, 0.3, n)


def covered(shot, skill):
    rows = shot.standings
    truth = np.array([skill[int(r.player[1:])] for r in rows]) * BETA
    truth += np.mean([r.bt_rating for r in rows]) - truth.mean()
    return np.mean([r.bt_low <= t <= r.bt_high for r, t in zip(rows, truth, strict=True)])


@pytest.mark.slow
def test_intervals_cover_two_clusters_under_rank_all():
    """The six leagues are a sample: scripts/bench/stress.py measures more, 97.5% where 50.4% were covered before."""
    rates = []
    for seed in range(6):
        skill = clusters(8, seed)
        rates.append(covered(board(skill, "rank-all(batch=8)", seed=seed), skill))
    assert np.mean(rates) >= 0.75


@pytest.mark.long
@pytest.mark.parametrize("pairing", ["rank-all(batch=8)", "uncertainty(batch=8)", "find-best(batch=8)", "swiss"])
def test_intervals_cover_two_clusters_and_a_champion(pairing):
    for make_skill in (clusters, champion):
        rates, warned = [], []
        for seed in range(40):
            skill = make_skill(8, seed)
            shot = board(skill, pairing, seed=seed)
            rates.append(covered(shot, skill))
            warned.append(bool(shot.prior))
        assert np.mean(rates) >= 0.85
        assert np.mean(warned) >= 0.6


def champion(n, seed):
    skill = np.random.default_rng(seed).normal(0.0, 0.5, n)
    skill[0] = 4.0
    return skill


def test_the_board_and_its_json_tell_it_in_one_line():
    skill = np.array([7.0, 7.1, 7.2, 0.0, 0.1, 0.2])
    shot = board(skill, "round-robin", each=40)
    assert "is not known: the matches that link them were nearly all one-sided" in shot.prior
    told = board_text(shot, width=200).plain
    assert shot.prior in told
    shown = to_json(shot)
    assert shown["prior"] == shot.prior
    json.dumps(shown)
    assert to_json(board(np.array([0.0, 0.3, 0.5, 0.1]), "round-robin", each=60))["prior"] is None


def test_rows_say_who_may_be_the_best_and_how_sure_the_order_is():
    shot = board(np.array([2.0, 0.0, 0.2, 0.1]), "round-robin", each=40)
    rows = to_json(shot)["standings"]
    assert rows[0]["player"] == "p00"
    assert sum(row["p_best"] for row in rows) == pytest.approx(1.0, abs=0.01)
    assert rows[0]["p_order"] == pytest.approx(rows[0]["p_best"])
    orders = [row["p_order"] for row in rows]
    assert orders == sorted(orders, reverse=True)
    assert orders[-1] < 0.8 < orders[0]
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in rows)
    assert "best" in board_text(shot, width=200).plain
