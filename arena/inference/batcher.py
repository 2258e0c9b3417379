"""Between asyncio and the model: requests of all matches on one side, one thread that runs passes on the other.

Whenever the model is free it takes all that waits. Nothing waits for a clock: before requests are handed over, the
event loop is let run dry, so that every match that can go on has asked for its next decision. Without that, the
first match to wake up would travel alone and the others would wait for it.
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

QUIET_PASSES = 3  # passes of the event loop without a new request: a decision, its match and its player take turns
SETTLE_SECONDS = 0.05  # a loop that is busy with bots holds up the others no longer than this


class Job:
    """One request and the future that waits for its answer."""

    __slots__ = ("future", "loop", "request")

    def __init__(self, request: Any) -> None:
        self.request = request
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()


Answer = tuple[Job, Any]
"""a job and its result, or the exception it failed with"""


class Worker(Protocol):
    """What runs in the thread."""

    @property
    def busy(self) -> bool:
        """Has work left, so `turn` should be called again without waiting for new jobs."""
        ...

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """Take in new jobs, do a piece of work, give the answers that are ready."""
        ...


class Batcher:
    """Runs a worker in a thread of its own. Serves any number of event loops."""

    def __init__(self, worker: Worker, name: str) -> None:
        self._worker = worker
        self._inbox: deque[Job] = deque()
        self._changed = threading.Condition()
        self._settling = 0  # loops that have been given answers and have not run dry since
        self._closed = False
        self._open: set[Job] = set()  # taken by the worker and not answered yet
        self._gathering: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self._thread = threading.Thread(target=self._run, name=f"arena-{name}", daemon=True)
        self._thread.start()

    async def submit(self, request: Any) -> Any:
        """The answer to a request. Raises InfrastructureError."""
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
        """Stop after the pass that is running; everything unanswered fails. Callable from any thread, repeatedly."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _settle(self, loop: asyncio.AbstractEventLoop, seen: int, quiet: int) -> None:
        """In the loop: hand over what it has gathered once some passes have brought nothing new."""
        gathered = self._gathering.get(loop, [])
        quiet = quiet + 1 if len(gathered) == seen else 0
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
        """In the loop: wake up everybody who waited, and report when their next requests are in."""
        for job, result in answers:
            if job.future.done():
                continue
            if isinstance(result, BaseException):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)
        loop.call_soon(self._dry, loop, 0)

    def _dry(self, loop: asyncio.AbstractEventLoop, passes: int) -> None:
        if loop in self._gathering or passes < QUIET_PASSES:
            loop.call_soon(self._dry, loop, 0 if loop in self._gathering else passes + 1)
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
        """All that waits, as soon as there is something to do; None when closed."""
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
        """Bring answers to their loops, one call for each loop. A loop that is gone wants none."""
        loops: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
        for job, result in answers:
            self._open.discard(job)
            loops.setdefault(job.loop, []).append((job, result))
        for loop, own in loops.items():
            with self._changed:
                self._settling += 1
            try:
                loop.call_soon_threadsafe(self._answered, loop, own)
            except RuntimeError:  # the loop is closed
                with self._changed:
                    self._settling = max(0, self._settling - 1)

    def _refuse(self) -> None:
        """Fail everything that has not been answered."""
        with self._changed:
            left = [*self._open, *self._inbox]
            self._inbox.clear()
        self._deliver([(job, InfrastructureError("the engine was closed")) for job in left])
