"""Graceful, then immediate, shutdown on Ctrl-C and SIGTERM."""

from __future__ import annotations

import asyncio
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from arena.event_loop import on_interrupt
from arena.termination import GRACE, LIMIT, Terminations, deadline

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible(soon: Callable[[float], None]) -> Iterator[None]:
    """A context inside a task: the first Ctrl-C or SIGTERM calls `soon`, the second cancels the task.

    `soon` gets the seconds until the task is cancelled without a second signal: any number after Ctrl-C, GRACE after
    SIGTERM, because a supervisor kills what does not end.
    """
    with _Interrupt(soon).handled():
        yield


def stop_lines(flying: int, grace: float, file: str | Path) -> tuple[str, str]:
    """Returns for the log what happens now to the matches in flight, and how to go on with the tournament of a file.

    Without a file, the settings came from the options of a command, which gives them the same name again.
    """
    now = f"stopping: {flying} matches are played to the end; Ctrl-C again abandons them"
    if grace < math.inf:
        now = f"SIGTERM: {flying} matches in flight have {grace:g} s to end; later, the resumed run repeats them"
    return now, f"to resume later: {f'arena tournament {file}' if str(file) else 'type the same command again'}"


class _Interrupt:
    """What the signals have asked of a task."""

    def __init__(self, soon: Callable[[float], None]) -> None:
        self._soon = soon
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._asked = False
        self._later: asyncio.TimerHandle | None = None
        self._terminations = Terminations()

    @contextmanager
    def handled(self) -> Iterator[None]:
        with on_interrupt(self._noted) as elsewhere:
            here = not elsewhere and threading.current_thread() is threading.main_thread()
            # Not the loop's own handlers: those wait until a match of bots lets the loop go on.
            before = {number: signal.signal(number, self._on_signal) for number in _SIGNALS if here}
            try:
                yield
            finally:
                if self._later is not None:
                    self._later.cancel()
                for number, handler in before.items():
                    signal.signal(number, handler or signal.SIG_DFL)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._noted(number)

    def _noted(self, number: int) -> None:
        """Set the deadline at once, and leave the rest to the loop."""
        if number == signal.SIGTERM:
            repeated = self._terminations.repeated()
            if repeated is None:
                return
        elif self._asked:
            deadline.within(LIMIT)
        first, self._asked = not self._asked, True
        self._loop.call_soon_threadsafe(self._stop if first else self._cancel, number)

    def _stop(self, number: int) -> None:
        grace = GRACE if number == signal.SIGTERM else math.inf
        self._soon(grace)
        if grace < math.inf:
            self._later = self._loop.call_later(grace, self._cancel, number)

    def _cancel(self, number: int) -> None:
        if self._task is not None:
            self._task.cancel()
