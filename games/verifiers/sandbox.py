"""The sandbox: bubblewrap with its own namespaces, no network, and nothing to read but Python itself.

Untrusted code runs as a user that exists nowhere else, without capabilities, behind a system-call filter, on a
read-only file system with the standard library and the C libraries. Its child processes die with it. Root creates the
namespaces with root's privileges and drops them before untrusted code runs; other users need unprivileged user
namespaces. `workers` starts the processes in the sandbox.
"""

from __future__ import annotations

import glob
import itertools
import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from games.errors import InputError
from games.verifiers.verdict import MissingProgram

_USERS = itertools.count(os.getpid() % 100_000 * 10_000)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one call of a program.

    `seconds` of processor time (rounded up), `wall` seconds of elapsed time (default: 4 times `seconds`), `memory`
    bytes of address space, and `output` bytes of result. A program starts no process and no thread.
    """

    seconds: float = 5.0
    wall: float = 0.0
    memory: int = 512 << 20
    output: int = 64 << 10

    def __post_init__(self) -> None:
        if not (0 < self.seconds <= 3600 and self.memory >= 64 << 20 and self.output > 0):
            raise InputError(f"limits need 0 < seconds <= 3600 and 64 MiB of memory, not {self}")

    @property
    def clock(self) -> float:
        """Seconds of elapsed time until a call is stopped."""
        return self.wall or 4 * self.seconds


def python() -> str:
    """Returns the interpreter for programs: the base interpreter, outside any virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def sandboxed_user() -> int:
    """Returns an unused user id, a different one for each sandbox, so that process limits apply per sandbox; or 0.

    0 means no change of user. Only root can change it, and root needs it: the kernel does not limit root's processes.
    """
    users = _free_users()
    return users[next(_USERS) % len(users)] if users else 0


@lru_cache(1)
def _free_users() -> range:
    """Returns unused user ids that root may switch to; empty for other users and for a root mapped to one id."""
    if os.getuid() != 0:
        return range(0)
    lines = Path("/proc/self/uid_map").read_text().split("\n")
    first, count = max(((int(f), int(n)) for f, _, n in (line.split() for line in lines if line)), key=lambda r: r[1])
    low, high = max(first, 1000), min(first + count, 1 << 31)
    return range(max(low, min(1_000_000, high // 2)), high)


def program(feature: str = "running untrusted programs") -> str:
    """Returns the path of bubblewrap. Raises MissingProgram."""
    path = shutil.which("bwrap")
    if path is None:
        raise MissingProgram(feature, "bwrap", "bubblewrap")
    return path


def bubblewrap(binds: Sequence[str], filter_fd: int | None) -> list[str]:
    """Returns the command line up to the program, with `binds` mounted read-only at their own paths.

    A program with a system-call filter gets that filter and, if started as root, the right to change user. A program
    without one is the supervisor, which also creates the namespaces of every call. Raises MissingProgram.
    """
    words = [program(), "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL", "--hostname", "sandbox"]
    if _free_users():
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    words += ["--cap-add", "CAP_SYS_ADMIN"] if filter_fd is None else ["--seccomp", str(filter_fd)]
    # Parent folders would get the permissions of the real ones, and only root may enter /root.
    for folder in dict.fromkeys(str(p) for path in binds for p in reversed(Path(path).parents[:-1])):
        words += ["--perms", "0755", "--dir", folder]
    for path in sorted(binds):  # a folder before its contents
        words += ["--ro-bind", path, path]
    for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
        words += ["--dev-bind", device, device]
    hidden = os.path.join(sysconfig.get_path("stdlib"), "site-packages")
    if os.path.isdir(hidden) and not any(path.startswith(hidden) for path in binds):
        words += ["--tmpfs", hidden, "--remount-ro", hidden]
    return [*words, "--perms", "0555", "--dir", "/tmp", "--remount-ro", "/", "--chdir", "/"]


@lru_cache(1)
def python_binds() -> tuple[str, ...]:
    """Returns the paths an interpreter needs: itself, its standard library, the C libraries and their loader."""
    several = str(sysconfig.get_config_var("MULTIARCH") or "")
    below = {"platbase": sys.base_exec_prefix}  # not the virtual environment's
    paths = [python(), sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib", vars=below)]
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        where = glob.escape(str(sysconfig.get_config_var("LIBDIR")))
        paths += glob.glob(f"{where}/libpython3*.so*")  # where Python was built, which this user may not enter
    paths += ["/lib64", f"/lib/{several}" if several else "/lib", f"/usr/lib/{several}" if several else "/usr/lib64"]
    return tuple(dict.fromkeys(path for path in paths if os.path.exists(path)))


def explain(line: str) -> str:
    """Translate an error of bubblewrap into a message for the user."""
    if "namespace" in line or "Operation not permitted" in line or "uid map" in line:
        who = "root lacks CAP_SYS_ADMIN" if os.getuid() == 0 else "unprivileged user namespaces are refused"
        return f"the sandbox cannot start: {who} on this machine ({line})"
    return f"the sandbox cannot start: {line}"
