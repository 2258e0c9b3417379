"""Several answers of one player to one turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from arena.players.composite import ask, reseeded
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
