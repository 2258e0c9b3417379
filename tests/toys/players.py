"""Players that decide by a function of what they see."""

import asyncio
from collections.abc import Callable, Mapping

from arena import Decision, Player, View
from arena.players.bots.random import RandomPlayer
from games import InfrastructureError


class Acting(Player):
    """Decides by a function; one that waits leaves the event loop to others first."""

    def __init__(self, decide: Callable[[View], Decision], name: str = "acting", waits: bool = False) -> None:
        self.decide, self.name, self.waits = decide, name, waits

    def act(self, view: View) -> Decision:
        return self.decide(view)

    async def act_async(self, view: View) -> Decision:
        await asyncio.sleep(0)
        return self.act(view)


class Mixing(Player):
    """Has the probabilities that a function of its view returns; None: it names none."""

    name = "mixing"

    def __init__(self, probabilities: Callable[[View], Mapping[str, float] | None]) -> None:
        self._probabilities = probabilities

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        return self._probabilities(view)


def first_listed() -> Mixing:
    """Returns a player that takes the first legal action, whatever it means."""
    return Mixing(lambda view: {action: float(action == view.legal[0]) for action in view.legal or ()})


def writer(*texts: str, name: str = "writer", waits: bool = False) -> Acting:
    """Returns a player that writes these texts in turn, one an attempt, and repeats the last one."""
    lines = list(texts)
    return Acting(lambda view: Decision(lines.pop(0) if len(lines) > 1 else lines[0]), name, waits)


def first_example() -> Acting:
    """Returns a player named p that gives the first of its game's examples."""
    return Acting(lambda view: Decision(view.game.examples(view.seat)[0]), "p")


def disconnected(waits: bool = False) -> Acting:
    """Returns a player whose engine never answers."""

    def fail(view: View) -> Decision:
        raise InfrastructureError("the engine is gone")

    return Acting(fail, "broken", waits)


class Flaky(Player):
    """Its engine fails the first `times` times; then it plays at random."""

    def __init__(self, times: int) -> None:
        self.name, self.times, self.asked = "flaky", times, 0
        self._inner = RandomPlayer()

    def act(self, view: View) -> Decision:
        self.asked += 1
        if self.asked <= self.times:
            raise InfrastructureError("the engine is gone")
        return self._inner.act(view)
