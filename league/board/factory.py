"""Selects the board that fits the output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO, get_args

from arena.terminal import answers
from games import InputError
from league.board.base import Board
from league.board.plain import PlainBoard

if TYPE_CHECKING:
    from rich.console import Console

Mode = Literal["auto", "live", "plain", "off"]


def open_board(
    mode: str = "auto",
    console: Console | None = None,
    *,
    log_file: str | Path | None = None,
    interval: float = 30.0,
    watching: bool = False,
) -> Board:
    """Returns the board for `mode`, a context manager. Raises InputError.

    `auto` is live if the console's file is a terminal, otherwise plain: a line every `interval` seconds, none before
    the table at the end if that is infinite. Only a real terminal counts; FORCE_COLOR and TTY_COMPATIBLE do not make a
    log file one. The board is also plain if TERM=dumb, if TTY_INTERACTIVE=0, for a background job, and on systems
    without POSIX terminals. NO_COLOR is respected.
    `watching` is as in `LiveBoard`.
    """
    if mode not in get_args(Mode):
        raise InputError(f"unknown board {mode!r}; allowed: {', '.join(get_args(Mode))}")
    out: TextIO = console.file if console is not None else answers()  # type: ignore[assignment]
    if mode == "off":
        return Board()
    fd = _terminal(out)
    if mode == "live" and fd is None:
        raise InputError("the live board needs a terminal, but the output is not one; use --board plain")
    if fd is not None and (mode == "live" or (mode == "auto" and _suits_live(fd))):
        from league.board.live import LiveBoard

        return LiveBoard(fd, log_file=log_file, watching=watching)
    return PlainBoard(out, interval=interval)


def _terminal(out: TextIO) -> int | None:
    """Returns the file descriptor of a stream that is a POSIX terminal, or None."""
    if os.name != "posix":
        return None
    try:
        fd = out.fileno()
    except (OSError, ValueError, AttributeError):
        return None
    return fd if os.isatty(fd) else None


def _suits_live(fd: int) -> bool:
    """Returns whether a terminal can show the live board: it is not dumb, and this process runs in the foreground."""
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown", "") or os.environ.get("TTY_INTERACTIVE") == "0":
        return False
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:  # not the controlling terminal, so this process cannot be in its background
        return True
