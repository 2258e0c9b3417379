"""Matchmakers that use results: pure, fair to every seat, strict about parameters, better than random pairing."""

import random
from collections import Counter
from statistics import NormalDist

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from games import InputError
from league.matchmaking import expand, make
from league.matchmaking.greedy import RESOLUTION, bits, nearness
from league.matchmaking.results_table import table_of
from league.matchmaking.skill_belief import WIDTH, SkillBelief, drawn_skills, fit, information
from league.ratings import CountTable, GameInfo, SkillModel
from tests.league.matchmaking.fields import PAIR, TRIO, field, play, run

ADAPTIVE = ("find-best", "information", "random", "rank-all", "uncertainty")
SINGLE = ("rank-all(mirrored=false)", "uncertainty(mirrored=false)")
DEAL = GameInfo("general_sum", ("seller", "buyer"))


@pytest.mark.parametrize("name", ADAPTIVE)
@settings(max_examples=4, deadline=None)
@given(st.integers(3, 8), st.integers(0, 1000), st.sampled_from([PAIR, TRIO, DEAL]))
def test_the_plan_is_a_function_of_log_and_seed(name, n, seed, info):
    of = field(n, {"g-v0": info, "h-v0": PAIR}, rounds=3, seed=seed)
    one = run(make(name), of, void=0.1)
    two = run(make(name), of, void=0.1, shuffle=True)
    assert one[:2] == two[:2]
    assert len(one[1]) == make(name).total(of)
    for pairing in (p for pairings in one[0] for p in pairings):
        assert len(set(pairing.players)) == len(of.games[pairing.game].seats)
    assert make(name).next(of, 3, one[2]) is None
    assert make(name).next(of, 1, one[2]) == tuple(one[0][1])  # later results are not looked at


@pytest.mark.parametrize("name", ["rank-all", "uncertainty", "information"])
def test_a_round_is_shared_out_evenly(name):
    of = field(8, rounds=5)
    for pairings in run(make(f"{name}(batch=16, bridge=0, mirrored=true)"), of)[0]:
        tables = Counter(p for pairing in pairings for p in pairing.players)
        assert sum(tables.values()) == 16
        assert max(tables.values()) <= 3  # one more than even, where the last table lacks a second player


def test_nobody_is_left_out_for_long():
    of = field(20, rounds=12)
    for name in ("rank-all", "uncertainty", "information"):
        played = Counter(s for m in run(make(f"{name}(batch=20)"), of)[1] for s in m.match.seats.values())
        assert set(played) == set(of.players), name


@pytest.mark.parametrize("name", SINGLE)
def test_single_matches_are_as_many_and_fair_to_every_seat(name):
    of = field(10, rounds=25)
    _, planned, _ = run(make(name), of)
    assert len(planned) == make(name).total(of) == 25 * 32
    assert len({m.pairing for m in planned}) == len(planned)  # each on a seed of its own
    first = Counter(next(iter(m.match.seats.values())) for m in planned)
    played = Counter(p for m in planned for p in m.match.seats.values())
    for player in of.players:  # five standard deviations of a fair coin
        assert abs(first[player] - played[player] / 2) < 2.5 * played[player] ** 0.5


def test_single_matches_give_both_seats_to_everybody():
    of = field(10, rounds=30)
    _, planned, _ = run(make("rank-all"), of)  # auto: no edge, so single
    first = Counter(m.match.seats["first"] for m in planned)
    played = Counter(p for m in planned for p in m.match.seats.values())
    assert len({m.pairing for m in planned}) == len(planned) == make("rank-all").total(of)
    for player in of.players:
        assert abs(2 * first[player] - played[player]) <= 4


def test_auto_plays_rotated_pairs_where_seat_or_luck_decides():
    def pairings(info, log=(), round=0):
        return make("rank-all").next(field(8, {"g-v0": info}, rounds=99), round, log)

    for info in (DEAL, TRIO):
        assert all(p.mirrored for p in pairings(info))
    assert len(pairings(PAIR)) == 32
    assert not any(p.mirrored for p in pairings(PAIR))
    of = field(8, rounds=99)
    log, lots = [], random.Random(0)
    for number in range(4):  # who sits first wins nine times in ten, whoever it is
        planned = expand(
            make("rank-all").next(of, number, log), of.games, run="r", seed=0, round=number, start=len(log)
        )
        for result in play(planned, lots):
            won = lots.random() < 0.9
            seats = [msgspec.structs.replace(s, score=float(won == (s.seat == "first"))) for s in result.seats]
            log.append(msgspec.structs.replace(result, seats=tuple(seats)))
    assert table_of(of, "g-v0", 4, log).seat_advantage
    later = pairings(PAIR, log, 4)
    assert all(p.mirrored for p in later)
    assert len(later) == 16


def test_rank_all_opens_with_everyone_equally_often_and_without_bridges():
    of = field(16, rounds=13)
    bridged, plain = (
        run(make(f"rank-all(batch=8, mirrored=false, bridge={share})"), of)[0] for share in ("0.5", "0.0")
    )
    opening = 2 * (16).bit_length()
    assert bridged[:opening] == plain[:opening]
    assert bridged != plain
    played = Counter(player for pairings in plain[:opening] for pairing in pairings for player in pairing.players)
    assert set(played.values()) == {opening}


def test_single_matches_do_not_rate_what_is_rated_by_the_pairing():
    of = field(4, {"g-v0": DEAL}, rounds=1)
    with pytest.raises(InputError, match="'g-v0' is rated by whole pairings: remove mirrored=false"):
        make("random(mirrored=false)").next(of, 0, ())


@pytest.mark.parametrize(
    "name",
    [
        "rank-all(mirrored=1)",
        "rank-all(mirrored=both)",
        "rank-all(batch=0)",
        "uncertainty(batch=x)",
    ],
)
def test_a_wrong_parameter_is_told(name):
    with pytest.raises(InputError, match=r"batch|kind|mirrored"):
        make(name)


def test_one_seat_is_refused():
    with pytest.raises(InputError, match="two or more seats"):
        make("rank-all").next(field(4, {"g-v0": GameInfo("cooperative", ("solo",))}), 0, ())


def test_void_matches_and_self_meetings_say_nothing():
    of = field(2, rounds=100)
    log = run(make("random(batch=2)"), of)[2]
    table = table_of(of, "g-v0", 100, log)
    assert table.wins.sum() == len(log)
    assert table.meetings[0, 1] == len(log) / 2

    void = [msgspec.structs.replace(r, status="void") for r in log]
    same = [
        msgspec.structs.replace(r, seats=tuple(msgspec.structs.replace(s, player="p00") for s in r.seats)) for r in log
    ]
    empty = table_of(of, "g-v0", 100, void + same)
    assert empty.wins.sum() == 0.0
    assert np.abs(fit(empty.counts).mean).max() == 0.0  # 200 self-meetings move nobody
    assert np.array_equal(empty.win_rates(0), [0.5, 0.5])


def test_an_upset_however_extreme_stays_finite():
    wins = np.zeros((3, 3))
    wins[0, 1] = wins[1, 2] = 1e5
    wins[2, 0] = 1.0
    posterior = fit(wins)
    assert np.isfinite(posterior.mean).all()
    assert np.isfinite(posterior.covariance).all()
    assert posterior.mean[0] > posterior.mean[1] > posterior.mean[2]


def test_the_planner_believes_what_the_board_shows():
    """Audit: the planner had a model of its own. Same order, gaps and covariances as the fit of the same results."""
    of = field(7, {"g-v0": PAIR}, rounds=6)
    _, _, log = run(make("random"), of)
    posterior = fit(table_of(of, "g-v0", 6, log).counts)
    counts = CountTable(of.games, list(of.players))
    counts.add(log)
    board = SkillModel().fit(counts.counts())
    beta = SkillModel().beta
    place = [board.players.index(name) for name in table_of(of, "g-v0", 6, log).names]
    gaps = np.subtract.outer(board.ratings[place], board.ratings[place]) / beta
    assert np.subtract.outer(posterior.mean, posterior.mean) == pytest.approx(gaps, abs=1e-6)
    own = np.diag(board.covariance)[place]
    spread = np.add.outer(own, own) - 2.0 * board.covariance[np.ix_(place, place)]
    assert posterior.gaps()[1] == pytest.approx(spread / beta**2, abs=1e-6)


def test_find_best_meets_players_as_often_as_the_board_draws_them_as_the_best():
    of = field(5, {"g-v0": PAIR}, rounds=6)
    _, _, log = run(make("random"), of)
    table = table_of(of, "g-v0", 6, log)
    skills = drawn_skills(table.counts)
    assert skills.mean(1) - skills.mean() == pytest.approx(fit(table.counts).mean, abs=0.1)
    share = np.bincount(skills.argmax(0), minlength=5) / skills.shape[1]
    groups = make("find-best").choose(table, 2000, 2, np.random.default_rng(0))
    assert np.bincount([a for a, _ in groups], minlength=5) / 2000 == pytest.approx(share, abs=0.04)
    assert all(a != b for a, b in groups)


@pytest.mark.parametrize(
    ("info", "parameters", "pairings"), [(PAIR, "", 2), (PAIR, ", mirrored=true", 1), (TRIO, "", 1)]
)
def test_find_best_begins_with_a_few_matches_of_everyone(info, parameters, pairings):
    """Without them a good player that lost its first match, or had none, was left out for long."""
    size, of = len(info.seats), field(12, {"g-v0": info}, rounds=30)
    matches = size if parameters or size > 2 else 1
    rounds, _, _ = run(make(f"find-best(batch={2 * matches}, bridge=0{parameters})"), of)
    opening = [p for pairings in rounds for p in pairings][: 12 * pairings // size]
    assert Counter(p for one in opening for p in one.players) == dict.fromkeys(of.players, pairings)
    later = Counter(p for pairings in rounds[12:] for one in pairings for p in one.players)
    assert max(later.values()) > 2 * sorted(later.values())[len(later) // 2 - 1]


def test_the_width_of_the_prior_is_learnt():
    rng = np.random.default_rng(0)

    def width(spread):
        skill = rng.normal(0, spread, 30)
        p = ndtr(np.subtract.outer(skill, skill) / np.sqrt(2))
        wins = np.triu(rng.binomial(20, p), 1)
        return fit(wins + np.tril(20 - wins.T, -1)).width

    assert fit(np.zeros((4, 4))).width == WIDTH
    assert width(0.5) < 1.0 < 1.7 < width(2.5)


def test_information_and_bits_against_quadrature():
    gap, variance = 0.8, 1.3
    posterior = SkillBelief(np.array([gap, 0.0]), np.eye(2) * variance / 2, 2.0)
    at = NormalDist(gap, variance**0.5)
    x = np.array([at.inv_cdf((k + 0.5) / 4000) for k in range(4000)])
    p = ndtr(x / np.sqrt(2))
    density = np.exp(-x * x / 4) / np.sqrt(2 * np.pi)
    assert information(posterior)[0, 1] == pytest.approx((density**2 / (2 * p * (1 - p))).mean(), abs=0.01)
    entropy = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
    mean = p.mean()
    expected = -(mean * np.log2(mean) + (1 - mean) * np.log2(1 - mean)) - entropy.mean()
    assert bits(posterior)[0, 1] == pytest.approx(expected, abs=0.02)
    assert bits(posterior)[0, 0] == 0.0


def test_a_match_seen_shrinks_the_covariance_as_bayes_does():
    posterior = fit(np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    direction = np.array([1.0, -1.0, 0.0])
    expected = np.linalg.inv(np.linalg.inv(posterior.covariance) + 0.3 * np.outer(direction, direction))
    assert posterior.after_match(0, 1, 0.3).covariance == pytest.approx(expected)


def test_rank_all_counts_what_a_match_takes_from_the_variance_of_ranks():
    rng = np.random.default_rng(4)
    root = rng.normal(size=(5, 5))
    posterior = SkillBelief(rng.normal(0.0, 2.0, 5), root @ root.T, 2.0)
    rule = make("rank-all")
    gap, spread = posterior.gaps()
    near = nearness(gap, spread + (RESOLUTION * posterior.width) ** 2)
    assert near == pytest.approx(near.T)
    assert not near.diagonal().any()

    def rank_variance(covariance):
        slope = np.diag(near.sum(1)) - near  # of each rank by each skill; moving all players alike changes none
        return np.trace(slope @ covariance @ slope.T)

    worth = rule.value(posterior, np.zeros((5, 5)))
    for i, j in ((0, 1), (2, 4), (3, 0)):
        after = posterior.after_match(i, j, rule.evidence * float(information(posterior)[i, j])).covariance
        assert worth[i, j] == pytest.approx(rank_variance(posterior.covariance) - rank_variance(after))
    assert np.allclose(worth.diagonal(), 0.0)


def matches_until(name, done, *, n, seed, spread, limit):
    """Play until `done` holds; decided matches by TrueSkill's model."""
    rng = random.Random(seed)
    skill = {f"p{i:02d}": rng.gauss(0, spread) for i in range(n)}
    of = field(n, rounds=10_000, seed=seed)
    log, maker = [], make(name)
    for number in range(limit):
        planned = expand(maker.next(of, number, log), of.games, run="r", seed=seed, round=number, start=len(log))
        for result in play(planned, rng):
            by = {s.player: skill[s.player] + rng.gauss(0, 1) for s in result.seats}

            seats = tuple(msgspec.structs.replace(s, score=by[s.player]) for s in result.seats)
            log.append(msgspec.structs.replace(result, seats=seats))
        counts = CountTable(of.games, list(of.players))
        counts.add(log)
        mean = SkillModel(groups=1).fit(counts.counts()).ratings
        if done(mean, np.array(list(skill.values()))):
            return len(log)
    return 10**6


def median_matches(name, done, **settings_):
    return float(np.median([matches_until(name, done, seed=s, **settings_) for s in range(15)]))


def spearman(a, b):
    return np.corrcoef(np.argsort(np.argsort(a)), np.argsort(np.argsort(b)))[0, 1]


@pytest.mark.slow
def test_ranking_all_takes_fewer_matches_than_chance():
    def done(mean, truth):
        return spearman(mean, truth) > 0.95

    size = {"n": 24, "spread": 2.0, "limit": 60}
    assert median_matches("rank-all(batch=12)", done, **size) < 0.8 * median_matches("random(batch=12)", done, **size)


def test_finding_the_best_plays_the_best():
    of = field(24, rounds=14, seed=5)
    log, rng = [], random.Random(5)
    skill = {p: rng.gauss(0, 2) for p in of.players}
    best = max(skill, key=skill.get)

    maker = make("find-best(batch=12)")
    for number in range(of.rounds):
        planned = expand(maker.next(of, number, log), of.games, run="r", seed=1, round=number, start=len(log))
        for result in play(planned, rng):
            seats = tuple(msgspec.structs.replace(s, score=skill[s.player] + rng.gauss(0, 1)) for s in result.seats)
            log.append(msgspec.structs.replace(result, seats=seats))
    late = Counter(s.player for r in log[-48:] for s in r.seats)
    assert late.most_common(1)[0][0] == best
