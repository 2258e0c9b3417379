"""Games that block while they wait for something outside the process, and their facts."""

import asyncio
import threading

from arena import MatchPlan
from arena.match import play_async
from arena.players.bots.random import RandomPlayer
from games import GameSpec, InfrastructureError, Observation, TextGame


class Judged(TextGame):
    """One action, judged when `gate` opens."""

    blocking = True

    def __init__(self, gate, fails=False):
        self.spec = GameSpec("judged", {"a": "solver"}, "cooperative", "Say something.", 1)
        self.gate, self.fails, self.said = gate, fails, None

    def reset(self, seed):
        self.said = None

    @property
    def acting(self):
        return ("a",) if self.said is None else ()

    def observe(self, seat):
        return Observation("Speak.")

    def legal(self, seat):
        return ("yes",) if self.acting else ()

    def apply(self, actions):
        assert self.gate.wait(240)
        if self.fails:
            raise InfrastructureError("the judge is away")
        self.said = actions["a"]

    def returns(self):
        return {"a": 1.0}

    def facts(self):
        return {"verdict": "pass"}


def match(game, id):
    return play_async(game, MatchPlan(id, "judged", 1, {"a": "random"}), {"a": RandomPlayer()})


def test_matches_go_on_while_a_game_waits_and_its_facts_are_kept():
    gate, opened = threading.Event(), threading.Event()
    opened.set()

    async def both():
        waiting = asyncio.create_task(match(Judged(gate), "m1"))
        other = await match(Judged(opened), "m2")  # ends although m1 waits
        gate.set()
        return await waiting, other

    first, second = asyncio.run(both())
    assert first.facts == second.facts == {"verdict": "pass"}
    assert (first.status, second.status) == ("finished", "finished")


def test_a_verifier_that_fails_voids_the_match():
    opened = threading.Event()
    opened.set()
    episode = asyncio.run(match(Judged(opened, fails=True), "m1"))
    assert (episode.status, episode.reason, episode.facts) == ("void", "the judge is away", {})
