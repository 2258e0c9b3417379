"""Signals while a board holds the terminal: those that would kill the process unwind it, Ctrl-Z leaves the screen."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import AbstractContextManager, ExitStack
from types import FrameType

from league.board.screen import Screen


def hook_signals(stack: ExitStack, screen: Screen, lock: AbstractContextManager[object]) -> None:
    """Handle signals until the stack is closed. Only in the main thread, and only where nobody else handles them.

    `lock` keeps others from painting while the process is suspended.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def suspend(number: int, _: FrameType | None) -> None:
        with lock:
            screen.leave()
            os.kill(os.getpid(), signal.SIGSTOP)
            screen.enter()

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
        if signal.getsignal(number) is signal.SIG_DFL:
            handler = suspend if number == signal.SIGTSTP else _unwind
            signal.signal(number, handler)
            stack.callback(_unhook, number, handler)


def _unwind(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


def _unhook(number: signal.Signals, handler: object) -> None:
    """Restore the default handler, unless another one has been set since."""
    if signal.getsignal(number) == handler:
        signal.signal(number, signal.SIG_DFL)
