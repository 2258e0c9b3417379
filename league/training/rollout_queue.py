"""The rollouts of the coming steps, played one after another while the learner works on an earlier step.

With `overlap = N`, the batch of step k is planned after step k - N and played with the weights of that time, however
fast anything runs: its weights are always the same, and never older than N steps. With `in_flight` they change while it
is played, and are newer.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from arena.match import Episode, MatchPlan, decode
from arena.runner import Runner
from arena.runner.packing import PackedEpisode, PackedMatch
from arena.runner.retries import RetryQueue
from games.errors import RunPaused
from league.records.matches import PlannedMatch
from league.store.guard import pack_episode
from league.training.policy_trainer import Published

QUEUE_FILE = "rollouts.json.gz"
"""the file of a checkpoint that holds the episodes of a queue"""


@dataclass(eq=False)
class RolloutBatch:
    """The matches of one step and the weights that the live policies play them with."""

    step: int
    planned: Sequence[PlannedMatch]
    weights: Published | None
    """None: the trainer's own weights, or the newest (`in_flight`)"""
    task: asyncio.Future[list[Episode]] = field(init=False)


class RolloutQueue:
    """The batches that are planned and not yet learned from, in the order of their steps. The first is being played."""

    def __init__(self, play: Callable[[RolloutBatch], Awaitable[list[Episode]]]) -> None:
        self._play = play
        self._batches: list[RolloutBatch] = []
        self._restored: dict[int, list[Episode]] = {}
        """step -> episodes that were read from a checkpoint"""

    def next_step(self, step: int) -> int:
        """The first step from `step` on that has no batch yet."""
        while step in self._restored or any(batch.step == step for batch in self._batches):
            step += 1
        return step

    def add(self, batch: RolloutBatch) -> None:
        """Play a batch after those that were added before."""
        previous = self._batches[-1].task if self._batches else None
        batch.task = asyncio.ensure_future(self._run(batch, previous))
        self._batches.append(batch)

    async def _run(self, batch: RolloutBatch, previous: asyncio.Future[list[Episode]] | None) -> list[Episode]:
        if previous is not None:
            await asyncio.shield(previous)
        episodes = await self._play(batch)
        batch.weights = None
        return episodes

    async def take(self, step: int) -> list[Episode]:
        """Remove the batch of a step and return its episodes in plan order, waiting until they are played."""
        if step in self._restored:
            return self._restored.pop(step)
        (batch,) = [batch for batch in self._batches if batch.step == step]
        episodes = await asyncio.shield(batch.task)
        self._batches.remove(batch)
        return episodes

    async def drain(self) -> None:
        """Wait until every batch has been played."""
        for batch in self._batches:
            await asyncio.shield(batch.task)

    async def files(self) -> dict[str, bytes]:
        """The files of a checkpoint: the episodes of all batches as compressed JSON, once they are played."""
        await self.drain()
        episodes = self._restored | {batch.step: batch.task.result() for batch in self._batches}
        return {QUEUE_FILE: gzip.compress(msgspec.json.encode(episodes), 1, mtime=0)}

    def restore(self, folder: Path, state: Mapping[str, Any]) -> None:
        """Restore the episodes from the folder of a checkpoint.

        Older versions have no file and keep the episodes in the checkpoint's `state`, as base85 text by step.
        """
        if (file := folder / QUEUE_FILE).exists():
            self._restored = msgspec.json.decode(gzip.decompress(file.read_bytes()), type=dict[int, list[Episode]])
            return
        self._restored = {
            int(step): [decode(zlib.decompress(base64.b85decode(text))) for text in texts]
            for step, texts in state.get("ahead", {}).items()
        }

    async def close(self) -> None:
        """Cancel the batches that are not played."""
        for batch in self._batches:
            batch.task.cancel()
        await asyncio.gather(*(batch.task for batch in self._batches), return_exceptions=True)
        self._batches.clear()


async def play_batch(
    runner: Runner,
    planned: Sequence[PlannedMatch],
    step: int,
    log: Callable[[str], None],
    finish: Callable[[Sequence[tuple[PlannedMatch, PackedEpisode]]], object] | None = None,
) -> list[Episode]:
    """The episodes of a step's matches, in plan order. Logs which matches are played again and how many are void.

    `finish` stores them; they are packed where they are played. Raises RunPaused if all are void, because there is
    nothing to learn from, and CancelledError if the runner was stopped before the end.
    """
    plans = {p.match.id: p.match for p in planned}
    waiting = [p.match for p in reversed(planned)]
    retries, ended, reasons = RetryQueue(), dict[str, Episode | PackedMatch](), set[str]()

    def source(room: int) -> list[MatchPlan]:
        taken = retries.take(room)
        return taken + [waiting.pop() for _ in range(min(room - len(taken), len(waiting)))]

    def sink(matches: Sequence[Episode | PackedMatch]) -> None:
        for each in matches:
            if each.status != "void" or not retries.add(plans[each.match]):
                ended[each.match] = each
            elif each.reason not in reasons:  # once per step, not once for each of hundreds of matches
                reasons.add(each.reason)
                log(f"{each.match} is played again: {each.reason}")

    if finish is None:
        await runner.run(source, sink)
    else:
        await runner.run_packed(source, sink, pack_episode, keep=True)
    if len(ended) < len(planned):
        raise asyncio.CancelledError
    in_order = [ended[p.match.id] for p in planned]
    episodes = [each.kept if isinstance(each, PackedMatch) else each for each in in_order]
    _tell_void(episodes, step, log)
    if finish is not None:
        packed = [each.packed for each in in_order if isinstance(each, PackedMatch)]
        finish(list(zip(planned, packed, strict=True)))
    return episodes


def _tell_void(episodes: Sequence[Episode], step: int, log: Callable[[str], None]) -> None:
    """Log how many matches are void. Raises RunPaused if all are."""
    void = [e for e in episodes if e.status == "void"]
    if len(void) == len(episodes):
        raise RunPaused(
            f"all {len(void)} matches of step {step} are void: {void[0].reason}; fix the cause and run the same "
            "command again"
        )
    if void:
        log(f"{len(void)} of the {len(episodes)} matches of step {step} are void: {void[0].reason}")
