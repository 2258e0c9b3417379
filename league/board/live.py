"""The board on a terminal: its own thread repaints changes at most four times a second, and after keys and clicks."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import FrameType
from typing import Self

import msgspec
from rich.console import Console

from arena.terminal import escaped
from arena.termination import deadline
from league.board.base import Board
from league.board.capture import Capture
from league.board.cells import clean
from league.board.lines import drawn, to_text
from league.board.player_details import DetailsSource
from league.board.render import ending, frame
from league.board.screen import Screen, drop_typed_keys
from league.board.state import BoardState, Clock
from league.board.view_state import Request
from league.board.viewer import Viewer, readable
from league.records.leaderboard import Leaderboard, MatchCounts

REPLAY, TAIL = 50, 20
"""captured lines printed at the end: all of them if at most REPLAY, otherwise the last TAIL"""
AFTER = 5
"""lines of the window that the final board leaves to what a script prints after it, and to the prompt"""

STARTING = BoardState(Leaderboard("starting", (), {}, {}, MatchCounts()), status="waiting")


class LiveBoard(Board):
    """Paints on the terminal's alternate screen; when it closes, it prints the final board on the normal screen.

    A state given to `update` is visible within a quarter of a second. While the board is open, output to stdout and
    stderr goes to `log_file` (default: a temporary file), and its last lines appear in the log pane. `fd` is the
    terminal; keys are read from it, never from standard input, which may be a pipe. `watching`: another process plays
    the run, so q leaves the board; otherwise q asks, then sends this process the signal of Ctrl-C. With `painter=False`
    no frame is painted unless the caller calls `paint`.
    """

    def __init__(
        self,
        fd: int = 1,
        *,
        log_file: str | Path | None = None,
        clock: Clock = time.monotonic,
        painter: bool = True,
        watching: bool = False,
    ) -> None:
        self._fd, self._clock, self._painter = fd, clock, painter
        self._viewer = Viewer(self._wake, self._request, watching=watching)
        self._interactive = False
        self._left, self._woken = threading.Event(), threading.Event()
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
            self._interactive = readable(self._tty)
            self._screen = Screen(self._tty, input=self._interactive, colour=colour, clock=self._clock)
            stack.callback(self._screen.leave)
            stack.enter_context(deadline.cleanup(self._screen.leave))
            self._screen.enter()
            self._capture.start()
            hook_signals(stack, self._screen, self._lock)
            atexit.register(drop_typed_keys, self._fd)  # also keys typed after the board has closed
            if self._painter:
                thread = threading.Thread(target=self._paint_loop, name="board", daemon=True)
                thread.start()
                stack.callback(thread.join)
            stack.callback(self._woken.set)
            stack.callback(self._closing.set)
            if self._interactive:
                self._viewer.start(self._tty, stack)
            self._stack = stack.pop_all()
        return self

    def log(self, line: str) -> None:
        """Add a line to the log pane and the log file."""
        self._capture.write(line)

    def attach(self, source: DetailsSource) -> None:
        """Show the details of players from `source`."""
        self._viewer.attach(source)

    @property
    def interactive(self) -> bool:
        """Whether keys are read."""
        return self._interactive

    def wait(self, timeout: float) -> bool:
        """Wait `timeout` seconds; returns early, with True, if the viewer leaves the board."""
        return self._left.wait(timeout)

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
                if not self._interactive:
                    return self._screen.paint(frame(state, *size), size)
                self._screen.set_mouse(self._viewer.view.mouse)
                return self._screen.paint(self._viewer.draw(state, size), size)
            except OSError:  # the terminal is gone; the run continues without it
                self._lost = True
                return 0

    def update(self, state: BoardState) -> None:
        """Set the state to show. The first one is painted at once."""
        first = self._state is None
        super().update(state)
        if first:
            self._woken.set()

    def _paint_loop(self) -> None:
        budget = FrameBudget()
        while not self._closing.is_set():
            start = time.thread_time()
            self._woken.clear()
            waiting = self._state is None
            self.paint()
            pause = budget.pause(time.thread_time() - start)
            if waiting or not self._closing.wait(pause):
                self._woken.wait(TICK if waiting else max(0.0, TICK - pause))

    def _wake(self) -> None:
        self._woken.set()

    def _request(self, request: Request) -> None:
        if request == "leave":
            self._left.set()
        else:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def _print_final(self) -> None:
        """Print captured lines and the board with all rows on the normal screen."""
        lines = list(self._capture.lines)
        all_lines = self._capture.total <= REPLAY
        if not all_lines:
            lines = [f"… {self._capture.total - TAIL:,} earlier lines in {self._capture.path}", *lines[-TAIL:]]
        try:
            with contextlib.suppress(OSError), os.fdopen(os.dup(self._tty), "w", errors="replace") as out:
                out.writelines(escaped(clean(line)) + "\n" for line in lines)
                if lines:
                    out.write("\n")
                if self._state is not None:
                    columns, rows = self._screen.size
                    console = Console(file=out, force_terminal=True, width=columns, highlight=False)
                    console.print(drawn(to_text(ending(self._state, columns, rows - AFTER))))
        finally:
            self._capture.close(all_lines)


TICK = 0.25
"""the least number of seconds between frames that no key asked for"""
QUICK = 0.1
"""the least number of seconds between frames that keys asked for: a held key is about 30 keys a second"""
SHARE = 0.012
"""of a core, for frames in the long run: the whole board, reading keys included, stays below 3%"""
BURST = 0.02
"""seconds of a processor that frames may take beyond their share after a rest, about eight frames of 64 players: single
keys are answered at once, a held key is not"""


class FrameBudget:
    """Saves the share of the processor that frames did not use, up to BURST."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._saved, self._at = BURST, clock()

    def pause(self, cost: float) -> float:
        """Returns the seconds to wait after a frame that took `cost` seconds of a processor.

        The wall time of a frame does not count: it makes the board slow where other work is heavy.
        """
        now = self._clock()
        self._saved = min(BURST, self._saved + SHARE * (now - self._at)) - cost
        self._at = now
        return max(QUICK, -self._saved / SHARE)


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
            handler = suspend if number == signal.SIGTSTP else (lambda number, _: sys.exit(128 + number))
            signal.signal(number, handler)
            stack.callback(_unhook, number, handler)


def _unhook(number: signal.Signals, handler: object) -> None:
    """Restore the default handler, unless another one has been set since."""
    if signal.getsignal(number) == handler:
        signal.signal(number, signal.SIG_DFL)
