"""Owners of leases: a process, identified by host, process id and start time, so that dead ones are recognised."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from games.errors import InfrastructureError

_GONE = "ZXx"
"""states of a terminated process on Linux"""


def new_owner() -> str:
    """Return a name for this process as an owner of leases, different at every call."""
    start = _start(os.getpid()) or ""
    return f"{socket.gethostname()}:{os.getpid()}#{_place()}.{start}.{secrets.token_hex(3)}"


def is_dead(owner: str) -> bool:
    """Returns whether an owner was a process of this machine that has ended. False if that cannot be determined."""
    name, _, rest = owner.rpartition("#")
    place, _, rest = rest.partition(".")
    start = rest.partition(".")[0]
    pid = name.rpartition(":")[2]
    if not start or place != _place() or not pid.isdecimal():
        return False
    return _start(int(pid)) != start


@functools.cache
def _place() -> str:
    """Return an id of this machine's boot and of the container; "" on other systems than Linux."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    return hashlib.sha256(f"{boot}{space}".encode()).hexdigest()[:12]


def _start(pid: int) -> str | None:
    """Return the start time of a living process in clock ticks since boot; None if there is no such process."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in _GONE else fields[18]


log = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], object], every: float, failure: str) -> Iterator[None]:
    """Call `beat` at fixed intervals in a thread until the context ends.

    A failed call is logged as `failure` and the next one is tried: if a lease expires, at worst a match is played twice
    and one of its results is dropped.
    """
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(every):
            try:
                beat()
            except InfrastructureError as error:
                log.warning("%s: %s", failure, error)

    thread = threading.Thread(target=work, name="arena-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
