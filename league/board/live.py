"""The board on a terminal: its own thread repaints changes at most four times a second."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Self

import msgspec
from rich.console import Console

from league.board.base import Board
from league.board.capture import Capture
from league.board.cells import clean
from league.board.render import frame, render
from league.board.screen import Screen
from league.board.state import BoardState, Clock
from league.records.leaderboard import Leaderboard, MatchCounts

TICK = 0.25
"""the least number of seconds between frames"""
SHARE = 20
"""after a frame that takes t seconds the board pauses for at least SHARE * t, so that it uses under 5% of a core"""
REPLAY, TAIL = 50, 20
"""captured lines printed at the end: all of them if at most REPLAY, otherwise the last TAIL"""

STARTING = BoardState(Leaderboard("starting", (), {}, {}, MatchCounts()), status="waiting")


class LiveBoard(Board):
    """Paints on the terminal's alternate screen; when it closes, it prints the final board on the normal screen.

    A state given to `update` is visible within a quarter of a second. While the board is open, output to stdout and
    stderr goes to `log_file` (default: a temporary file), and its last lines appear in the log pane. `fd` is the
    terminal. With `painter=False` no thread is started and the caller calls `paint`.
    """

    def __init__(
        self,
        fd: int = 1,
        *,
        log_file: str | Path | None = None,
        clock: Clock = time.monotonic,
        painter: bool = True,
    ) -> None:
        self._fd, self._clock, self._painter = fd, clock, painter
        self._log_file = Path(log_file) if log_file else None
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._stack = ExitStack()
        self._lost = False

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._tty = os.dup(self._fd)
            stack.callback(os.close, self._tty)
            self._capture = Capture([fd for fd in (1, 2) if os.isatty(fd)], self._log_file)
            stack.callback(self._print_final)
            stack.callback(self._capture.stop)
            colour = not os.environ.get("NO_COLOR")
            keys = 0 if os.isatty(0) else None
            self._screen = Screen(self._tty, keys, colour=colour, clock=self._clock)
            stack.callback(self._screen.leave)
            self._screen.enter()
            self._capture.start()
            self._hook_signals(stack)
            if self._painter:
                thread = threading.Thread(target=self._paint_loop, name="board", daemon=True)
                thread.start()
                stack.callback(thread.join)
            stack.callback(self._closing.set)
            self._stack = stack.pop_all()
        return self

    def log(self, line: str) -> None:
        """Add a line to the log pane and the log file."""
        self._capture.write(line)

    def key(self, timeout: float) -> str:
        """A key typed within `timeout` seconds, or an empty string."""
        if os.isatty(0):
            return self._screen.key(timeout)
        return super().key(timeout)

    def close(self) -> None:
        """Restore the terminal, then print captured lines and the final board."""
        self._stack.close()

    def paint(self) -> int:
        """Paint the current state; returns the bytes written, 0 if nothing changed."""
        with self._lock:
            self._capture.poll()
            if self._lost:
                return 0
            size, state = self._screen.size, self._state or STARTING
            state = msgspec.structs.replace(state, log=(*state.log, *self._capture.lines))
            try:
                return self._screen.paint(frame(state, *size), size)
            except OSError:  # the terminal is gone; the run continues without it
                self._lost = True
                return 0

    def _paint_loop(self) -> None:
        pause = 0.0
        while not self._closing.wait(pause):
            start = time.monotonic()
            self.paint()
            pause = max(TICK, SHARE * (time.monotonic() - start))

    def _print_final(self) -> None:
        """Print captured lines and the board with all rows on the normal screen."""
        lines = list(self._capture.lines)
        shown = self._capture.total <= REPLAY
        if not shown:
            lines = [f"… {self._capture.total - TAIL:,} earlier lines in {self._capture.path}", *lines[-TAIL:]]
        try:
            with contextlib.suppress(OSError), os.fdopen(os.dup(self._tty), "w", errors="replace") as out:
                out.writelines(clean(line) + "\n" for line in lines)
                if lines:
                    out.write("\n")
                if self._state is not None:
                    columns, _ = self._screen.size
                    console = Console(file=out, force_terminal=True, width=columns, highlight=False)
                    console.print(render(self._state, columns))
        finally:
            self._capture.close(shown)

    def _hook_signals(self, stack: ExitStack) -> None:
        """Make signals that would kill the process unwind it instead, and make Ctrl-Z leave the screen first."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
            if signal.getsignal(number) is signal.SIG_DFL:
                handler = self._suspend if number == signal.SIGTSTP else _unwind
                signal.signal(number, handler)
                stack.callback(_unhook, number, handler)

    def _suspend(self, number: int, _: FrameType | None) -> None:
        with self._lock:
            self._screen.leave()
            os.kill(os.getpid(), signal.SIGSTOP)
            self._screen.enter()


def _unwind(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


def _unhook(number: signal.Signals, handler: object) -> None:
    """Restore the default handler, unless another one has been set since."""
    if signal.getsignal(number) == handler:
        signal.signal(number, signal.SIG_DFL)
