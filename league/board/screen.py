"""Drives the terminal: its alternate screen and its modes. Only changed lines are painted.

Lines are positioned absolutely and automatic wrapping is off. If the terminal draws a line wider than expected, it is
cut at the edge and the lines below stay in place.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import termios
import time
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len

from arena.terminal import escaped
from league.board.lines import Line

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
# Reports of mouse buttons and the wheel in the form SGR; marks around pasted text, so that it is not taken for keys.
MOUSE_ON, MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
# Synchronised output: terminals that support it show the frame at once, the others ignore it.
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
_ATTRIBUTES = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36"}
HEAL = 5.0
"""seconds after which a change repaints everything, in case another program wrote to the terminal"""


class Screen:
    """The alternate screen of the terminal at `fd`. With `input`, keys can be read, and clicks while `mouse` is set."""

    def __init__(
        self, fd: int, *, input: bool = False, colour: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fd, self._input, self._clock = fd, input, clock
        self._mouse = input
        self._codes = _ATTRIBUTES | (_COLOURS if colour else {})
        self._frame: Sequence[Line] = ()
        self._size = (0, 0)
        self._painted = float("-inf")
        self._modes: list[Any] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The current (columns, lines)."""
        try:
            columns, lines = os.get_terminal_size(self._fd)
        except OSError:
            columns = lines = 0
        return columns or 80, lines or 24

    def enter(self) -> None:
        """Switch to the alternate screen; keys are not echoed and are available without Enter."""
        self._size = (0, 0)
        with contextlib.suppress(termios.error):  # this process may not set the terminal
            self._modes = termios.tcgetattr(self._fd)
            modes = termios.tcgetattr(self._fd)
            modes[0] &= ~termios.IXON  # Ctrl-S would block the board until Ctrl-Q
            modes[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(self._fd, termios.TCSADRAIN, modes)
        self.write(ENTER + PASTE_ON * self._input + MOUSE_ON * self._mouse)

    def set_mouse(self, on: bool) -> None:
        """Take clicks, or leave the mouse to the terminal, which can then select text."""
        if on != self._mouse:
            self._mouse = on
            self.write(MOUSE_ON if on else MOUSE_OFF)

    def leave(self) -> None:
        """Restore the terminal and drop unread keys. Does not raise if the terminal is lost."""
        with contextlib.suppress(OSError):
            self.write((MOUSE_OFF + PASTE_OFF) * self._input + LEAVE)
        if self._modes is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSAFLUSH, self._modes)
            self._modes = None

    def paint(self, lines: Sequence[Line], size: tuple[int, int]) -> int:
        """Show a frame made for `size`; returns the bytes written, 0 if nothing changed."""
        now = self._clock()
        resized = size != self._size
        if not resized and lines == self._frame:
            return 0
        whole = resized or now - self._painted >= HEAL
        old: Sequence[Line] = () if whole else self._frame
        out = [BEGIN]
        for i, line in enumerate(lines):
            if i >= len(old) or old[i] != line:
                # After a full line the cursor stays on its last cell, which an erase would clear.
                erase = "\x1b[K" if cell_len(line[0]) < size[0] else ""
                out.append(f"\x1b[{i + 1};1H{self._encode(line)}{erase}")
        if (whole or len(self._frame) > len(lines)) and len(lines) < size[1]:
            out.append(f"\x1b[{len(lines) + 1};1H\x1b[J")
        out.append(END)
        written = self.write("".join(out))
        self._frame, self._size = lines, size
        if whole:
            self._painted = now
        return written

    def _encode(self, line: Line) -> str:
        """Returns a line with its styles as escape codes; overlapping styles combine."""
        text, styles = line
        edges = sorted({0, len(text), *(x for a, b, _ in styles for x in (a, b) if x < len(text))})
        out = []
        for start, end in itertools.pairwise(edges):
            names = " ".join(s for a, b, s in styles if a <= start and end <= b).split()
            codes = [self._codes[name] for name in names if name in self._codes]
            part = escaped(text[start:end].replace("\n", " "))  # the only way of a text to the terminal
            out.append(f"\x1b[{';'.join(codes)}m{part}\x1b[0m" if codes else part)
        return "".join(out)

    def write(self, text: str) -> int:
        """Write to the terminal, and wait if it is slow. Raises OSError if it is gone."""
        data = memoryview(text.encode(errors="replace"))
        size = len(data)
        while data:
            try:
                data = data[os.write(self._fd, data) :]
            except BlockingIOError:  # another program set the shared terminal to non-blocking
                select.select([], [self._fd], [], 1.0)
        return size


def drop_typed_keys(fd: int = 0) -> None:
    """Drop keys that were typed at the terminal `fd` but not read, so that they do not reach the shell."""
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(fd, termios.TCIFLUSH)
