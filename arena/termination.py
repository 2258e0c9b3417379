"""SIGTERM ends the command within ten seconds, whatever it does; a second one ends it at once.

The event loop, a thread of torch or a match of bots may hold the process for minutes. Supervisors (systemd, Slurm,
Kubernetes, `timeout`) kill it then, and its children live on. So a deadline ends the process as if it had been killed,
which the store, the checkpoints and the leases survive: what was in progress is repeated by the next run.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

GRACE = 4.0
"""seconds after SIGTERM in which matches in flight may end; then they are abandoned"""
LIMIT = 9.0
"""seconds after SIGTERM, or after the second Ctrl-C, at which the process ends"""
AT_ONCE = 2.0
"""seconds after a second SIGTERM at which the process ends; until then it releases what it has leased"""
ECHO = 0.5
"""seconds within which a second SIGTERM repeats the first: `timeout` sends one to the process and one to its group"""
INTERRUPTED = 130
"""the exit code"""


class Deadline:
    """The time at which the process ends, if it still runs. Only the command has one: a program may go on."""

    def __init__(self) -> None:
        self.active = False
        self._at: float | None = None
        self._cleanups: list[Callable[[], object]] = []

    @property
    def near(self) -> bool:
        """Whether the time is set: the process was asked to end."""
        return self._at is not None

    def within(self, seconds: float) -> None:
        """End the process within so many seconds. A signal handler may call it."""
        if not self.active:
            return
        first, at = self._at is None, time.monotonic() + seconds
        self._at = at if self._at is None else min(at, self._at)
        if first:
            threading.Thread(target=self._watch, name="arena-deadline", daemon=True).start()

    @contextmanager
    def cleanup(self, call: Callable[[], object]) -> Iterator[None]:
        """Inside the block the deadline calls `call` before it ends the process."""
        self._cleanups.append(call)
        try:
            yield
        finally:
            self._cleanups.remove(call)

    def _watch(self) -> None:
        while self._at is not None and (left := self._at - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))
        for call in reversed(self._cleanups):
            with suppress(Exception):  # nothing may keep the process alive
                call()
        line = "arena: stopped while it was busy; type the same command again: it repeats what was in progress\n"
        with suppress(OSError):
            os.write(2, line.encode())
        for child in _descendants(os.getpid()):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        os._exit(INTERRUPTED)

    @contextmanager
    def command(self) -> Iterator[None]:
        """Inside the block this process is the command: SIGTERM interrupts it as Ctrl-C does, and sets the deadline."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        taken = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        if taken:
            signal.signal(signal.SIGTERM, Terminations(self).interrupt)
        self.active = True
        try:
            yield
        finally:
            self.active = False
            if self.near:  # the deadline stays, but its thread ends with the interpreter, whose last collection
                gc.freeze()  # takes 4 s with 12,000 episodes in memory
            if taken:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)


deadline = Deadline()


class Terminations:
    """Tells the first SIGTERM from later ones, and sets the deadline of each."""

    def __init__(self, ends: Deadline = deadline) -> None:
        self._deadline = ends
        self._first: float | None = None

    def repeated(self) -> bool | None:
        """Note a SIGTERM. Returns whether one came before; None for an echo of the first."""
        now, before = time.monotonic(), self._deadline.near
        if self._first is None:
            self._first = now
            self._deadline.within(AT_ONCE if before else LIMIT)
            return before
        if now - self._first < ECHO:
            return None
        self._deadline.within(AT_ONCE)
        return True

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Handle a SIGTERM as Ctrl-C. Raises KeyboardInterrupt."""
        if self.repeated() is not None:
            signal.default_int_handler(number, frame)


def _descendants(pid: int) -> list[int]:
    """Returns the processes that a process has started, and theirs: engines, ranks, sandboxes. Empty but on Linux."""
    processes: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                processes += [child, *_descendants(child)]
    return processes
