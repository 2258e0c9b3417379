"""Keeps what anybody writes to stdout and stderr off the screen: libraries in C, subprocesses, old log handlers.

The two file descriptors are pointed at a file, not at a pipe: a writer can then never block on a reader that waits
for the interpreter's lock, and what was written survives even a crash of the interpreter.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from games import InputError

KEPT = 500
BURST = 1 << 18
"""bytes read at once; older ones stay in the file"""


class Capture:
    """Redirects file descriptors into a file and reads it back line by line.

    `path` is appended to; without one a temporary file is made, and deleted if all of it was shown.
    """

    def __init__(self, fds: Sequence[int], path: Path | None = None) -> None:
        self._fds, self._given = tuple(fds), path
        self._saved: dict[int, int] = {}
        self._partial = b""
        self.lines: deque[str] = deque(maxlen=KEPT)
        self.total = 0
        """lines seen"""
        self._file, self.path = self._open()
        self._offset = os.fstat(self._file).st_size

    def _open(self) -> tuple[int, Path]:
        if self._given is None:
            fd, name = tempfile.mkstemp(prefix="arena-", suffix=".log")
            os.close(fd)
            path = Path(name)
        else:
            path = self._given
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644), path
        except OSError as error:
            raise InputError(f"cannot write the log file {path}: {error.strerror}; name another one") from None

    def start(self) -> None:
        """Point the descriptors at the file."""
        _flush()
        for fd in self._fds:
            self._saved[fd] = os.dup(fd)
            os.dup2(self._file, fd)

    def stop(self) -> None:
        """Point the descriptors back and read what is left. Harmless when called twice."""
        _flush()
        while self._saved:
            fd, saved = self._saved.popitem()
            os.dup2(saved, fd)
            os.close(saved)
        while self.poll():
            continue
        if self._partial:
            self._take([self._partial])
            self._partial = b""

    def write(self, line: str) -> None:
        """Add a line, in order with everybody else's and not glued to an unfinished one."""
        size = os.fstat(self._file).st_size
        unfinished = size > 0 and os.pread(self._file, 1, size - 1) != b"\n"
        os.write(self._file, b"\n" * unfinished + line.encode(errors="replace") + b"\n")

    def poll(self) -> bool:
        """Read what was written since the last call; True where there was anything."""
        fresh = os.fstat(self._file).st_size - self._offset
        if fresh <= 0:
            return False
        if fresh > BURST:
            skipped = fresh - BURST
            self._take([self._partial, f"… {skipped:,} bytes only in {self.path}".encode()])
            self._offset, self._partial = self._offset + skipped, b""
        data = os.pread(self._file, BURST, self._offset)
        self._offset += len(data)
        *whole, self._partial = (self._partial + data).split(b"\n")
        self._take(whole)
        return bool(data)

    def _take(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            # A progress bar overwrites itself after a carriage return: its last state is the line.
            text = line.decode(errors="replace").rstrip("\r").rpartition("\r")[2]
            if text.strip():
                self.lines.append(text)
                self.total += 1

    def close(self, shown: bool) -> None:
        """Let go of the file; a temporary one of which everything was `shown` is deleted."""
        os.close(self._file)
        if self._given is None and (shown or self.total == 0):
            self.path.unlink(missing_ok=True)


def _flush() -> None:
    """Write out what Python and the C library hold back, so that it lands on the right side of the switch."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)
