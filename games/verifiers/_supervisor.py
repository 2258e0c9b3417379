"""Runs inside bubblewrap and gives every call of an untrusted program its own sandbox.

The source of this module is passed to `python -c`, so it uses the standard library only. There are three processes:

1. The first never reads its input. When a call arrives, it creates new namespaces (processes, mounts, kernel objects)
   with a second process inside, and waits until that exits. No data of one call is therefore in the memory from which
   the next call is forked.
2. The second is the init process of the namespaces. It reads the call, enforces its limits, writes one line of JSON and
   exits; the kernel then kills everything left in the namespaces.
3. The third becomes another user (if root), drops all privileges, leaves all frames above it, and runs the program.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Job = dict[str, Any]

_LIBC = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock, which the child needs
_CLONE = {"x86_64": 56, "aarch64": 220}
_NEW = 0x00020000 | 0x08000000 | 0x20000000 | 17  # CLONE_NEWNS, NEWIPC, NEWPID; SIGCHLD at the end
_DUMPABLE, _NO_NEW_PRIVS, _SECCOMP = 4, 38, 22  # of prctl
_CPU = 24  # SIGXCPU
_RESULT = 3  # the file descriptor for the answer of a call


class Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def main(setup: Job) -> list[Any]:
    """Serves calls until the input ends. Returns, with the program's arguments, only in a program's process."""
    rules = bytes.fromhex(setup["filter"])
    checked(_LIBC.prctl(_DUMPABLE, 0, 0, 0, 0), "prctl")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    clone = ctypes.PyDLL(None, use_errno=True).syscall
    clone.restype = ctypes.c_bool  # a bool: a process id would reveal to a later call how many came before
    number, raw = _CLONE[platform.machine()], ctypes.c_int()
    poll = select.poll()
    poll.register(0, select.POLLIN)
    gc.collect()
    gc.freeze()
    tell({"ready": True})
    while poll.poll()[0][1] & select.POLLIN:
        ctypes.set_errno(0)
        if not clone(number, _NEW, 0, 0, 0, 0):
            return init(rules)
        if ctypes.get_errno():
            tell({"error": f"new namespaces: {os.strerror(ctypes.get_errno())}"})
            break
        _LIBC.wait4(-1, ctypes.byref(raw), 0, None)
        if raw.value:  # killed before it could answer: by the system or, running as the same user, by the program
            tell({"status": "signalled", "number": 9, "data": ""})
    os._exit(0)


def init(rules: bytes) -> list[Any]:
    """Run one call as the init process of the new namespaces. Returns only in the process of the program."""
    answer: Job = {}
    try:
        job = heard()
        deadline = time.monotonic() + job["wall"]
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            become(job, rules, writer)
            return list(job["call"])
        os.close(writer)
        answer = supervise(child, reader, deadline, job)
    except OSError as error:
        answer = {"error": str(error)}
    tell(answer)
    os._exit(0)


def supervise(child: int, reader: int, deadline: float, job: Job) -> Job:
    """Wait for one call within its limits and return its outcome."""
    data, status = collect(child, reader, deadline, job["output"])
    if status:
        return {"status": status, "number": 0, "data": ""}
    _, raw, used = os.wait4(child, 0)
    signal = os.WTERMSIG(raw) if os.WIFSIGNALED(raw) else 0
    if signal == _CPU or used.ru_utime + used.ru_stime >= job["cpu"]:
        return {"status": "timeout", "number": 0, "data": ""}
    if signal:
        return {"status": "signalled", "number": signal, "data": ""}
    return {"status": "exited", "number": raw >> 8, "data": data.decode("latin-1")}


def collect(child: int, reader: int, deadline: float, most: int) -> tuple[bytes, str]:
    """Returns the bytes a call wrote and "", or b"" and the reason to stop it."""
    data = b""
    handle = os.pidfd_open(child)
    os.set_blocking(reader, False)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.register(reader, select.POLLIN)
    while True:
        left = deadline - time.monotonic()
        ready = dict(poll.poll(max(0, left * 1000))) if left > 0 else {}
        if not ready:
            return b"", "timeout"
        if reader in ready:
            chunk = os.read(reader, 1 << 16)
            data += chunk
            if len(data) > most:
                return b"", "overflow"
            if not chunk:
                poll.unregister(reader)
        elif handle in ready:
            return data, ""


def become(job: Job, rules: bytes, writer: int) -> None:
    """Become the process of a program: set limits, change user, drop privileges, install the system-call filter."""
    try:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for to, fd in ((0, null), (1, null), (2, null), (_RESULT, writer)):
            os.dup2(fd, to)
        os.closerange(_RESULT + 1, 256)
        overhead = 1 if job["uid"] else 4  # without a change of user, bubblewrap, supervisor and init count as well
        for limit, value in (
            (resource.RLIMIT_AS, job["memory"]),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_NPROC, overhead),
            (resource.RLIMIT_NOFILE, 64),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            resource.setrlimit(limit, (value, value))
        resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 1))
        if job["uid"]:
            os.setgroups([])
            os.setresgid(job["uid"], job["uid"], job["uid"])
            os.setresuid(job["uid"], job["uid"], job["uid"])
        nothing = (ctypes.c_uint32 * 6)()
        checked(_LIBC.capset((ctypes.c_uint32 * 2)(0x20080522, 0), nothing), "capset")
        checked(_LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
        checked(_LIBC.prctl(_SECCOMP, 2, ctypes.byref(Filter(len(rules) // 8, rules)), 0, 0), "seccomp")
    except (OSError, ValueError):
        os._exit(127)


def heard() -> Job:
    """Read one call: one line; nothing follows it before the answer."""
    data = bytearray()
    while not data.endswith(b"\n"):
        data += os.read(0, 1 << 20)
    job: Job = json.loads(data)
    return job


def tell(answer: Job) -> None:
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


def checked(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def enter(space: dict[str, Any], run: Any, call: list[Any]) -> None:
    """Run a program in a namespace that contains nothing of this module."""
    space.clear()
    run(*call)


if __name__ == "__main__":
    arguments = json.loads(sys.argv.pop())
    inside: dict[str, Any] = {"__name__": "arena_inside"}
    exec(compile(arguments.pop("inside"), "<verifier>", "exec"), inside)
    enter(globals(), inside["main"], main(arguments))
