"""The board for output that is not a live terminal: a line from time to time, and the table at the end."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from contextlib import suppress
from typing import TextIO

from arena.terminal import escaped
from league.board.base import Board
from league.board.cells import clean, number, rate, span
from league.board.render import natural_width, render
from league.board.standing_columns import mean_interval, mean_score
from league.board.state import ENDED, BoardState, Clock, done
from league.records.leaderboard import Standing

logger = logging.getLogger(__name__)


class PlainBoard(Board):
    """Prints a line after `first` seconds and then every `interval` seconds, log lines at once, and the final table.

    An infinite interval has no lines but those of the log.

    Writes no escape codes. Times are checked when `update` is called, so call it at least once a second.
    """

    def __init__(
        self, out: TextIO, *, interval: float = 30.0, first: float = 3.0, clock: Clock = time.monotonic, width: int = 0
    ) -> None:
        self._out, self._interval, self._clock, self._width = out, interval, clock, width
        self._next = clock() + (first if math.isfinite(interval) else interval)
        self._lock = threading.Lock()

    def update(self, state: BoardState) -> None:
        """Set the state to show, and print its line if one is due."""
        self._state = state
        now = self._clock()
        if now >= self._next and state.status not in ENDED:
            self._next = now + self._interval
            self.log(plain_line(state))

    def log(self, line: str) -> None:
        """Print a line."""
        self._print(clean(line))

    def close(self) -> None:
        """Print the whole table, once."""
        state, self._state = self._state, None
        if state is not None:
            width = self._width or int(os.environ.get("COLUMNS") or 0) or _columns(self._out) or natural_width(state)
            self._print("\n".join(x.rstrip() for x in render(state, width).plain.split("\n")))

    def _print(self, text: str) -> None:
        text = escaped(text)
        encoding = self._out.encoding or "utf-8"
        try:
            with self._lock:
                self._out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
                self._out.flush()
        except BrokenPipeError:  # the reader has closed the pipe; the run continues
            logger.debug("the output of the board is closed")


def _columns(out: TextIO) -> int:
    """Returns the width of a terminal; 0 for a file or a pipe, whose lines may be as long as they are."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(out.fileno()).columns
    return 0


def plain_line(state: BoardState) -> str:
    """Returns a state in one line: progress, rates, time left, and the leading players."""
    m = state.snapshot.matches
    parts = [part for panel in state.panels for part in panel.headline]
    if state.activity:
        parts.append(state.activity)
    total, remark = (m.planned, " planned so far") if m.total is None else (m.total, "")
    parts += [f"{done(m):,} of {total:,} matches{remark}"]
    if state.in_flight:
        parts.append(f"{state.in_flight:,} in flight")
    if m.void:
        parts.append(f"{m.void:,} void")
    if state.matches_per_second is not None:
        parts.append(f"{rate(state.matches_per_second)} matches/s")
    if state.tokens_per_second is not None:
        parts.append(f"{rate(state.tokens_per_second)} tokens/s")
    if state.to_go is not None:
        parts.append(f"{span(state.to_go)} to go")
    if top := [_leader(row) for row in state.snapshot.standings[:3]]:
        parts.append("top: " + ", ".join(top))
    clock = f"[{span(state.elapsed)}] " if state.elapsed is not None else ""
    return f"{clock}{clean(state.title or state.snapshot.run)} {state.status}: {' · '.join(parts)}"


def _leader(row: Standing) -> str:
    if row.rated:
        return f"{clean(row.player)} {number(row.rating)} ±{number((row.high - row.low) / 2)}"
    return f"{clean(row.player)} {mean_score(row)} {mean_interval(row)}".rstrip()
