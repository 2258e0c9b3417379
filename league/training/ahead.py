"""The batches of the coming steps, played one after another while the learner works on an earlier one.

With `overlap = N` the batch of step k is planned after step k - N and played with the weights of then, whatever the
clock says: always the same, never older than N steps.
"""

from __future__ import annotations

import asyncio
import base64
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arena.match import Episode, decode, encode
from league.records import PlannedMatch

if TYPE_CHECKING:
    from league.training.stage import Weights


@dataclass(eq=False)
class Batch:
    """The matches of one step, and what the live policy plays them with (None: its weights as they are)."""

    step: int
    planned: Sequence[PlannedMatch]
    version: int
    weights: Weights | None
    task: asyncio.Future[list[Episode]] = field(init=False)


Play = Callable[[Batch], Awaitable[list[Episode]]]


class Ahead:
    """A line of batches; the first is being played."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._line: list[Batch] = []
        self._kept: dict[int, list[Episode]] = {}
        """step -> episodes that a checkpoint held"""

    def next(self, step: int) -> int:
        """The first step from `step` on that has no batch yet."""
        while step in self._kept or any(batch.step == step for batch in self._line):
            step += 1
        return step

    def add(self, batch: Batch) -> None:
        """Play a batch when those before it have ended."""
        before = self._line[-1].task if self._line else None
        batch.task = asyncio.ensure_future(self._run(batch, before))
        self._line.append(batch)

    async def _run(self, batch: Batch, before: asyncio.Future[list[Episode]] | None) -> list[Episode]:
        if before is not None:
            await asyncio.shield(before)
        episodes = await self._play(batch)
        batch.weights = None
        return episodes

    async def take(self, step: int) -> list[Episode]:
        """The episodes of a step, in plan order, as soon as they are there."""
        if step in self._kept:
            return self._kept.pop(step)
        (batch,) = [batch for batch in self._line if batch.step == step]
        episodes = await asyncio.shield(batch.task)
        self._line.remove(batch)
        return episodes

    async def drained(self) -> None:
        """Wait until everything in the line has been played."""
        for batch in self._line:
            await asyncio.shield(batch.task)

    async def state_dict(self) -> dict[str, list[str]]:
        """What is in the line, once it has been played, as plain JSON."""
        await self.drained()
        kept = self._kept | {batch.step: batch.task.result() for batch in self._line}
        return {str(step): [_text(e) for e in episodes] for step, episodes in kept.items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take what `state_dict` gave."""
        self._kept = {int(step): [_episode(text) for text in texts] for step, texts in state.items()}

    async def close(self) -> None:
        """Leave what is not played."""
        for batch in self._line:
            batch.task.cancel()
        await asyncio.gather(*(batch.task for batch in self._line), return_exceptions=True)
        self._line.clear()


def _text(episode: Episode) -> str:
    return base64.b85encode(zlib.compress(encode(episode), 1)).decode()


def _episode(text: str) -> Episode:
    return decode(zlib.decompress(base64.b85decode(text)))
