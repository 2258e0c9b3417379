"""Worker processes in bubblewrap, for libraries that may hang, exhaust memory or parse hostile text.

A worker reads one JSON object per line and answers with one per line. `library` describes a worker that is a module of
this project and calls `serve`. A worker that does not answer in time is killed and replaced. All workers die with this
process.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import logging
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from games.errors import InfrastructureError
from games.verifiers import sandbox, seccomp
from games.verifiers.seccomp import filter_program
from games.verifiers.verdict import MissingProgram

log = logging.getLogger(__name__)

Message = dict[str, Any]
_START = 120.0  # seconds for a worker to import its library, on a slow machine
_LONGEST = 4 << 20
_PROCESSES = 32  # processes and threads of a worker


@dataclass(frozen=True, slots=True)
class Program:
    """A program for the sandbox: its arguments after the interpreter's flags, the files it reads, its environment.

    For `filtered` programs the system-call filter applies from the first instruction. A `bare` program may also run
    without bubblewrap where that is missing or cannot start: with the same limits on memory, files and time, and with
    the filter, which refuses sockets, but with the files of this user. It is for libraries that never execute a text
    that somebody else wrote.
    """

    words: tuple[str, ...]
    binds: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    filtered: bool = True
    bare: bool = False


def library(module: str, package: str, memory: int = 2 << 30) -> Program:
    """Describe a worker: a module of this project that uses an installed package.

    Of this machine's files it can read the code of `games` and the folder that the package is installed in.
    """
    ours, theirs = _folder("games"), _folder(package)
    return Program(
        ("-m", module, str(memory), str(sandbox.sandboxed_user())),
        (f"{ours}/games", theirs),
        (("PYTHONPATH", f"{ours}{os.pathsep}{theirs}"), ("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1")),
    )


def _folder(name: str) -> str:
    """Returns the folder a package is imported from."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise InfrastructureError(f"the package {name!r} is not installed")
    return os.path.dirname(os.path.realpath(spec.submodule_search_locations[0]))


class FairLock:
    """A first-come, first-served semaphore. With threading's, a thread that releases it can overtake waiting ones."""

    def __init__(self, free: int) -> None:
        self.free, self._lock = free, threading.Lock()
        self.waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._lock:
            if self.free:
                self.free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            self.waiting.append(turn)
        try:
            turn.acquire()  # released by the thread that hands over
        except BaseException:  # an interrupted wait
            with self._lock:
                waits = turn in self.waiting
                if waits:
                    self.waiting.remove(turn)
            if not waits:
                self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if self.waiting:
                self.waiting.popleft().release()
            else:
                self.free += 1


class SandboxedWorkers:
    """Up to `most` processes of one program (default: one per core), started on demand and reused."""

    def __init__(self, program: Callable[[], Program], most: int = 0) -> None:
        self._program, self._most = program, most or max(1, os.cpu_count() or 1)
        self._free = FairLock(self._most)
        self._idle: list[_Process] = []
        self._inherited: list[_Process] = []
        self._without_sandbox = False
        """bubblewrap could not start a bare program"""
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forked)

    def ask(self, message: Message, seconds: float) -> Message | None:
        """Returns the worker's answer, or None if it ran out of time (`seconds`) or memory.

        A worker that ends although it answered before is replaced once: what it was asked earlier may have used up its
        memory. Raises MissingProgram without bubblewrap, and InfrastructureError if no worker starts.
        """
        with self._free:
            worker = self._take()
            answer = self._answered(worker, message, seconds)
            if answer is None and worker.ended and worker.answers:
                answer = self._answered(self._started(), message, seconds)
            return answer

    def _answered(self, worker: _Process, message: Message, seconds: float) -> Message | None:
        answer = None
        try:
            answer = worker.ask({**message, "seconds": seconds}, seconds)
        finally:
            if answer is None:
                worker.kill()
            else:
                self._idle.append(worker)
        return answer

    def _forked(self) -> None:
        """Forget the parent's workers after a fork: two readers of one pipe would take each other's answers."""
        self._inherited, self._idle = [*self._inherited, *self._idle], []
        self._free = FairLock(self._most)

    def close(self) -> None:
        """Stop all idle workers."""
        while self._idle:
            self._idle.pop().kill()

    def _take(self) -> _Process:
        while True:
            try:
                worker = self._idle.pop()  # one operation, so thread-safe
            except IndexError:
                return self._started()
            if worker.ready():
                return worker
            worker.kill()

    def _started(self) -> _Process:
        program = self._program()
        if not program.bare:
            return _Process(program)
        if not self._without_sandbox:
            try:
                return _Process(program)
            except (MissingProgram, InfrastructureError) as error:
                process = _Process(program, sandboxed=False)  # raises if the program itself is broken
                self._without_sandbox = True
                log.warning("%s runs without a sandbox, within limits: %s", program.words[1], error)
                return process
        return _Process(program, sandboxed=False)


class _Starter:
    """Starts all workers from one permanent thread: with `--die-with-parent`, bwrap dies with the starting thread."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        """Reset after a fork, which threads do not survive."""
        self._thread, self._lock = None, threading.Lock()

    def __call__(
        self, words: list[str], fds: tuple[int, ...], environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            self._thread = self._thread or ThreadPoolExecutor(1, "arena-sandboxes")
        return self._thread.submit(
            subprocess.Popen,
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=fds,
            env=environment,
            cwd=None if environment is None else "/",
        ).result()


_start = _Starter()


class _Process:
    def __init__(self, program: Program, sandboxed: bool = True) -> None:
        self.answers = 0
        self.ended = False
        """its output ended"""
        if sandboxed:
            self._process = _sandboxed(program)
        else:
            # The child applies the filter itself.
            self._process = _start([*interpreter(), *program.words, "filter"], (), dict(program.environment))
        if self._line(_START) != {"ready": True}:
            raise InfrastructureError(self._complaint())

    def _complaint(self) -> str:
        """Returns why it did not start, from its own or bubblewrap's output."""
        self._process.kill()
        stderr = self._process.stderr
        assert stderr is not None
        lines = stderr.read(100_000).decode(errors="replace").strip().splitlines()
        self.kill()
        if lines and lines[0].startswith("bwrap: "):
            return sandbox.explain(lines[0])
        return f"the sandbox did not start: {lines[-1][:200] if lines else 'it said nothing'}"

    def ready(self) -> bool:
        """Returns whether the process lives and has written nothing that would be taken for the next answer."""
        stdout, poll = self._process.stdout, select.poll()
        assert stdout is not None
        poll.register(stdout.fileno(), select.POLLIN)
        return self._process.poll() is None and not poll.poll(0)

    def ask(self, message: Message, seconds: float) -> Message | None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
        except OSError:
            self.ended = True
            return None
        answer = self._line(seconds)
        self.answers += answer is not None
        return answer

    def kill(self) -> None:
        self._process.kill()  # the sandbox's init process dies with it, and all others with init
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def _line(self, seconds: float) -> Message | None:
        stdout = self._process.stdout
        assert stdout is not None
        deadline, data = time.monotonic() + seconds, bytearray()
        poll = select.poll()
        poll.register(stdout.fileno(), select.POLLIN)
        while not data.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                return None
            chunk = os.read(stdout.fileno(), 1 << 16)
            data += chunk
            self.ended = not chunk
            if not chunk or len(data) > _LONGEST:
                return None
        try:
            answer = json.loads(data, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
        return answer if isinstance(answer, dict) else None


def _refuse(constant: str) -> None:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(constant)


def _sandboxed(program: Program) -> subprocess.Popen[bytes]:
    fd = os.memfd_create("arena-filter") if program.filtered else None
    try:
        words = sandbox.bubblewrap((*sandbox.python_binds(), *program.binds), fd)
        if fd is not None:
            os.write(fd, filter_program())
            os.lseek(fd, 0, os.SEEK_SET)
        usual = (("HOME", "/"), ("LC_ALL", "C.UTF-8"), ("PYTHONUTF8", "1"))
        for name, value in (*usual, *program.environment):
            words += ["--setenv", name, value]
        return _start([*words, *interpreter(), *program.words], () if fd is None else (fd,))
    finally:
        if fd is not None:
            os.close(fd)


def interpreter() -> tuple[str, ...]:
    """Returns the interpreter with flags that isolate it from the user's environment."""
    return (sandbox.python(), "-S", "-s", "-B", *(("-P",) if sys.version_info >= (3, 11) else ()))


def serve(answer: Callable[[Message], Message]) -> None:
    """Main function of a worker: answers until its input ends. An exception becomes `{"error": ...}`."""
    memory, user = int(sys.argv[1]), int(sys.argv[2]) * (sys.argv[3:] != ["filter"])
    out = os.fdopen(os.dup(1), "wb")
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 1)  # output of the library must not count as an answer
    os.dup2(null, 2)  # or fill a pipe without a reader
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
        *(((resource.RLIMIT_NPROC, _PROCESSES),) if user else ()),  # without a user of its own, all of ours count
    ):
        resource.setrlimit(limit, (value, value))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if sys.argv[3:] == ["filter"]:
        seccomp.confine()

    def say(message: Message) -> None:
        out.write(json.dumps(message).encode() + b"\n")
        out.flush()

    say({"ready": True})
    for line in sys.stdin:
        message = json.loads(line)
        # If the parent is gone, nothing else would stop a computation that hangs.
        signal.setitimer(signal.ITIMER_REAL, message["seconds"] + 5)
        try:
            reply = answer(message)
        except MemoryError:
            os._exit(1)  # a fresh process is asked again: this one may be full of what it was asked before
        except (Exception, RecursionError) as error:  # noqa: BLE001  the library may raise anything
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        signal.setitimer(signal.ITIMER_REAL, 0)
        say(reply)
