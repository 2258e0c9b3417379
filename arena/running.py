"""Coroutines run to their end from anywhere: also from inside a running event loop, as in a notebook."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

_current: ContextVar[_Elsewhere | None] = ContextVar("_current", default=None)


def run(main: Coroutine[Any, Any, T]) -> T:
    """The result of `main`, as `asyncio.run`.

    If an event loop runs in this thread, `main` gets one of its own in another thread, and this one waits. Ctrl-C there
    does what it does in a terminal.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main)
    work = _Elsewhere()
    with work.signals():
        threading.Thread(target=work.play, args=(main,), name="arena", daemon=True).start()
        return work.result.result()  # type: ignore[no-any-return]


@contextmanager
def on_interrupt(call: Callable[[], None]) -> Iterator[bool]:
    """Inside a coroutine that `run` plays in another thread: Ctrl-C in the waiting thread makes `call`, in the loop, in
    place of cancelling the coroutine. Gives False elsewhere, where the loop takes signals itself.
    """
    work = _current.get()
    if work is None:
        yield False
        return
    loop, before = asyncio.get_running_loop(), work.interrupt
    work.interrupt = lambda: loop.call_soon_threadsafe(call)
    try:
        yield True
    finally:
        work.interrupt = before


class _Elsewhere:
    """A coroutine in a thread of its own, and what Ctrl-C does to it."""

    def __init__(self) -> None:
        self.result: Future[Any] = Future()
        self.interrupt: Callable[[], object] = lambda: None
        self._interrupted = False

    def play(self, main: Coroutine[Any, Any, Any]) -> None:
        """Run it and keep what comes of it."""
        _current.set(self)  # of this thread alone
        try:
            self.result.set_result(asyncio.run(self._main(main)))
        except BaseException as error:  # noqa: BLE001  raised again in the thread that waits
            stopped = self._interrupted and isinstance(error, asyncio.CancelledError)
            self.result.set_exception(KeyboardInterrupt() if stopped else error)

    async def _main(self, main: Coroutine[Any, Any, T]) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self.interrupt = lambda: loop.call_soon_threadsafe(task.cancel)
        return await main

    @contextmanager
    def signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM go to the coroutine while this thread, if it is the main one, waits."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._take) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _take(self, number: int, frame: object) -> None:
        self._interrupted = True
        self.interrupt()
