"""An engine with given answers, and single decisions of a player."""

import asyncio
from dataclasses import dataclass, field

from arena.inference import Completion
from arena.players import View
from tests.toys.small_games import Race


@dataclass
class Scripted:
    """The tiny engine with a given answer."""

    inner: object
    text: str = ""
    finish: str = "stop"
    asked: list = field(default_factory=list)
    context: int = 4096

    def __getattr__(self, name):
        return getattr(self.inner, name)

    async def complete(self, request):
        self.asked.append(request)
        return Completion((1, 2), (-0.5, -1.0), None, self.finish, self.text, version=3)


def view(game=None, *, legal=("1", "2"), rejected=(), exchanges=(), turn=0):
    game = game or Race()
    game.reset(1)
    seat = game.acting[0]
    return View(game, seat, game.spec.seats[seat], legal, 77, turn, rejected, exchanges)


def decide(player, a_view):
    return asyncio.run(player.act_async(a_view))
