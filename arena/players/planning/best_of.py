"""The player `best-of`: several answers of another player, of which one is played."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Interval

from arena.players.composite import Composite, charged, made
from arena.players.planning.samples import ask_often, valid, voted
from arena.players.player import View
from arena.records import Decision


class BestOf(Composite):
    """Asks a player k times and plays the most frequent answer: self-consistency (Wang et al. 2022, arXiv 2203.11171).

    player: answers.
    k: the number of answers.
    """

    def __init__(self, player: str = "random", k: Annotated[int, Interval(ge=1, le=256)] = 4) -> None:
        super().__init__(made(player=player))
        self.player, self.k = self._parts["player"], k

    async def decide(self, view: View) -> Decision:
        """Returns the most frequent of k answers; the first if none can be played."""
        asked = await ask_often(self.player, view, self.k)
        return charged(voted(valid(asked, view.legal) or asked[:1]), asked)
