"""Ray itself: the cluster that is joined, or started on this machine, and what each worker takes of it."""

from __future__ import annotations

import logging
import os
import socket
from dataclasses import dataclass, field

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
    try:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else a warning at each start without GPU
        import ray
    except ModuleNotFoundError:
        raise MissingPackage('workers = "ray"', "ray", "'selfplay-arena[ray]'") from None
    if ray.is_initialized():
        return False
    address = cluster.address or os.environ.get("RAY_ADDRESS") or None
    if address and address != "auto":
        _reach(address)
    local = {} if address else {"include_dashboard": False, "object_store_memory": OBJECT_STORE}
    for left in reversed(range(STARTS)):
        try:
            ray.init(address=address, logging_level=logging.ERROR, **local)
            break
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"ray: no cluster at {address!r}: {reason}; start one with: ray start --head") from None
        except Exception as error:
            if SLOW not in str(error):  # Ray has no class of its own for it
                raise
            ray.shutdown()
            if not left:
                raise InfrastructureError(f"Ray did not start on this machine, which is overloaded: {error}") from None
    return True


def _reach(address: str) -> None:
    """See that somebody listens at `host:port`: Ray itself would try for two minutes. Raises InputError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(f"ray: address {address!r} is not like host:6379, nor auto")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"ray: nobody answers at {address}: {error}; start a cluster with: ray start --head") from None


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
