"""Interrupts a reader that does not return."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST_CPU, MOST_WAIT = 3.0, 60.0
"""seconds (processor, clock) after which the check of one text is interrupted; a sandbox uses no processor time here"""


class Interrupted(BaseException):
    """A text took too long. No `except Exception` of a reader may catch it."""


@contextmanager
def interrupted() -> Iterator[None]:
    """Raises Interrupted inside if it takes too long; only in the main thread, where signals arrive."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU)
    signal.setitimer(signal.ITIMER_REAL, MOST_WAIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted


class Clock:
    """The CPU time of this process since it was made."""

    def __init__(self) -> None:
        self._start = time.process_time()

    @property
    def seconds(self) -> float:
        """Returns the CPU seconds until now."""
        return time.process_time() - self._start
