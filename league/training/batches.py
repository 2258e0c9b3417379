"""The matches of one training step: each played to a result, or tried as often as every match of the league."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from arena.match import Episode, MatchPlan
from arena.runner import Plays
from games.errors import RunPaused
from league.again import Again
from league.records import PlannedMatch
from league.training.matches import in_plan_order


async def play_batch(
    runner: Plays, planned: Sequence[PlannedMatch], step: int, log: Callable[[str], None]
) -> list[Episode]:
    """The episodes of a step's matches, in plan order; `log` is told what had to be played again, and what is void.

    Raises RunPaused where all are void, for there is nothing to learn from, and CancelledError where the runner was
    stopped in the middle.
    """
    plans = {p.match.id: p.match for p in planned}
    queue = [p.match for p in reversed(planned)]
    again, ended, told = Again(), list[Episode](), set[str]()

    def source(room: int) -> list[MatchPlan]:
        taken = again.take(room)
        return taken + [queue.pop() for _ in range(min(room - len(taken), len(queue)))]

    def sink(episodes: list[Episode]) -> None:
        for episode in episodes:
            if not again.wants(episode, plans[episode.match]):
                ended.append(episode)
            elif episode.reason not in told:  # once a step, not once for each of hundreds of matches
                told.add(episode.reason)
                log(f"{episode.match} is played again: {episode.reason}")

    await runner.run(source, sink)
    if len(ended) < len(planned):
        raise asyncio.CancelledError  # stopped in the middle: the step was not taken
    episodes = in_plan_order(planned, ended)
    if void := [e for e in episodes if e.status == "void"]:
        if len(void) == len(episodes):
            raise RunPaused(
                f"all {len(void)} matches of step {step} are void: {void[0].reason}; mend that and run the same "
                "command again"
            )
        log(f"{len(void)} of the {len(episodes)} matches of step {step} are void: {void[0].reason}")
    return episodes
