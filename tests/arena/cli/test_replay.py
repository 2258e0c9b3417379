"""The replay of a recorded match shows the same turns, on the same task."""

import pytest

import games
from arena import players
from arena.cli.show import replay_lines
from arena.match import MatchPlan, decode, encode, play


@pytest.mark.parametrize("task", ["", "1 + 1"])
def test_a_replay_plays_on_the_task_of_the_match(task):
    game, player = games.make("psj-v1(solvers=2,size=2)"), players.make("random")
    plan = MatchPlan("m", game.spec.id, 4, dict.fromkeys(game.spec.seats, "random"), task)
    episode = decode(encode(play(game, plan, dict.fromkeys(game.spec.seats, player))))
    assert episode.task == task
    lines = list(replay_lines(episode))
    assert any("proposer (random) sees" in line for line in lines) == (not task)
    assert sum("plays: " in line for line in lines) == len(episode.turns)
    assert any("solver_0 (random) sees" in line for line in lines)
