"""The Nash mix: of maximum entropy, with bootstrap intervals, and only of players who all met."""

import csv
import io
import json
import sys
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.metagame import PayoffMatrix, alpha_rank, analyse, from_points, nash, to_csv, to_json
from league.metagame.equilibrium import stationary
from league.metagame.report import text
from league.ratings import CountTable, GameInfo
from league.records.matches import Result, SeatResult


def signs(n, seed):
    table = np.sign(np.round(np.random.default_rng(seed).normal(size=(n, n))))
    return np.triu(table, 1) - np.triu(table, 1).T


def entropy(p):
    return float(-(p[p > 0] * np.log(p[p > 0])).sum())


@pytest.mark.parametrize("n", [2, 3, 7])
def test_an_exact_tie_mixes_evenly(n):
    assert nash(np.zeros((n, n))).row == pytest.approx([1 / n] * n)


@pytest.mark.parametrize("seed", range(12))
def test_the_mix_has_the_most_entropy_and_does_not_depend_on_the_order(seed):
    game = signs(7, seed)
    solved = nash(game)
    assert solved.exploitability < 1e-9
    order = np.random.default_rng(seed).permutation(7)
    np.testing.assert_allclose(nash(game[np.ix_(order, order)]).row, solved.row[order], atol=1e-7)
    rng = np.random.default_rng(seed + 100)
    for _ in range(20):  # other equilibria: vertices in random directions
        from scipy.optimize import linprog

        other = linprog(
            rng.normal(size=7), A_ub=-game.T, b_ub=np.zeros(7), A_eq=np.ones((1, 7)), b_eq=[1.0], bounds=(0, 1)
        ).x
        assert entropy(other) <= entropy(solved.row) + 1e-6


def test_known_mixes_of_two_tied_champions_and_of_a_cycle_beside_them():
    table = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 0.0]])
    assert nash(table).row == pytest.approx([0.5, 0.5, 0.0])
    matching = np.array([[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0]])
    solved = nash(matching)
    assert solved.row == pytest.approx([0.5, 0.5])
    assert solved.column == pytest.approx([0.5, 0.25, 0.25])


def test_who_did_not_meet_everybody_is_left_out_and_named():
    points = np.array([[0, 9, 9, 9], [1, 0, 9, 0], [1, 1, 0, 9], [1, 0, 1, 0]], float)
    meta = analyse(from_points("abcd", points))
    assert meta.payoff.unmet == [("b", "d")]
    assert meta.left_out == ("d",)
    data = json.loads(json.dumps(to_json(meta), allow_nan=False))
    assert data["unmet"] == [["b", "d"]]
    by_name = {row["player"]: row for row in data["players"]}
    assert by_name["d"]["nash"] is None
    assert by_name["d"]["alpha_rank"] is None
    assert by_name["a"]["nash"] == pytest.approx(1.0)
    assert by_name["a"]["nash_low"] <= by_name["a"]["nash"] <= by_name["a"]["nash_high"]
    assert "left out of both: d; 1 of 6 pairs never met: b and d" in text(meta)
    rows = [r for r in csv.DictReader(io.StringIO(to_csv(meta.payoff))) if {r["player"], r["opponent"]} == {"b", "d"}]
    assert [(r["games"], r["share"]) for r in rows] == [("0.0", "")] * 2


def test_no_name_is_a_formula_in_the_csv_file():
    named = list(csv.DictReader(io.StringIO(to_csv(from_points(["=1+1", "b"], np.array([[0.0, 3.0], [1.0, 0.0]]))))))
    assert {row["player"] for row in named} == {row["opponent"] for row in named} == {"'=1+1", "b"}


def test_no_mix_is_told_of_players_most_of_whom_never_met():
    points = np.zeros((6, 6))
    for i in range(5):
        points[i, i + 1] = 9.0
    meta = analyse(from_points("abcdef", points))
    assert meta.mix is None
    assert "Nash mix and alpha-rank: unknown, 10 of 15 pairs never met" in text(meta)
    assert {row["nash"] for row in to_json(meta)["players"]} == {None}


def table(matches, seed):
    """Rock, paper and scissors: 70% against the next."""
    rng = np.random.default_rng(seed)
    games = {"g": GameInfo("zero_sum", ("a", "b"))}
    log = []
    for n in range(matches):
        for first, second in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")):
            won = 1.0 if rng.random() < 0.7 else -1.0
            for seats, score in (((first, second), won), ((second, first), -won)):
                both = tuple(SeatResult(s, s, p, x) for s, p, x in zip("ab", seats, (score, -score), strict=True))
                log.append(Result(len(log), 0, f"{first}{n}", f"m{len(log)}", "g", n, "finished", "", both, 0.1))
    counted = CountTable(games)
    counted.add(log)
    return PayoffMatrix.of(counted.counts())


def test_intervals_cover_the_true_mix_and_know_that_a_pairing_is_one_draw():
    few, many = analyse(table(10, 1)), analyse(table(200, 1))
    assert (many.mix.high - many.mix.low).mean() < 0.5 * (few.mix.high - few.mix.low).mean()
    covered = [
        low <= 1 / 3 <= high
        for seed in range(4)
        for m in [analyse(table(20, seed)).mix]
        for low, high in zip(m.low, m.high, strict=True)
    ]
    assert sum(covered) >= 10  # of 12
    payoff = table(20, 3)
    paired = payoff.draws(400).std(0)[0, 1]
    alone = PayoffMatrix(payoff.players, payoff.points, payoff.games).draws(400).std(0)[0, 1]
    assert paired == pytest.approx(alone * 2**0.5, rel=0.15)  # both matches of a pairing always end alike here


def test_the_interval_of_alpha_rank_says_that_a_narrow_lead_is_none():
    """At strong selection all time goes to one of players that are nearly equal."""
    close, far = np.full((4, 4), 10.0), np.full((4, 4), 20.0)
    close[0, 1:], close[1:, 0], far[0, 1:], far[1:, 0] = 11.0, 9.0, 38.0, 2.0
    unsure, sure = (analyse(from_points("abcd", points)).mix for points in (close, far))
    assert unsure.alpha[0] == pytest.approx(1.0)
    assert (unsure.alpha_low[0], unsure.alpha_high[0]) == pytest.approx((0.0, 1.0), abs=0.05)
    assert sure.alpha_low[0] == pytest.approx(1.0)


RPS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def antisymmetric(n, seed):
    table = np.random.default_rng(seed).uniform(-1, 1, (n, n))
    return np.triu(table, 1) - np.triu(table, 1).T


def test_rock_paper_scissors():
    solved = nash(RPS)
    assert solved.row == pytest.approx([1 / 3] * 3)
    assert solved.value == pytest.approx(0.0, abs=1e-12)
    assert alpha_rank(RPS) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(("a", "b", "c"), [(1.0, 2.0, 3.0), (0.1, 1.0, 0.5)])
def test_biased_rock_paper_scissors(a, b, c):
    game = np.array([[0.0, -a, b], [a, 0.0, -c], [-b, c, 0.0]])
    assert nash(game).row == pytest.approx(np.array([c, b, a]) / (a + b + c))
    assert alpha_rank(game) == pytest.approx([1 / 3] * 3)  # the limit sees who beats whom, not by how much


def test_a_clone_changes_nothing_for_the_others():
    game = antisymmetric(5, 1)
    place = [0, 1, 2, 3, 4, 4]
    assert nash(game[np.ix_(place, place)]).row[:4] == pytest.approx(nash(game).row[:4], abs=1e-9)


def test_a_player_that_beats_everybody():
    game = np.triu(np.ones((20, 20)), 1) - np.tril(np.ones((20, 20)), -1)
    assert nash(game).row == pytest.approx([1.0] + [0.0] * 19)
    assert alpha_rank(game)[0] == pytest.approx(1.0, abs=1e-5)
    assert alpha_rank(game, alpha=100.0)[0] == pytest.approx(1.0)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 999))
def test_nobody_gains_by_leaving_an_equilibrium(n, m, seed):
    game = np.random.default_rng(seed).uniform(-1, 1, (n, m))
    solved = nash(game)
    assert solved.row.sum() == pytest.approx(1.0)
    assert solved.exploitability < 1e-8
    assert (game @ solved.column).max() <= solved.value + 1e-8


def test_nash_of_a_large_league_with_dominated_players():
    game = np.tanh(np.subtract.outer(np.arange(64.0), np.arange(64.0))[::-1, ::-1])
    assert nash(game).row[0] == pytest.approx(1.0)


@pytest.mark.parametrize("n", [2, 3, 8])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_alpha_rank_as_openspiel_has_it(n, alpha, monkeypatch):
    # Its module imports the drawing of its results, and that matplotlib; the computation needs neither.
    drawing = "open_spiel.python.egt.alpharank_visualizer"
    monkeypatch.setitem(sys.modules, drawing, types.ModuleType(drawing))
    from open_spiel.python.egt import alpharank

    game = antisymmetric(n, n)
    theirs = alpharank.compute([game], m=50, alpha=alpha, use_local_selection_model=False)[2]
    assert alpha_rank(game, alpha, 50) == pytest.approx(theirs, abs=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 10), st.integers(0, 999), st.floats(-9, 0))
def test_stationary_solves_the_chain(n, seed, exponent):
    rates = np.random.default_rng(seed).uniform(0, 1, (n, n)) ** 3 * 10**exponent / n
    np.fill_diagonal(rates, 0.0)
    share = stationary(rates)
    assert share.sum() == pytest.approx(1.0)
    assert share @ rates == pytest.approx(share * rates.sum(1), rel=1e-9)


def test_bad_input():
    with pytest.raises(ValueError, match="finite"):
        nash(np.array([[np.nan]]))
    with pytest.raises(ValueError, match="finite"):
        nash(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="antisymmetric"):
        alpha_rank(np.ones((2, 2)))
