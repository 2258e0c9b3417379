"""Collects the requests of asyncio matches into batches for one thread that runs the model.

Whenever the model is free it takes all pending requests. There is no timer: before requests are handed over, the event
loop runs until it is idle, so that every match that can continue has requested its next decision. Otherwise the first
match to wake up would be a batch of its own and the others would wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from games.errors import InfrastructureError

log = logging.getLogger(__name__)

QUIET_PASSES = 3  # iterations of the event loop without a new request; decision, match and player need one each
SETTLE_SECONDS = 0.05  # maximum delay that a loop which is busy with bots causes to other loops


class Job:
    """A request and the future of its answer."""

    __slots__ = ("future", "loop", "request")

    def __init__(self, request: Any) -> None:
        self.request = request
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()


Answer = tuple[Job, Any]
"""a job and its result or exception"""


class BatchWorker(Protocol):
    """The work that the batcher runs in its thread."""

    @property
    def busy(self) -> bool:
        """Whether work is left, so that `turn` is called again without waiting for new jobs."""
        ...

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """Accept new jobs, do a part of the work, return the answers that are ready."""
        ...


class Batcher:
    """Runs a worker in its own thread for any number of event loops."""

    def __init__(self, worker: BatchWorker, name: str) -> None:
        self._worker = worker
        self._inbox: deque[Job] = deque()
        self._changed = threading.Condition()
        self._settling = 0  # loops that received answers and have not been idle since
        self._closed = False
        self._open: set[Job] = set()  # accepted by the worker and unanswered
        self._gathering: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self._thread = threading.Thread(target=self._run, name=f"arena-{name}", daemon=True)
        self._thread.start()

    async def submit(self, request: Any) -> Any:
        """Answer a request. Raises InfrastructureError."""
        if self._closed:
            raise InfrastructureError("the engine is closed")
        job = Job(request)
        gathering = self._gathering.get(job.loop)
        if gathering is None:
            self._gathering[job.loop] = [job]
            job.loop.call_soon(self._settle, job.loop, 1, 0)
        else:
            gathering.append(job)
        return await job.future

    def close(self) -> None:
        """Stop after the current turn; unanswered requests fail. May be called from any thread and repeatedly."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _settle(self, loop: asyncio.AbstractEventLoop, count: int, quiet: int) -> None:
        """In the loop: hand over its requests once `QUIET_PASSES` iterations added none."""
        gathered = self._gathering.get(loop, [])
        quiet = quiet + 1 if len(gathered) == count else 0
        if quiet < QUIET_PASSES:
            loop.call_soon(self._settle, loop, len(gathered), quiet)
            return
        self._gathering.pop(loop, None)
        with self._changed:
            self._inbox.extend(gathered)
            self._changed.notify()
        if not self._thread.is_alive():
            self._refuse()

    def _answered(self, loop: asyncio.AbstractEventLoop, answers: list[Answer]) -> None:
        """In the loop: set the results, then report when the next requests have arrived."""
        for job, result in answers:
            if job.future.done():
                continue
            if isinstance(result, BaseException):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)
        loop.call_soon(self._idle, loop, 0)

    def _idle(self, loop: asyncio.AbstractEventLoop, passes: int) -> None:
        if loop in self._gathering or passes < QUIET_PASSES:
            loop.call_soon(self._idle, loop, 0 if loop in self._gathering else passes + 1)
            return
        with self._changed:
            self._settling = max(0, self._settling - 1)
            self._changed.notify()

    def _run(self) -> None:
        try:
            while (arrived := self._take()) is not None:
                self._open.update(arrived)
                self._deliver(self._worker.turn(arrived))
        except Exception:
            log.exception("the engine's thread ended")
            self._closed = True
        self._refuse()

    def _take(self) -> list[Job] | None:
        """Wait for work; returns the pending jobs, or None when closed."""
        with self._changed:
            while not self._closed and not self._worker.busy:
                if self._inbox and not self._settling:
                    break
                woken = self._changed.wait(SETTLE_SECONDS if self._inbox else None)
                if not woken:
                    self._settling = 0
            if self._closed:
                return None
            arrived = [job for job in self._inbox if not job.future.cancelled()]
            self._inbox.clear()
            return arrived

    def _deliver(self, answers: list[Answer]) -> None:
        """Deliver answers with one call per event loop; skip closed loops."""
        loops: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
        for job, result in answers:
            self._open.discard(job)
            loops.setdefault(job.loop, []).append((job, result))
        for loop, batch in loops.items():
            with self._changed:
                self._settling += 1
            try:
                loop.call_soon_threadsafe(self._answered, loop, batch)
            except RuntimeError:  # the loop is closed
                with self._changed:
                    self._settling = max(0, self._settling - 1)

    def _refuse(self) -> None:
        """Fail all unanswered requests."""
        with self._changed:
            left = [*self._open, *self._inbox]
            self._inbox.clear()
        self._deliver([(job, InfrastructureError("the engine was closed")) for job in left])
