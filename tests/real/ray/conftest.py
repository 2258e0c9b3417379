"""A Ray cluster of several small nodes on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from arena.runner.ray.cluster import SLOW, STARTS

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

MEMORY = 80 << 20
"""bytes of object store per node, Ray's minimum"""


class Nodes:
    """A head without room for workers, and nodes with room for one worker each that a test can kill."""

    def __init__(self, size: int) -> None:
        from ray.cluster_utils import Cluster

        self._cluster: Any = Cluster()
        self._start(num_cpus=0, include_dashboard=False)
        self.alive = [self.add() for _ in range(size)]
        self._cluster.wait_for_nodes()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self) -> Any:
        return self._start(num_cpus=1)

    def _start(self, **options: Any) -> Any:
        """Start a node. On an overloaded machine this may need several attempts."""
        for left in reversed(range(STARTS)):
            try:
                return self._cluster.add_node(object_store_memory=MEMORY, **options)
            except Exception as error:
                if SLOW not in str(error) or not left:
                    raise
        raise AssertionError

    def kill(self, worker: str) -> None:
        """Kill the node of a worker (`host/node:process`)."""
        (node,) = [n for n in self.alive if n.node_id.startswith(worker.partition("/")[2].partition(":")[0])]
        self._cluster.remove_node(node, allow_graceful=False)
        self.alive.remove(node)

    def restore(self, size: int) -> None:
        while len(self.alive) < size:
            self.alive.append(self.add())
        self._cluster.wait_for_nodes()

    def shutdown(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="session")
def _nodes() -> Iterator[Nodes]:
    import ray

    nodes = Nodes(2)
    try:
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.fixture
def nodes(_nodes: Nodes) -> Nodes:
    _nodes.restore(2)
    return _nodes
