"""Processes that compute for us and may be killed: libraries that hang, eat memory or cannot run in a thread.

A worker is a module run by `python -m`. It reads one JSON object per line and answers with one per line; `serve` is its
main function. Who has not answered in time is killed and replaced. A worker whose parent is gone ends by itself.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from games.errors import InfrastructureError

Message = dict[str, Any]
_START = 120.0  # seconds a worker may take to import its library, on the slowest machine
_LONGEST = 1 << 20


class Workers:
    """Up to `most` processes of one module (default: one per core), started when needed and kept."""

    def __init__(self, module: str, memory: int = 2 << 30, most: int = 0) -> None:
        self.module, self.memory = module, memory
        self._free = threading.BoundedSemaphore(most or max(1, os.cpu_count() or 1))
        self._idle: list[_Process] = []
        atexit.register(self.close)

    def ask(self, message: Message, seconds: float) -> Message | None:
        """The worker's answer, or None where it gave none within `seconds`: it ran out of time or of memory.

        Raises InfrastructureError where no worker starts.
        """
        with self._free:
            worker = self._take()
            answer = worker.ask({**message, "seconds": seconds}, seconds)
            if answer is None:
                worker.kill()
            else:
                self._idle.append(worker)
            return answer

    def close(self) -> None:
        """End all idle workers."""
        while self._idle:
            self._idle.pop().kill()

    def _take(self) -> _Process:
        while True:
            try:
                worker = self._idle.pop()  # one step: safe between threads
            except IndexError:
                return _Process(self.module, self.memory)
            if worker.alive():
                return worker
            worker.kill()


class _Process:
    def __init__(self, module: str, memory: int) -> None:
        words = [sys.executable, "-m", module, str(memory)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
        )
        if self._line(_START) != {"ready": True}:
            self.kill()
            raise InfrastructureError(f"the worker {module} does not start; try: {' '.join(words)}")

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: Message, seconds: float) -> Message | None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
        except OSError:
            return None
        return self._line(seconds)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def _line(self, seconds: float) -> Message | None:
        stdout = self._process.stdout
        assert stdout is not None
        deadline, data = time.monotonic() + seconds, b""
        poll = select.poll()
        poll.register(stdout.fileno(), select.POLLIN)
        while not data.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                return None
            chunk = os.read(stdout.fileno(), 1 << 16)
            data += chunk
            if not chunk or len(data) > _LONGEST:
                return None
        try:
            answer = json.loads(data)
        except ValueError:
            return None
        return answer if isinstance(answer, dict) else None


def _environment() -> dict[str, str]:
    """The little a worker needs; no keys or tokens of ours."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV") if name in os.environ}
    # It must find this very package, from wherever it was imported.
    return {**kept, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "OMP_NUM_THREADS": "1"}


def serve(answer: Callable[[Message], Message]) -> None:
    """The main function of a worker: answers until its input ends. An error becomes `{"error": ...}`."""
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not answer for us
    signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def say(message: Message) -> None:
        out.write(json.dumps(message).encode() + b"\n")
        out.flush()

    say({"ready": True})
    for line in sys.stdin:
        message = json.loads(line)
        # Should the parent be gone, nobody else would end a computation that hangs.
        signal.setitimer(signal.ITIMER_REAL, message["seconds"] + 5)
        try:
            reply = answer(message)
        except (Exception, RecursionError) as error:  # noqa: BLE001  the library under us may raise anything
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        signal.setitimer(signal.ITIMER_REAL, 0)
        say(reply)
