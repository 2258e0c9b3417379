"""Who holds a lease: a process by its host, number and start, so that one that died on this machine is known."""

from __future__ import annotations

import functools
import hashlib
import os
import secrets
import socket
from pathlib import Path

_GONE = "ZXx"
"""states of a process that only waits to be buried, as Linux names them"""


def new_owner() -> str:
    """A name for this process as an owner of leases, different at every call."""
    start = _start(os.getpid()) or ""
    return f"{socket.gethostname()}:{os.getpid()}#{_place()}.{start}.{secrets.token_hex(3)}"


def is_dead(owner: str) -> bool:
    """Whether an owner was a process of this machine that has ended. False wherever that cannot be known from here."""
    name, _, rest = owner.rpartition("#")
    place, _, rest = rest.partition(".")
    start = rest.partition(".")[0]
    pid = name.rpartition(":")[2]
    if not start or place != _place() or not pid.isdecimal():
        return False
    return _start(int(pid)) != start


@functools.cache
def _place() -> str:
    """What tells this machine, since it was started, and the container in it from all others; "" off Linux."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    return hashlib.sha256(f"{boot}{space}".encode()).hexdigest()[:12]


def _start(pid: int) -> str | None:
    """When a living process was started, in ticks since the machine was; None if there is none."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in _GONE else fields[18]
