"""Runs a program step by step under a pseudo-terminal; the emulator pyte keeps its screen."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pyte

from league.board.screen import LEAVE

ROOT = Path(__file__).parents[3]
ENV = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": "/tmp"}
PRELUDE = """
import logging, os, sys
logging.basicConfig(format="%(levelname)s %(message)s")
from tests.league.board.states import state
from league.board.live import LiveBoard
steps, acks = int(sys.argv[1]), int(sys.argv[2])
def step():
    return os.read(steps, 1)
def ack():
    os.write(acks, b".")
"""


class Terminal:
    """Runs `PRELUDE + program`, which calls step() to wait for us and ack() to answer."""

    def __init__(self, program: str, columns: int = 100, lines: int = 30, env: dict[str, str] | None = None) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._feeding = threading.Lock()  # otherwise the screen changes while it is read
        self.master, self.slave = os.openpty()
        self.resize(columns, lines)
        self.modes = termios.tcgetattr(self.slave)
        steps, self._steps = os.pipe()
        self._acks, acks = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + program, str(steps), str(acks)],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            pass_fds=(steps, acks),
            start_new_session=True,
            cwd=ROOT,
            env=ENV | (env or {}),
        )
        os.close(steps)
        os.close(acks)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Keep reading, so that the program never waits for us."""
        while data := os.read(self.master, 1 << 16):
            if data.endswith(b"\0END\0"):
                data = data[:-5]
                self._feed(data)
                return
            self._feed(data)

    def _feed(self, data: bytes) -> None:
        self.raw += data
        with self._feeding:
            self.stream.feed(data)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        with self._feeding:
            self.screen.resize(lines, columns)

    def step(self) -> None:
        """Let the program take one step, and wait until it has."""
        os.write(self._steps, b".")
        self.wait()

    def wait(self) -> None:
        """Wait for the program's next ack."""
        ready, _, _ = select.select([self._acks], [], [], 240)
        assert ready, f"the program did not answer; screen: {self.lines()}"
        assert os.read(self._acks, 1), f"the program ended early: {self.raw[-2000:]!r}"

    def lines(self, until: str = "") -> list[str]:
        """The screen once it shows `until`."""
        for _ in range(5000):
            with self._feeding:
                shown = [line.rstrip() for line in self.screen.display]
            if any(until in line for line in shown):
                return shown
            self._reader.join(0.05)
        raise AssertionError(f"{until!r} never came; screen: {shown}")

    def end(self) -> list[str]:
        """Close the pipe of steps, wait for the end and return the text of the normal screen."""
        os.close(self._steps)
        self.code = self.process.wait(240)
        os.write(self.slave, b"\0END\0")
        self._reader.join(240)
        self.after = termios.tcgetattr(self.slave)
        for fd in (self.master, self.slave, self._acks):
            os.close(fd)
        final = self.raw.rpartition(LEAVE.encode())[2]
        screen = pyte.Screen(self.screen.columns, 500)
        pyte.ByteStream(screen).feed(final)
        return [line.rstrip() for line in screen.display if line.strip()]
