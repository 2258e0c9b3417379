"""Ray itself: the cluster that is joined, or started on this machine, and what each worker takes of it."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from games import InputError
from games.errors import InfrastructureError, MissingPackage

OBJECT_STORE = 256 << 20
"""bytes of shared memory of a cluster that is started here; weights and episodes pass through it"""

STARTS, SLOW = 3, "timed out during startup"
"""On an overloaded machine Ray gives its own start up after 30 seconds; it is tried so many times."""


@dataclass(frozen=True)
class Cluster:
    """Where the workers run and what one takes."""

    address: str = ""
    """of a running cluster: `auto`, `host:6379`; "": that of RAY_ADDRESS, else one is started on this machine"""
    actors: int | None = None
    """workers; None: as many as there is room for now"""
    cpus: float = 1.0
    gpus: float = 0.0
    """of each worker; 0.5 puts two engines on one GPU"""
    resources: dict[str, float] = field(default_factory=dict)
    """further resources of each worker, as the nodes name them"""


def connect(cluster: Cluster) -> bool:
    """Join or start Ray. Returns whether it was started here, to be ended by `disconnect`.

    Raises MissingPackage, InputError where there is nothing at the address.
    """
    if find_spec("ray") is None:
        raise MissingPackage('workers = "ray"', "ray", "'selfplay-arena[ray]'")
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        return False
    address = cluster.address or os.environ.get("RAY_ADDRESS") or None
    if address and address != "auto":
        _reach(address)
        if "RAY_AUTH_MODE" not in os.environ and _has_token() and _wants_token(address):
            os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else a warning at each start without GPU
    import ray

    local = {} if address else {"include_dashboard": False, "object_store_memory": OBJECT_STORE}
    for left in reversed(range(STARTS)):
        try:
            ray.init(address=address, logging_level=logging.ERROR, **local)
            break
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                f"ray: no cluster at {address!r}: {reason}; start one with: ray start --head, and where it asks for a "
                "token, bring the head's ~/.ray/auth_token here"
            ) from None
        except Exception as error:
            if SLOW not in str(error):  # Ray has no class of its own for it
                raise
            ray.shutdown()
            if not left:
                raise InfrastructureError(f"Ray did not start on this machine, which is overloaded: {error}") from None
    return True


def _has_token() -> bool:
    """Whether this machine has a token for clusters that ask for one, where Ray looks for it."""
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or "~/.ray/auth_token"
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or Path(path).expanduser().is_file()


def _wants_token(address: str) -> bool:
    """Whether a cluster refuses who brings no token.

    Ray 2.60 brings one by itself to the address "auto" alone, and brought to a cluster that wants none it breaks.
    """
    ask = "from ray.scripts.scripts import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", ask, "status", "--address", address],
        env=os.environ | {"RAY_AUTH_MODE": "disabled"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as asked:
        for line in asked.stdout or ():
            if "Unauthenticated" in line:
                asked.kill()  # it would try for 20 seconds
                return True
    return False


def _reach(address: str) -> None:
    """See that something like Ray listens at `host:port`: Ray itself would try for two minutes. Raises InputError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(f"ray: address {address!r} is not like host:6379, nor auto")
    start = "start a cluster with: ray start --head"
    try:
        with socket.create_connection((host, int(port)), timeout=10) as line:
            speaks = _speaks_http2(line)
    except (OSError, OverflowError) as error:
        raise InputError(f"ray: nobody answers at {address}: {error}; {start}") from None
    if not speaks:
        raise InputError(f"ray: what listens at {address} is not Ray; {start}")


def _speaks_http2(line: socket.socket) -> bool:
    """Whether the other side answers HTTP/2's greeting with its settings (RFC 9113, 3.4), as every gRPC server does."""
    line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
    answer = b""
    try:
        while len(answer) < 4 and (more := line.recv(64)):
            answer += more
    except OSError:  # silent, or gone
        return False
    return len(answer) >= 4 and answer[3] == 4  # the type of its first frame


def disconnect() -> None:
    """Leave the cluster; one that was started here ends."""
    import ray

    ray.shutdown()


def room(cluster: Cluster) -> int:
    """How many workers the cluster has room for, were it idle. Raises InputError where it is none."""
    import ray

    wanted = {"CPU": cluster.cpus, "GPU": cluster.gpus, **cluster.resources}
    wanted = {name: amount for name, amount in wanted.items() if amount > 0}
    if not wanted:
        raise InputError("ray: a worker takes nothing of the cluster; set cpus, gpus or resources above 0, or actors")
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    fits = sum(min(int(has.get(name, 0.0) / amount + 1e-9) for name, amount in wanted.items()) for has in nodes)
    if not fits:
        need = ", ".join(f"{amount:g} {name}" for name, amount in wanted.items())
        raise InputError(f"ray: no node of the cluster has room for a worker, which takes {need}; see: ray status")
    return fits
