"""Graceful, then immediate, shutdown on Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.event_loop import on_interrupt


@contextmanager
def interruptible(soon: Callable[[], None]) -> Iterator[None]:
    """A context inside a task: the first Ctrl-C or SIGTERM calls `soon`, the second cancels the task."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    asked = False

    def interrupt() -> None:
        nonlocal asked
        if asked and task is not None:
            task.cancel()
            return
        asked = True
        soon()

    with on_interrupt(interrupt) as elsewhere:
        handled: tuple[signal.Signals, ...] = () if elsewhere else (signal.SIGINT, signal.SIGTERM)
        before = signal.getsignal(signal.SIGTERM)
        try:
            for number in handled:
                loop.add_signal_handler(number, interrupt)
        except (NotImplementedError, RuntimeError, ValueError):  # not the main thread, or no POSIX signals
            handled = ()
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)
            if handled and callable(before):  # asyncio leaves the system's default, and its own for SIGINT
                signal.signal(signal.SIGTERM, before)
