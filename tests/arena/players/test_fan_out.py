"""Several seats of one role in a match: asked concurrently with one prompt; answers are individual and repeatable."""

import asyncio

import pytest

import games
from arena.match import MatchPlan, play_async
from arena.players.llm import LLM
from games.randomness import RandomStream
from tests.arena.inference import tiny

ID = "psj-v1(solvers=6,votes=0,size=2)"


@pytest.fixture(scope="module")
def player():
    engine = tiny.engine(tiny.loaded(context=4096, scale=0.02))
    made = LLM(decode="choice", engine=engine)
    made.name = "tiny"
    yield made
    engine.close()


def played(player, seed, task="1 + 1", players=None):
    game = games.make(ID)
    plan = MatchPlan(f"m{seed}", ID, seed, dict.fromkeys(game.spec.seats, "tiny"), task)
    return asyncio.run(play_async(game, plan, players or dict.fromkeys(game.spec.seats, player)))


def answers(episode):
    return [t.action for t in episode.turns if t.role == "solver"]


def test_solvers_read_one_prompt_and_answer_each_for_itself(player):
    episode = played(player, 5)
    solvers = [t for t in episode.turns if t.role == "solver"]
    assert [t.seat for t in solvers] == [f"solver_{i}" for i in range(6)]
    assert len({t.sample.prompt_ids for t in solvers}) == 1
    assert len(set(answers(episode))) > 1


def test_the_same_seed_gives_the_same_answers_and_another_seed_others(player):
    assert answers(played(player, 5)) == answers(played(player, 5))
    assert len({tuple(answers(played(player, seed))) for seed in range(3)}) > 1


def test_all_seats_of_a_stage_are_asked_before_any_answers(player):
    """Each waits until all six are asked, so asking them one after the other would never end."""

    class Gathering(LLM):
        waiting = 0

        async def act_async(self, view):
            if view.role == "solver":
                Gathering.waiting += 1
                while Gathering.waiting < 6:
                    await asyncio.sleep(0)
            return await super().act_async(view)

    gathering = Gathering(decode="choice", engine=player.engine)
    gathering.name = "tiny"
    episode = played(player, 5, players=dict.fromkeys(games.make(ID).spec.seats, gathering))
    assert Gathering.waiting == 6
    assert answers(episode) == answers(played(player, 5))


def test_a_task_of_the_plan_is_the_task_of_the_match(player):
    task = RandomStream(1).choice(("0 + 2", "2 + 2"))
    episode = played(player, 1, task)
    assert episode.facts["task"] == task
    assert episode.facts["pooled"]
    assert all(t.role != "proposer" for t in episode.turns)


def test_a_task_that_the_game_does_not_know_voids_the_match(player):
    episode = played(player, 1, "7 + 7")
    assert episode.status == "void"
    assert "is not a question of size 2" in episode.reason


def test_a_game_without_a_pool_takes_no_task(player):
    plan = MatchPlan("m", "bargain-v1", 1, {"seller": "tiny", "buyer": "tiny"}, "1 + 1")
    episode = asyncio.run(play_async(games.make("bargain"), plan, dict.fromkeys(("seller", "buyer"), player)))
    assert episode.status == "void"
    assert "does not use tasks from a pool" in episode.reason
