"""Runs inside the sandbox, around the hostile program; its text is handed to `python -c`, so standard library only.

The job comes marshalled on standard input. Every call of the program is a forked child with a pipe of its own, so that
no state goes from call to call and nothing a program prints can pass for a result; what comes out of the pipe is handed
on as bytes and judged outside. One frame for each call: index, status, number, length, bytes.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import struct
import sys
import time
from _json import encode_basestring_ascii as quoted

TYPE_CHECKING = False  # typing, json, signal and contextlib would triple the time to start
if TYPE_CHECKING:
    from typing import Any

    Job = dict[str, Any]

_KILL, _CPU = 9, 24  # SIGKILL, SIGXCPU
FRAME = struct.Struct("<IcII")
EXITED, SIGNALLED, TIMEOUT, OVERFLOW, READY = b"x", b"s", b"t", b"o", b"r"


def main() -> None:
    with os.fdopen(0, "rb", closefd=False) as file:
        job = marshal.loads(file.read())
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 2):
        os.dup2(null, fd)
    confine(job)
    os.set_inheritable(1, False)
    os.write(1, FRAME.pack(0, READY, 0, 0))
    for i, call in enumerate(job["calls"]):
        status, number, data = supervise(job, call)
        frame = FRAME.pack(i, status, number, len(data)) + data
        while frame:
            frame = frame[os.write(1, frame) :]


def confine(job: Job) -> None:
    """Give up root where the sandbox was started as root, and set the limits that forked children inherit."""
    if job["uid"]:
        os.setgroups([])
        os.setresgid(job["uid"], job["uid"], job["uid"])
        os.setresuid(job["uid"], job["uid"], job["uid"])
    for limit, value in (
        (resource.RLIMIT_AS, job["memory"]),
        (resource.RLIMIT_FSIZE, job["scratch"]),
        (resource.RLIMIT_NPROC, job["processes"] + 2),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def supervise(job: Job, call: Any) -> tuple[bytes, int, bytes]:
    """Fork one call, wait for it within the limits, kill whatever it leaves behind."""
    deadline = time.monotonic() + job["wall"]
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        run(job, call, writer)
    os.close(writer)
    data, status = collect(pid, reader, deadline, job["output"])
    killed = clear()
    _, code, used = os.wait4(pid, 0)
    while killed and time.monotonic() < deadline + 5:
        time.sleep(0.0005)
        killed = clear()
    os.close(reader)
    ended = os.WTERMSIG(code) if os.WIFSIGNALED(code) else 0
    if status is None and (ended == _CPU or used.ru_utime + used.ru_stime >= job["cpu"]):
        status = TIMEOUT
    if status is not None:
        return status, 0, b""
    return (SIGNALLED, ended, b"") if ended else (EXITED, os.WEXITSTATUS(code), data)


def clear() -> bool:
    """Kill every process but init and ourselves: what a program started dies with it. False where there was none."""
    try:
        os.kill(-1, _KILL)
    except ProcessLookupError:
        return False
    return True


def collect(pid: int, reader: int, deadline: float, most: int) -> tuple[bytes, bytes | None]:
    """The bytes a child wrote and None, or nothing and why it was stopped."""
    data = b""
    handle = os.pidfd_open(pid)
    os.set_blocking(reader, False)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.register(reader, select.POLLIN)
    try:
        while True:
            left = deadline - time.monotonic()
            ready = dict(poll.poll(max(0, left * 1000))) if left > 0 else {}
            if not ready:
                return b"", TIMEOUT
            if reader in ready:
                chunk = read(reader)
                data += chunk
                if len(data) > most:
                    return b"", OVERFLOW
                if not chunk:
                    poll.unregister(reader)
            elif handle in ready:
                return data, None
    finally:
        os.close(handle)


def read(fd: int) -> bytes:
    try:
        return os.read(fd, 1 << 16)
    except BlockingIOError:
        return b""


def run(job: Job, call: Any, writer: int) -> None:
    """The child: never returns. Whatever hostile code does to this process, it can only spoil its own answer."""
    os.setsid()
    os.dup2(writer, 3)
    os.closerange(4, 64)
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 1))
    if job["mode"] == "script":
        status = script(job["program"], call)
    else:
        os.dup2(2, 1)  # nobody listens to what a function prints
        out = function(job["program"], job["name"], call)
        while out:
            out = out[os.write(3, out) :]
        status = 0
    os._exit(status)


def script(program: str, text: str) -> int:
    """Run a program with `text` as its input; what it prints is its result."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.write(writer, text.encode())
    os.close(writer)
    os.dup2(reader, 0)
    os.dup2(3, 1)
    os.closerange(3, 64)
    status = 0
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001  hostile code may raise anything
        status = 1
    try:
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001  hostile code may raise anything
        status = status or 1
    return status & 255


def function(program: str, name: str, call: list[Any]) -> bytes:
    """`name(*call)` of a program as one line of JSON: what it returned, or why it did not."""
    try:
        code = compile(program, "<program>", "exec")
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _said("invalid", f"it does not compile: {type(error).__name__}")
    try:
        space: dict[str, Any] = {"__name__": "__program__"}
        args = [decode(a) for a in call]
        exec(code, space)
        if not callable(space.get(name)):
            return _said("invalid", f"it defines no function {name}")
        value = space[name](*args)
        try:
            return b'{"value":' + text(encode(value)).encode() + b"}"
        except (TypeError, ValueError, RecursionError) as error:
            return _said("invalid", str(error)[:200])
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _said("raised", type(error).__name__[:80])


def _said(kind: str, what: str) -> bytes:
    return f"{{{quoted(kind)}:{quoted(what)}}}".encode()


def text(data: Any) -> str:
    """What `encode` made, as JSON."""
    if isinstance(data, str):
        return quoted(data)
    if isinstance(data, list):
        return f"[{','.join(map(text, data))}]"
    if isinstance(data, dict):
        return f"{{{','.join(f'{quoted(k)}:{text(v)}' for k, v in data.items())}}}"
    return "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)


def encode(value: Any, depth: int = 0) -> Any:
    """Plain data as JSON; everything but lists, numbers, texts, booleans and None is tagged."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        if value - value != 0:
            raise ValueError("it returned a number that is not finite")
        return value
    if depth > 50:
        raise ValueError("what it returned is nested deeper than 50")
    if kind is list:
        return [encode(v, depth + 1) for v in value]
    if kind is tuple:
        return {"tuple": [encode(v, depth + 1) for v in value]}
    if kind in (set, frozenset):
        return {"set": [encode(v, depth + 1) for v in value]}
    if kind is dict:
        return {"dict": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    raise TypeError(f"it returned a {kind.__name__[:80]}, not plain data")


def decode(data: Any) -> Any:
    """The value `encode` wrote."""
    if isinstance(data, list):
        return [decode(d) for d in data]
    if isinstance(data, dict):
        ((tag, items),) = data.items()
        if tag == "dict":
            return {decode(k): decode(v) for k, v in items}
        return {"tuple": tuple, "set": set}[tag](decode(d) for d in items)
    return data


if __name__ == "__main__":
    main()
