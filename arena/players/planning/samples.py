"""Several answers of one player to one turn, and the player `best-of`, which plays the most frequent one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from annotated_types import Interval

from arena.players.composite import Composite, ask, charged, made, reseeded
from arena.players.player import Player, View
from arena.records import Decision


async def ask_often(player: Player, view: View, k: int, label: str = "sample") -> list[Decision]:
    """Returns `k` decisions with different random numbers; at once if the player waits, for an engine to batch."""
    jobs = [ask(player, reseeded(view, label, i)) for i in range(k)]
    return list(await asyncio.gather(*jobs)) if player.waits else [await job for job in jobs]


def valid(decisions: Sequence[Decision], legal: tuple[str, ...] | None) -> list[Decision]:
    """Returns those that name an action which is not known to be illegal."""
    return [d for d in decisions if d.action is not None and (legal is None or d.action in legal)]


def voted(decisions: Sequence[Decision]) -> Decision:
    """Returns the first decision with the most frequent action."""
    counts = Counter(d.action for d in decisions)
    return max(decisions, key=lambda d: counts[d.action])


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
