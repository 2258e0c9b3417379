"""One thread in which code of another library runs while its caller waits, at most for some seconds.

Code with an event loop of its own cannot run in a thread whose event loop is running, as in a notebook or a runner.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from games.errors import InfrastructureError

T = TypeVar("T")


class OneThread:
    """Runs functions one after another in a daemon thread. A thread that a function blocks is left to itself."""

    def __init__(self, name: str) -> None:
        self._name, self._lock = name, threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] | None = None

    def run(self, function: Callable[[], T], seconds: float) -> T:
        """Returns what the function returns or raises. Raises InfrastructureError if it takes longer than `seconds`."""
        future = self.start(function)
        try:
            return future.result(seconds)
        except TimeoutError:
            if future.done():
                raise
            with self._lock:
                self._jobs = None
            raise InfrastructureError(f"{self._name} did not answer within {seconds:g} s") from None

    def start(self, function: Callable[[], T]) -> Future[T]:
        """Run a function later, without waiting."""
        future: Future[T] = Future()
        with self._lock:
            if self._jobs is None:
                self._jobs = queue.SimpleQueue()
                threading.Thread(target=_work, args=(self._jobs,), name=self._name, daemon=True).start()
            self._jobs.put((function, future))
        return future


def _work(jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]]) -> None:
    while True:
        function, future = jobs.get()
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001  also SystemExit: the caller decides
            future.set_exception(error)
        del function, future
