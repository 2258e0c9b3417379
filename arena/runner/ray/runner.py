"""A runner whose matches are played by Ray actors. The league, the store and the learner stay in the driver.

Ray places and restarts the workers and transports calls and weights. This module decides which matches a worker
plays. It sends batches that take about a fifth of a second: long enough that calls cost little, short enough that no
worker is still busy long after the others have finished.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from arena.inference.prompt_date import prompt_date
from arena.match import Episode, MatchPlan
from arena.runner.base import Runner, Sink, Source
from arena.runner.packing import Pack, PackedMatch, PackedSink, pack_all
from arena.runner.ray.cluster import connect, disconnect
from arena.runner.ray.config import RayConfig
from arena.runner.ray.played_batch import Packing, decode_batch
from arena.runner.ray.worker import Ready
from arena.runner.ray.worker_handles import WorkerHandle, start_workers, stop_workers, wait_for_first
from arena.runner.ray.worker_spec import WorkerSpec
from arena.runner.retries import RetryQueue
from games import InputError
from games.errors import RunPaused

log = logging.getLogger(__name__)

LOSSES = 5
"""attempts for a match whose workers die; after them it is void"""


@dataclass(eq=False)
class _SentBatch:
    """Matches that a worker plays now."""

    worker: WorkerHandle
    plans: Sequence[MatchPlan]
    reference: Any
    task: asyncio.Task[Any] = field(init=False)


class RayRunner(Runner):
    """Plays the matches of a source on the workers of a Ray cluster and passes the episodes to a sink.

    `description` is what `WorkerPlayers.describe` returns in the first worker. `notify` receives lines for the user,
    by default it logs them. Raises InputError if the cluster or a player does not work, MissingPackage without Ray.
    """

    def __init__(self, spec: WorkerSpec, cluster: RayConfig | None = None) -> None:
        super().__init__()
        cluster = cluster or RayConfig()
        self.concurrency = spec.concurrency
        self.notify: Callable[[str], None] = log.warning
        self._started_ray = connect(cluster)
        self._workers: list[WorkerHandle] = []
        self._batches: dict[asyncio.Task[Any], _SentBatch] = {}
        self._starting: dict[asyncio.Task[Any], WorkerHandle] = {}
        self._retries = RetryQueue(LOSSES, isolate_after=2)
        self._updates: dict[str, tuple[str, int, Any]] = {}
        """player -> channel, number and reference of its last update"""
        self._numbers: dict[str, int] = {}
        """channel -> number of its last update"""
        self._paused = ""
        self._packing: Packing | None = None
        try:
            self._workers = start_workers(spec, cluster)
            self.description = wait_for_first(self._workers, self.notify).description
        except BaseException:
            self.close()
            raise

    @property
    def in_flight(self) -> int:
        """The number of matches at the workers."""
        return sum(worker.in_flight for worker in self._workers)

    def workers(self) -> list[tuple[str, int]]:
        """Returns the live workers, each with its matches in flight."""
        return sorted((worker.name, worker.in_flight) for worker in self._workers if worker.alive)

    def publish(self, channel: str, value: Any, players: Iterable[str]) -> None:
        """Make every worker apply `value` (weights, a new player) before it plays a match with one of `players`."""
        import ray

        number = self._numbers[channel] = self._numbers.get(channel, 0) + 1
        reference = ray.put(value)
        self._updates |= dict.fromkeys(players, (channel, number, reference))

    def close(self) -> None:
        """Stop the workers, and Ray itself if this runner started it."""
        stop_workers(self._workers)
        self._workers.clear()
        if self._started_ray:
            disconnect()

    async def run(self, source: Source, sink: Sink) -> None:
        """See `Runner.run`. If a worker dies, other workers play its matches again."""
        await self._run(source, sink, None)

    async def run_packed(self, source: Source, sink: PackedSink, pack: Pack, *, keep: bool = False) -> None:
        """See `Runner.run_packed`. The workers pack."""
        await self._run(source, sink, Packing(pack, keep))

    async def _run(self, source: Source, sink: Callable[[list[Any]], None], packing: Packing | None) -> None:
        """Play with episodes, or with `packing` packed ones, for the sink."""
        self.stopping, self._paused, self._packing = False, "", packing
        for worker in self._workers:
            if not worker.alive:
                self._await_start(worker)
        try:
            while self._send_batches(source) or self._batches:
                await self._wait([*self._batches, *self._starting])
                for task in [t for t in self._starting if t.done()]:
                    self._worker_started(self._starting.pop(task), task)
                ended: list[Episode | PackedMatch] = []
                for task in [t for t in self._batches if t.done()]:
                    ended += self._batch_ended(self._batches.pop(task), task)
                if ended:
                    sink(ended)
        finally:
            await self._abandon()
        if self._paused:
            raise RunPaused(self._paused)

    def _send_batches(self, source: Source) -> bool:
        """Send the workers what they have room for. Returns True if no match is sent but a worker is still starting."""
        if self.stopping:
            return False
        draining = self._send_suspect()
        rooms = {w: w.room(self.concurrency) for w in self._workers if w.alive and w is not draining}
        total = sum(rooms.values())
        if total <= 0:
            return any(not worker.alive for worker in self._workers)
        plans: Sequence[MatchPlan] = self._retries.take(total)
        if len(plans) < total:
            plans = [*plans, *source(total - len(plans))]
        share = ceil(len(plans) / (2 * sum(room > 0 for room in rooms.values())))
        while plans:
            worker = max(rooms, key=lambda w: rooms[w])
            n = min(worker.batch_size, share, len(plans))
            self._send(worker, plans[:n])
            plans = plans[n:]
            rooms[worker] -= n
        return False

    def _send_suspect(self) -> WorkerHandle | None:
        """Send a match that may kill workers to an idle worker, which then receives no other match.

        Returns a worker that must become idle first, if none is.
        """
        suspect = self._retries.suspect()
        candidates = [worker for worker in self._workers if worker.alive and not worker.exclusive]
        if suspect is None or not candidates:
            return None
        worker = min(candidates, key=lambda w: w.in_flight)
        if worker.in_flight:
            return worker
        self._retries.remove(suspect)
        self._send(worker, [suspect])
        worker.exclusive = True
        return None

    def _send(self, worker: WorkerHandle, plans: Sequence[MatchPlan]) -> None:
        updates: dict[str, tuple[int, Any]] = {}
        for plan in plans:
            for player in plan.seats.values():
                if player in self._updates:
                    channel, number, reference = self._updates[player]
                    updates[channel] = number, reference
        batch = _SentBatch(worker, plans, worker.actor.play.remote(plans, updates, self._packing, prompt_date()))
        batch.task = asyncio.ensure_future(_result(batch.reference))
        worker.in_flight += len(plans)
        self._batches[batch.task] = batch

    def _batch_ended(self, batch: _SentBatch, task: asyncio.Task[Any]) -> Sequence[Episode | PackedMatch]:
        """Returns the matches of a batch. If its worker died, the void episodes of matches without attempts left."""
        from ray.exceptions import RayError, RayTaskError

        worker = batch.worker
        worker.in_flight -= len(batch.plans)
        worker.exclusive = False
        try:
            played = decode_batch(task.result())
        except RayTaskError:
            raise  # a bug of the arena
        except RayError as error:
            if worker.alive:
                worker.alive = False
                self.notify(f"worker {worker.name} is gone ({type(error).__name__}); its matches are played again")
                self._await_start(worker)
            lost = self._retries.add_all(batch.plans, f"its worker died {LOSSES} times")
            return lost if self._packing is None else pack_all(lost, self._packing.pack, self._packing.keep)
        worker.adapt(len(batch.plans), played)
        if played.paused:
            self._paused, self.stopping = self._paused or played.paused, True
        return played.episodes if self._packing is None else played.packed

    def _await_start(self, worker: WorkerHandle) -> None:
        if worker.pending_ready is None:
            worker.pending_ready = worker.actor.ready.remote()
        self._starting[asyncio.ensure_future(_result(worker.pending_ready))] = worker

    def _worker_started(self, worker: WorkerHandle, task: asyncio.Task[Any]) -> None:
        """Use a worker that has started or restarted. Remove it if Ray gave it up."""
        from ray.exceptions import RayError

        worker.pending_ready = None
        try:
            ready: Ready = task.result()
        except RayError as error:
            self._workers.remove(worker)
            self.notify(f"worker {worker.name} does not come back: {str(error).splitlines()[0]}")
            if not self._workers:
                raise
            return
        if ready.problem:
            raise InputError(ready.problem)
        worker.name, worker.alive = ready.name, True

    async def _abandon(self) -> None:
        """Cancel everything in flight."""
        import ray

        tasks = [*self._batches, *self._starting]
        for batch in self._batches.values():
            ray.cancel(batch.reference, recursive=False)
            batch.worker.in_flight -= len(batch.plans)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._batches.clear()
        self._starting.clear()
        self._retries.clear()


async def _result(reference: Any) -> Any:
    return await reference
