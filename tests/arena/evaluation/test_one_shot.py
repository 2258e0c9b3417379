"""Evaluation of one answer, and probes."""

import asyncio

import pytest

import games
from arena.evaluation import measure
from arena.evaluation.one_shot import evaluate_mixture, one_shot, read_mixture
from arena.evaluation.probes import GameProbe
from arena.players.bots.scripted import ScriptedPlayer
from games import InputError
from games.native.spy.policies import code_beside, code_word, votes_without
from games.shortcuts import by_phase
from tests.toys.players import Mixing


def test_the_exploitability_of_a_table():
    form = one_shot(games.make("prefer(table=biased)"))
    assert form is not None
    assert len(form.payoffs) == 16
    mixture = asyncio.run(read_mixture(Mixing(lambda view: {"rock": 1.0}), form))
    assert mixture is not None
    found = evaluate_mixture(form, mixture)
    assert found.exploitability == pytest.approx(0.2)  # paper is preferred to rock at 0.7
    assert found.nash_conv == pytest.approx(0.4)
    assert found.values == pytest.approx({"answerer_0": 0.5, "answerer_1": 0.5})
    even = dict.fromkeys(form.choices, dict.fromkeys(("rock", "paper", "scissors", "straw"), 0.25))
    assert evaluate_mixture(form, even).exploitability == pytest.approx((0.5 + 0.3 + 0.9 + 0.9) / 4 - 0.5)


def test_rock_paper_scissors_has_the_even_equilibrium():
    form = one_shot(games.make("prefer(table=rps)"))
    assert form is not None
    third = dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)
    assert evaluate_mixture(form, dict.fromkeys(form.choices, third)).nash_conv == pytest.approx(0.0)
    with pytest.raises(InputError, match="no probabilities"):
        evaluate_mixture(form, {})


@pytest.mark.parametrize("id", ["prefer", "critic", "openspiel/kuhn_poker", "prefer(answers=16,table=rps)"])
def test_other_games_are_left_to_other_methods(id):
    assert one_shot(games.make(id)) is None


def test_a_player_that_hides_its_policy_is_not_measured():
    found = measure(Mixing(lambda view: None), "prefer(table=rps)", matches=0)
    assert found.exact is None
    assert "does not reveal its policy" in found.not_exact
    exact = measure(Mixing(lambda view: {"rock": 1.0}), "prefer(table=rps)", matches=0).exact
    assert exact is not None
    assert exact.exploitability == pytest.approx(0.5)


@pytest.mark.parametrize("closed", ["taboo(words=4,closed=true)", "psj-v1(solvers=2,size=2)", "openspiel/kuhn_poker"])
def test_a_closed_game_has_no_probe(closed):
    assert GameProbe.of(closed, 4) is None


def test_the_score_is_near_1_for_competent_play_and_0_for_silence():
    probe = GameProbe.of("solve-v1", 16)
    assert probe is not None
    suite = games.make("solve").shortcuts()
    competent = asyncio.run(probe.measure(ScriptedPlayer("competent", suite.competent["solver"])))
    silent = asyncio.run(probe.measure(ScriptedPlayer("silent", lambda turn: "")))
    assert competent["probe/score/solve-v1/solver"] > 0.9
    assert silent["probe/score/solve-v1/solver"] < 0.1


def test_a_code_that_strangers_do_not_know_has_a_low_score():
    probe = GameProbe.of("spy", 16)
    assert probe is not None
    coded = by_phase(clue=code_beside, vote=votes_without(code_word))
    found = asyncio.run(probe.measure(ScriptedPlayer("coded", coded)))
    assert found["probe/score/spy/civilian"] < 0.5
    assert found["probe/scale/spy/civilian"] > 0.5
