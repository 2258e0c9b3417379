"""Which games a snapshot is probed in, and what a probe says of two scripted policies."""

import asyncio

import pytest

import games
from arena.evaluation.probes import GameProbe
from arena.players.bots.scripted import ScriptedPlayer
from games.native.spy.policies import code_beside, code_word, votes_without
from games.shortcuts import by_phase


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
