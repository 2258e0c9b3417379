"""Several answers of one player to one turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

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


def likeliest(decisions: Sequence[Decision]) -> Decision:
    """Returns the decision whose tokens have the highest mean log probability; the first if none knows its own."""

    def score(decision: Decision) -> float:
        logprobs = decision.sample.logprobs if decision.sample is not None else ()
        return sum(logprobs) / len(logprobs) if logprobs else float("-inf")

    return max(decisions, key=score)


async def judged(judge: Player, view: View, decisions: Sequence[Decision]) -> tuple[Decision, Decision]:
    """Returns the decision whose action a judge picks, and the judge's own answer. Without a valid pick, the first one.

    The judge sees the seat's turn with the proposed actions as the only legal ones.
    """
    options = tuple(dict.fromkeys(str(d.action) for d in decisions))
    verdict = await ask(judge, replace(reseeded(view, "judge"), legal=options, rejected=()))
    return next((d for d in decisions if d.action == verdict.action), decisions[0]), verdict
