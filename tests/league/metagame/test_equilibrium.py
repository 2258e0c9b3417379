"""Nash and alpha-rank: games with known answers, OpenSpiel as the oracle, and cases in which other code fails."""

import sys
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.metagame import alpha_rank, nash
from league.metagame.equilibrium import stationary

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
