"""The rollouts of the coming steps, played while the learner works on an earlier step.

Steps whose matches have the same weights share the slots: a slot that the last matches of a step leave free takes a
match of the next step. With `in_flight` those are all steps that are planned, `overlap` ahead of the learner: nothing
waits for the longest match of a step. Without it the batch of step k has the weights of step k - `overlap` however
fast anything runs; batches then follow each other, except for the first ones, which share the first weights.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import msgspec

from arena.match import Episode, MatchPlan
from arena.runner import Runner
from arena.runner.packing import PackedEpisode, PackedMatch
from league.records.matches import PlannedMatch
from league.records.unzip import unzipped
from league.store.guard import pack_episode
from league.training.rollout_batch import RolloutBatch

QUEUE_FILE = "rollouts.json.gz"
_MOST_BYTES = 1 << 30
"""of the file that is not compressed"""
"""the file of a checkpoint that holds the batches of a queue"""

Finish = Callable[[Sequence[tuple[PlannedMatch, Episode | PackedEpisode]]], object]
"""stores the matches of a batch"""


class _SavedBatch(msgspec.Struct):
    """A batch in a checkpoint; matches without an episode are played after a resume."""

    step: int
    planned: list[PlannedMatch]
    episodes: list[Episode]
    complete: bool


class RolloutQueue:
    """The batches that are planned and not yet learned from, in the order of their steps; plays them with a runner.

    `playing`: a context in which the matches of a batch, and of those with the same weights, are played.
    """

    def __init__(
        self,
        runner: Runner,
        playing: Callable[[RolloutBatch], AbstractAsyncContextManager[None]],
        log: Callable[[str], None],
        finish: Finish | None = None,
    ) -> None:
        self._runner, self._playing, self._log, self._finish = runner, playing, log, finish
        self._batches: list[RolloutBatch] = []
        self._task: asyncio.Future[None] | None = None

    def next_step(self, step: int) -> int:
        """Returns the first step from `step` on that has no batch yet."""
        return next(s for s in range(step, step + len(self._batches) + 1) if all(b.step != s for b in self._batches))

    def add(self, batch: RolloutBatch) -> None:
        """Play a batch. Free slots take its matches at once if those that are being played have the same weights."""
        self._batches.append(batch)
        self._start()

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._play())
        else:
            self._runner.wake()

    async def take(self, step: int) -> list[Episode]:
        """Remove the batch of a step and return its episodes in plan order, waiting until they are played."""
        self._start()
        (batch,) = [batch for batch in self._batches if batch.step == step]
        episodes = await asyncio.shield(batch.episodes)
        self._batches.remove(batch)
        return episodes

    async def drain(self) -> None:
        """Wait until every batch has been played."""
        self._start()
        for batch in self._batches:
            await asyncio.shield(batch.episodes)

    async def files(self) -> dict[str, bytes]:
        """Returns the files of a checkpoint: the plans and the episodes of all batches as compressed JSON.

        Waits for the matches whose weights the checkpoint does not hold. Those that play with the newest weights are
        played again after a resume unless they have ended.
        """
        for batch in self._batches:
            if batch.weights is not None:
                await asyncio.shield(batch.episodes)
        saved = [_SavedBatch(b.step, list(b.planned), b.played(), b.complete) for b in self._batches]
        return {QUEUE_FILE: gzip.compress(msgspec.json.encode(saved), 1, mtime=0)}

    def restore(self, folder: Path, stored: Callable[[Sequence[PlannedMatch]], list[Episode]]) -> None:
        """Restore the batches from the folder of a checkpoint. They are played once weights are published.

        `stored` returns the episodes of these matches that the store holds: a match that ended after the checkpoint was
        written counts as it was, since each match ends once.
        """
        text = unzipped((folder / QUEUE_FILE).read_bytes(), _MOST_BYTES, gzip=True)
        for saved in msgspec.json.decode(text, type=list[_SavedBatch]):
            batch = RolloutBatch(saved.step, saved.planned, None)
            batch.restore(saved.episodes, saved.planned if saved.complete else ())
            if not saved.complete:
                ended = {episode.match: episode for episode in stored(saved.planned)}
                batch.restore(list(ended.values()), [each for each in saved.planned if each.match.id in ended])
            self._batches.append(batch)

    async def close(self) -> None:
        """Cancel the matches that are played."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for batch in self._batches:
            batch.episodes.cancel()
        await asyncio.gather(*(batch.episodes for batch in self._batches), return_exceptions=True)
        self._batches.clear()

    async def _play(self) -> None:
        """Play the batches, those with the same weights together."""
        try:
            while first := next((batch for batch in self._batches if not batch.episodes.done()), None):
                if first.complete:
                    self._end(first)
                    continue
                async with self._playing(first):
                    await self._play_with(first)
                if not first.episodes.done():
                    raise asyncio.CancelledError  # the runner was stopped before the end
        except Exception as error:  # noqa: BLE001  whoever takes a batch raises it
            for batch in self._batches:
                if not batch.episodes.done():
                    batch.episodes.set_exception(error)
        except asyncio.CancelledError:
            for batch in self._batches:
                batch.episodes.cancel()
            raise

    async def _play_with(self, first: RolloutBatch) -> None:
        """Play until no batch with the weights of the first has a match left."""

        def source(room: int) -> list[MatchPlan]:
            taken: list[MatchPlan] = []
            for batch in self._batches:
                if batch.joins(first):
                    taken += batch.take(room - len(taken))
            return taken

        def sink(matches: Sequence[Episode | PackedMatch]) -> None:
            for each in matches:
                batch = next(batch for batch in self._batches if each.match in batch.plans)
                batch.add(each, self._log)
                if batch.complete:
                    self._end(batch)

        if self._finish is None:
            await self._runner.run(source, sink)
        else:
            await self._runner.run_packed(source, sink, pack_episode, keep=True)

    def _end(self, batch: RolloutBatch) -> None:
        if self._finish is not None and (fresh := batch.unstored()):
            self._finish(fresh)
        batch.end(self._log)
