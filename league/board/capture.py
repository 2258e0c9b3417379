"""Keeps output to stdout and stderr off the screen, also that of C libraries, subprocesses and log handlers.

Both file descriptors are redirected to a file. A pipe could block a writer while its reader waits for the
interpreter's lock; a file cannot, and it survives a crash of the interpreter.
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
"""the most bytes read at once; older ones stay in the file only"""


class Capture:
    """Redirects file descriptors to a file and reads it back line by line.

    Output is appended to `path`. Without a path it goes to a temporary file, which `close` deletes if all was shown.
    """

    def __init__(self, fds: Sequence[int], path: Path | None = None) -> None:
        self._fds, self._fixed_path = tuple(fds), path
        self._saved: dict[int, int] = {}
        self._partial = b""
        self.lines: deque[str] = deque(maxlen=KEPT)
        self.total = 0
        """the number of lines read"""
        self._file, self.path = self._open()
        self._offset = os.fstat(self._file).st_size

    def _open(self) -> tuple[int, Path]:
        if self._fixed_path is None:
            fd, name = tempfile.mkstemp(prefix="arena-", suffix=".log")
            os.close(fd)
            path = Path(name)
        else:
            path = self._fixed_path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644), path
        except OSError as error:
            raise InputError(f"cannot write the log file {path}: {error.strerror}; choose another path") from None

    def start(self) -> None:
        """Redirect the descriptors to the file."""
        _flush()
        for fd in self._fds:
            self._saved[fd] = os.dup(fd)
            os.dup2(self._file, fd)

    def stop(self) -> None:
        """Restore the descriptors and read the rest of the file. A second call does nothing."""
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
        """Append a line, after a newline if the last line is unfinished."""
        size = os.fstat(self._file).st_size
        unfinished = size > 0 and os.pread(self._file, 1, size - 1) != b"\n"
        os.write(self._file, b"\n" * unfinished + line.encode(errors="replace") + b"\n")

    def poll(self) -> bool:
        """Read what was written since the last call; returns whether there was anything."""
        fresh = os.fstat(self._file).st_size - self._offset
        if fresh <= 0:
            return False
        if fresh > BURST:
            skipped = fresh - BURST
            self._take([self._partial, f"… {skipped:,} bytes are only in {self.path}".encode()])
            self._offset, self._partial = self._offset + skipped, b""
        data = os.pread(self._file, BURST, self._offset)
        self._offset += len(data)
        *whole, self._partial = (self._partial + data).split(b"\n")
        self._take(whole)
        return bool(data)

    def _take(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            # A progress bar overwrites itself after each carriage return; only its last state counts.
            text = line.decode(errors="replace").rstrip("\r").rpartition("\r")[2]
            if text.strip():
                self.lines.append(text)
                self.total += 1

    def close(self, complete: bool) -> None:
        """Close the file; a temporary file is deleted if all of it was `complete`."""
        os.close(self._file)
        if self._fixed_path is None and (complete or self.total == 0):
            self.path.unlink(missing_ok=True)


def _flush() -> None:
    """Flush the buffers of Python and the C library, so that their content goes to the current target."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)
