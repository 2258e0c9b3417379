"""The fit of many players agrees with that of few, and its table has the same properties."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.config.tournament import RatingConfig
from league.ratings import Counts, SkillModel
from league.ratings.engine import SKIPPED, RatingEngine
from league.ratings.fit import skill_model
from league.ratings.fit.averaging import average
from league.ratings.fit.many_players import fit_many
from league.ratings.fit.model import Model
from league.ratings.fit.posterior import derivatives
from league.ratings.fit.sparse_precision import Meetings, Precision, Solver
from league.records.leaderboard import MatchCounts
from tests.league.ratings.factories import GAMES, ZERO, result
from tests.league.ratings.simulation import BETA, names, play, random_pairs

MODEL = SkillModel(groups=1)


def field(seed, n=60, each=20, spread=1.0):
    """The true skills of a field and the counts of its matches."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, spread, n)
    first, second = random_pairs(rng, n, each * n // 2)
    return skill, Counts.of_matches(names(n), first, second, play(rng, skill, first, second))


@cache
def both(seed, n=60, each=20, lineage=(), anchors=()):
    counts = field(seed, n, each)[1]
    more = dict(lineage), dict(anchors)
    return average(Model(MODEL, counts, *more)), fit_many(Model(MODEL, counts, *more))


def test_it_agrees_with_the_fit_of_few_players():
    few, many = both(1)
    assert np.abs(many.ratings - few.ratings).max() < 0.05 * many.sd.min()
    assert many.widths["players"] == pytest.approx(few.widths["players"], rel=0.03)
    assert many.draws["game"] == pytest.approx(few.draws["game"], rel=0.02)
    assert many.seats["game"][0].sd == pytest.approx(few.seats["game"][0].sd, rel=0.05)
    assert many.difference("p000", "p001")[1] == pytest.approx(few.difference("p000", "p001")[1], rel=0.15)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([150, 250]), st.sampled_from([8, 20, 60]))
def test_it_agrees_in_any_field(seed, n, each):
    few, many = both(seed, n, each)
    sd = few.posterior.skills.std(1)
    assert np.abs(many.ratings - few.ratings).max() < 0.12 * sd.min()
    assert many.widths["players"] == pytest.approx(few.widths["players"], rel=0.06)
    assert np.mean(many.sd / sd) == pytest.approx(1.0, abs=0.06)
    widths = [np.subtract(*fit.interval()[::-1]) for fit in (many, few)]
    assert np.mean(widths[0] / widths[1]) == pytest.approx(1.0, abs=0.06)


@pytest.mark.slow
def test_it_takes_lineage_and_anchors():
    lineage = tuple((f"p{i:03d}", f"p{i - 1:03d}") for i in range(1, 12))
    few, many = both(3, 24, 20, lineage, (("p000", (30.0, 0.5)), ("p020", (22.0, 0.5))))
    assert (np.abs(many.ratings - few.ratings) / few.sd).max() < 0.1
    assert many.drift == pytest.approx(few.drift, abs=0.1)
    assert many.absolute
    assert np.mean(many.sd / few.sd) == pytest.approx(1.0, abs=0.08)


def test_its_blocks_are_the_dense_precision():
    counts = field(1, 12, 10)[1]
    model = Model(MODEL, counts, {"p03": "p02", "p04": "p03"}, {})
    x, sd = np.linspace(-1.0, 1.0, model.design.size), np.full(counts.n.shape[1], 0.4)
    curve = derivatives(model.design, counts.n * 1.0, x, sd, 3)
    dense = model.design.information(curve.gap2, curve.mixed, curve.margin2) + model.prior.matrix()
    precision = Precision.of(model.design, curve, model.prior, Meetings(model.design, model.prior, model.n))
    n, links = model.n, precision.links.toarray()
    assert np.diag(precision.diagonal) - links - links.T == pytest.approx(dense[:n, :n])
    assert precision.others == pytest.approx(dense[n:])
    right = np.random.default_rng(0).normal(size=(model.design.size, 2))
    solver = Solver(precision, 1e-9)
    assert solver(right) == pytest.approx(np.linalg.solve(dense, right), rel=1e-5, abs=1e-8)
    noise = solver.noise(precision.root(), np.random.default_rng(0), 40_000)
    assert np.cov(noise) == pytest.approx(np.linalg.inv(dense), abs=0.02 * np.linalg.inv(dense).max())


@pytest.mark.slow
def test_its_intervals_hold_and_no_column_contradicts_another():
    inside = []
    for seed in range(6):
        skill, counts = field(100 + seed, 80, 24)
        fit = fit_many(Model(MODEL, counts, {}, {}))
        low, high = fit.interval()
        true = 25.0 + BETA * (skill - skill.mean())
        inside.append((low <= true) & (true <= high))
        order = fit.order()
        ranges = fit.posterior.rank_ranges(order)
        above, best = fit.posterior.above_next(order, ranges), fit.posterior.p_best(order)
        for here, after, sure in zip(ranges, ranges[1:], above, strict=False):
            assert (sure > 0.95) <= (here[1] < after[0])
        assert (best[0] > 0.95) == (ranges[0] == (1, 1)) or best[0] > 0.95 - 0.01
    assert 0.92 < np.mean(inside) < 0.98


def test_a_board_of_many_players_says_what_it_leaves_out(monkeypatch):
    monkeypatch.setattr(skill_model, "MANY", 5)
    rng, players = np.random.default_rng(0), [f"p{i}" for i in range(8)]
    log = []
    for i in range(80):
        pair = rng.permutation(8)[:2]
        log.append(result(i, tuple(players[k] for k in pair), (1.0, -1.0) if pair[0] < pair[1] else (-1.0, 1.0), ZERO))
    engine = RatingEngine({ZERO: GAMES[ZERO]}, RatingConfig(), players)
    engine.add(log)
    live, board = engine.snapshot("run", MatchCounts()), engine.final("run", MatchCounts())
    assert board.checks[ZERO][0] == SKIPPED
    assert not board.roles[ZERO]
    assert [row.rank for row in board.standings] == list(range(1, 9))
    for table in (live.standings, board.standings):
        assert all(row.low <= row.rating <= row.high for row in table)
        assert table[0].player == "p0"


@pytest.mark.slow
def test_a_board_of_two_thousand_players_names_one_that_rises_and_holds_anchors():
    """Two seats are two roles, three players form a cycle, and two are anchors: the table is complete all the same."""
    rng, n = np.random.default_rng(4), 2000
    skill, anchors = rng.normal(0.0, 1.0, n), {0: 30.0, 1: 22.0}
    skill[[0, 1]] = [(rating - 25.0) / BETA for rating in anchors.values()]
    pairs = [*zip(*random_pairs(rng, n, 8000), strict=True), *[(7, int(k)) for k in rng.integers(10, n, 120)]]
    pairs += [(2, 3), (3, 4), (4, 2)] * 6
    log = []
    for index, (a, b) in enumerate(pairs):
        rise = 6.0 * (index - 8060) / 120 if 8000 <= index < 8120 else 0.0
        won = index >= 8120 or skill[a] - skill[b] + rise + rng.normal(0.0, 2**0.5) > 0.0
        log.append(result(index, (f"p{a:04d}", f"p{b:04d}"), (1.0, -1.0) if won else (-1.0, 1.0), ZERO))
    rated = [{"player": f"p{k:04d}", "rating": rating, "sd": 0.1} for k, rating in anchors.items()]
    engine = RatingEngine({ZERO: GAMES[ZERO]}, RatingConfig(anchors=rated), [f"p{k:04d}" for k in range(n)])
    engine.add(log)
    board = engine.final("run", MatchCounts())
    first, second = board.checks[ZERO]
    assert first.startswith("p0007 does better in its late matches")
    assert first.endswith("its rating here is that of all of them")
    assert second == SKIPPED
    assert (board.cycles, board.anchors, board.roles[ZERO]) == ({}, {}, {})
    rows = {row.player: row for row in board.standings}
    assert sorted(row.rank for row in board.standings) == list(range(1, n + 1))
    assert [rows[f"p{k:04d}"].rating for k in anchors] == pytest.approx([*anchors.values()], abs=0.4)
    true = 25.0 + BETA * skill
    # with anchors all intervals count the doubt about their origin: in one league more or fewer hold
    inside = [rows[f"p{k:04d}"].low <= true[k] <= rows[f"p{k:04d}"].high for k in range(n)]
    assert 0.9 < np.mean(inside) < 0.995
    assert engine.snapshot("run", MatchCounts()).standings[0].rank == 1
