"""Joins or starts a Ray cluster, and computes how many workers fit on it."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from arena.runner.ray.config import RayConfig
from games import InputError
from games.errors import InfrastructureError, MissingPackage

OBJECT_STORE = 256 << 20
"""bytes of shared memory of a cluster started here; it transports weights and episodes"""

STARTS, SLOW = 3, "timed out during startup"
"""On an overloaded machine Ray gives up its own start after 30 seconds. It is started at most STARTS times."""


def connect(cluster: RayConfig) -> bool:
    """Join or start a cluster. Returns whether the caller must call `disconnect`.

    Raises MissingPackage without Ray, InputError if no cluster answers at the address, InfrastructureError if Ray does
    not start.
    """
    if find_spec("ray") is None:
        raise MissingPackage('workers = "ray"', "ray", "'selfplay-arena[ray]'")
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        return False
    address = cluster.address or os.environ.get("RAY_ADDRESS") or None
    if address and address != "auto":
        _check_address(address)
        if "RAY_AUTH_MODE" not in os.environ and _has_token() and _requires_token(address):
            os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # prevents a warning at each start without GPU
    import ray

    local = {} if address else {"include_dashboard": False, "object_store_memory": OBJECT_STORE}
    for left in reversed(range(STARTS)):
        try:
            ray.init(address=address, logging_level=logging.ERROR, **local)
            break
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                f"ray: no cluster at {address!r}: {reason}; start one with: ray start --head; if it requires a "
                "token, copy ~/.ray/auth_token from the head to this machine"
            ) from None
        except Exception as error:
            if SLOW not in str(error):  # Ray has no exception class for it
                raise
            ray.shutdown()
            if not left:
                raise InfrastructureError(f"Ray did not start, this machine is overloaded: {error}") from None
    return True


def _has_token() -> bool:
    """Returns whether this machine has an authentication token in a place where Ray looks for it."""
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or "~/.ray/auth_token"
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or Path(path).expanduser().is_file()


def _requires_token(address: str) -> bool:
    """Returns whether a cluster refuses connections without a token.

    Ray 2.60 sends the token by itself only to the address "auto", and fails if the cluster does not expect one.
    """
    status = "from ray.scripts.scripts import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", status, "status", "--address", address],
        env=os.environ | {"RAY_AUTH_MODE": "disabled"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        for line in process.stdout or ():
            if "Unauthenticated" in line:
                process.kill()  # it retries for 20 seconds
                return True
    return False


def _check_address(address: str) -> None:
    """Raises InputError unless a gRPC server, such as Ray's, listens at `host:port`.

    Ray has no quick check of its own: given a port where another program listens, `ray.init` of Ray 2.60 still waits
    after 170 seconds.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(f"ray: address {address!r} is not like host:6379, nor auto")
    start = "start a cluster with: ray start --head"
    try:
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            is_server = _speaks_http2(connection)
    except (OSError, OverflowError) as error:
        raise InputError(f"ray: nobody answers at {address}: {error}; {start}") from None
    if not is_server:
        raise InputError(f"ray: what listens at {address} is not Ray; {start}")


def _speaks_http2(connection: socket.socket) -> bool:
    """Returns whether the server answers the HTTP/2 preface with its settings (RFC 9113, 3.4), as gRPC servers do."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
    answer = b""
    try:
        while len(answer) < 4 and (more := connection.recv(64)):
            answer += more
    except OSError:  # no answer in time, or the connection is closed
        return False
    return len(answer) >= 4 and answer[3] == 4  # SETTINGS, the type of the first frame


def disconnect() -> None:
    """Leave the cluster. A cluster that `connect` started ends."""
    import ray

    ray.shutdown()


def capacity(cluster: RayConfig) -> int:
    """Returns how many workers fit on the cluster when it is idle. Raises InputError if none does."""
    import ray

    demand = {"CPU": cluster.cpus, "GPU": cluster.gpus, **cluster.resources}
    demand = {name: amount for name, amount in demand.items() if amount > 0}
    if not demand:
        raise InputError("ray: a worker takes nothing of the cluster; set cpus, gpus or resources above 0, or actors")
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    fits = sum(min(int(has.get(name, 0.0) / amount + 1e-9) for name, amount in demand.items()) for has in nodes)
    if not fits:
        need = ", ".join(f"{amount:g} {name}" for name, amount in demand.items())
        raise InputError(f"ray: no node of the cluster has room for a worker, which takes {need}; see: ray status")
    return fits
