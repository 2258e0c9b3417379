"""Simulated leagues follow TrueSkill's model, and end as the real one would."""

import math
from collections import Counter
from types import MappingProxyType

import numpy as np
import pytest

from league.forecast.simulation import GameTasks, LeagueSimulator
from league.ratings.online import draw_probability
from league.records.game_info import GameInfo
from league.records.matches import Result
from tests.league.specs import KUHN, spec

BETA = 25 / 6


def simulated(run, skills, monkeypatch, tasks=MappingProxyType({})):
    """The results of one simulated league."""
    results: list[Result] = []
    monkeypatch.setattr("league.stopping.StopMonitor.add", lambda self, more: results.extend(more))
    simulator = LeagueSimulator(run, (), lambda game, player: 7, 10_000, lambda: True, tasks)
    assert simulator.run(skills, np.random.default_rng(1)) is not None
    return results


@pytest.mark.parametrize("gap", [0.0, BETA])
def test_players_win_and_draw_as_often_as_the_model_says(gap, monkeypatch):
    run = spec(rounds=2000, ratings={"draw_probability": {KUHN: 0.2}})
    results = simulated(run, {"alice": 25.0 + gap, "bob": 25.0}, monkeypatch)
    ends = Counter(math.copysign(bool(a - b), a - b) for r in results for a, b in [_scores(r)])
    assert draw_probability(KUHN, run.ratings) == 0.2
    margin = 0.2533 * 2**0.5 * BETA  # of a normal gap with standard deviation sqrt(2) beta
    win, loss = ((0.5 * math.erfc(((margin - sign * gap) / (2**0.5 * BETA)) / 2**0.5)) for sign in (1, -1))
    for end, share in ((1.0, win), (-1.0, loss), (0.0, 1.0 - win - loss)):
        assert abs(ends[end] / len(results) - share) < 0.03
    assert {seat.tokens for result in results for seat in result.seats} == {7}


def _scores(result):
    scores = {seat.player: seat.score for seat in result.seats}
    return scores["alice"], scores["bob"]


def test_a_league_ends_by_its_rule_its_rounds_or_the_limit():
    for stop, limit, ended in (
        ({"matches": 30}, 500, (30, True, False)),
        ({}, 500, (200, False, False)),
        ({}, 50, (50, False, True)),
    ):
        run = spec(rounds=100, stop=stop)
        simulator = LeagueSimulator(run, (), lambda game, player: 0, limit, lambda: True)
        out = simulator.run({"alice": 25.0, "bob": 25.0}, np.random.default_rng(2))
        assert out is not None
        assert (out.matches, out.stopped, out.limited) == ended
        assert out.kinds == {(KUHN, ("alice", "bob")): ended[0]}


@pytest.mark.parametrize("luck", [0.0, 1.0])
def test_matches_have_tasks_that_suit_players_as_in_the_matches_measured(luck, monkeypatch):
    """Simulated leagues had no tasks, so stop rules that cluster by them ended too early."""
    run, pool = spec(rounds=400, ratings={"draw_probability": {KUHN: 0.0}}), GameTasks(tuple(range(1, 41)), luck)
    results = simulated(run, {"alice": 25.0, "bob": 25.0}, monkeypatch, {KUHN: pool})
    assert len({(r.pairing, r.task) for r in results}) == len({r.pairing for r in results})
    assert len({r.task for r in results}) == 40
    measured = GameTasks.of(KUHN, results[:200], GameInfo("zero_sum", ("player_0", "player_1")))
    assert len(measured.tasks) == pytest.approx(40, abs=10)
    assert {r.task for r in results[:200]} <= set(measured.tasks)
    assert measured.luck == pytest.approx(luck, abs=0.35)


def test_a_game_without_tasks_has_none(monkeypatch):
    results = simulated(spec(rounds=5), {"alice": 25.0, "bob": 25.0}, monkeypatch)
    assert {result.task for result in results} == {0}
    assert GameTasks.of(KUHN, results, GameInfo("zero_sum", ("player_0", "player_1"))) == ((), 0.0)
