"""Runs coroutines from synchronous code, also inside a running event loop such as a notebook's."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

_current: ContextVar[_ThreadRun | None] = ContextVar("_current", default=None)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` to its end and return its result, as `asyncio.run` does.

    If this thread already runs an event loop, `main` runs in another thread while this one waits. Ctrl-C then has the
    same effect as in a terminal.
    """
    if not _running():  # outside of an except block, whose error tracebacks would show before each later one
        return asyncio.run(main)
    work = _ThreadRun()
    with work.signals():
        threading.Thread(target=work.run, args=(main,), name="arena", daemon=True).start()
        return work.result.result()  # type: ignore[no-any-return]


async def in_thread(call: Callable[[], T]) -> T:
    """Returns what `call` returns, from a thread of its own, which neither Ctrl-C nor the end of Python waits for."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def work() -> None:
        result: Future[T] = Future()
        try:
            result.set_result(call())
        except BaseException as error:  # noqa: BLE001  raised again in the event loop
            result.set_exception(error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, result)

    def deliver(result: Future[T]) -> None:
        if answer.done():  # cancelled
            return
        if error := result.exception():
            answer.set_exception(error)
        else:
            answer.set_result(result.result())

    threading.Thread(target=work, name="arena-decision", daemon=True).start()
    return await answer


def _running() -> bool:
    """Returns whether this thread runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def on_interrupt(call: Callable[[int], None]) -> Iterator[bool]:
    """Handle Ctrl-C and SIGTERM with `call`, which gets the number of the signal, on the event loop, instead of
    cancelling the coroutine that `run` runs in a thread.

    Yields False if the coroutine does not run in a thread of `run`: its event loop then handles signals itself.
    """
    work = _current.get()
    if work is None:
        yield False
        return
    loop, before = asyncio.get_running_loop(), work.interrupt
    work.interrupt = lambda number: loop.call_soon_threadsafe(call, number)
    try:
        yield True
    finally:
        work.interrupt = before


class _ThreadRun:
    """A coroutine in its own thread, and the effect of Ctrl-C on it."""

    def __init__(self) -> None:
        self.result: Future[Any] = Future()
        self.interrupt: Callable[[int], object] = lambda number: None
        self._interrupted = False

    def run(self, main: Coroutine[Any, Any, Any]) -> None:
        """Run the coroutine and set `result`."""
        _current.set(self)  # context variables of this thread only
        try:
            self.result.set_result(asyncio.run(self._main(main)))
        except BaseException as error:  # noqa: BLE001  raised again in the waiting thread
            stopped = self._interrupted and isinstance(error, asyncio.CancelledError)
            self.result.set_exception(KeyboardInterrupt() if stopped else error)

    async def _main(self, main: Coroutine[Any, Any, T]) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self.interrupt = lambda number: loop.call_soon_threadsafe(task.cancel)
        return await main

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Forward SIGINT and SIGTERM to the coroutine while this thread waits, if it is the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, frame: object) -> None:
        self._interrupted = True
        self.interrupt(number)
