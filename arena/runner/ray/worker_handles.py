"""The driver's handles on the workers: Ray's actors, their state and their batch sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.runner.ray.cluster import capacity
from arena.runner.ray.config import RayConfig
from arena.runner.ray.played_batch import PlayedBatch
from arena.runner.ray.worker import RayWorker, Ready
from arena.runner.ray.worker_spec import WorkerSpec
from games import InputError

SHORT, LONG = 0.1, 0.5
"""seconds: a shorter batch doubles the worker's batch size, a longer one halves it"""
MAX_BATCH = 1024
NOTICE_EVERY = 30.0
"""seconds between notices that the cluster has no room yet"""
GRACE = 5.0
"""seconds that workers have to remove their files before they are killed"""


@dataclass(eq=False)
class WorkerHandle:
    """One worker."""

    actor: Any
    name: str = "a worker"
    alive: bool = False
    batch_size: int = 1
    in_flight: int = 0
    pending_ready: Any = None
    """reference of the `ready` call that ends when the worker has started"""
    exclusive: bool = False
    """plays one suspect match and receives no other"""

    def room(self, concurrency: int) -> int:
        """Returns how many more matches to send. The next batch already waits at the worker when a batch ends."""
        return 0 if self.exclusive else max(0, max(concurrency, 2 * self.batch_size) - self.in_flight)

    def adapt(self, matches: int, played: PlayedBatch) -> None:
        """Adapt the batch size to the duration of a batch of this many matches."""
        if played.seconds < SHORT:
            self.batch_size = min(MAX_BATCH, max(self.batch_size, 2 * matches))
        elif played.seconds > LONG:
            self.batch_size = max(1, self.batch_size // 2)


def start_workers(spec: WorkerSpec, cluster: RayConfig) -> list[WorkerHandle]:
    """Start the workers. Ray restarts a worker that dies, on any node with room for it."""
    import ray

    # Ray repeats `ready` until a restarted worker answers; it does not repeat batches, which go to other workers.
    RayWorker.ready = ray.method(max_task_retries=-1)(RayWorker.ready)  # type: ignore[method-assign]
    actor_class = ray.remote(RayWorker).options(
        num_cpus=cluster.cpus,
        num_gpus=cluster.gpus,
        resources=cluster.resources or None,
        max_restarts=-1,
        max_concurrency=1 << 14,
        scheduling_strategy="SPREAD",
    )
    return [WorkerHandle(actor_class.remote(spec)) for _ in range(cluster.actors or capacity(cluster))]


def wait_for_first(workers: Sequence[WorkerHandle], notify: Callable[[str], None]) -> Ready:
    """Wait until one worker has started. Raises InputError if its players cannot be created."""
    import ray

    pending = [worker.actor.ready.remote() for worker in workers]
    while not (started := ray.wait(pending, num_returns=1, timeout=NOTICE_EVERY)[0]):
        notify("waiting for room for a worker in the Ray cluster; `ray status` shows what occupies it")
    ready: Ready = ray.get(started[0])
    if ready.problem:
        raise InputError(ready.problem)
    return ready


def stop_workers(workers: Sequence[WorkerHandle]) -> None:
    """Let live workers remove their files, then kill all workers."""
    import ray

    leaving = [worker.actor.leave.remote() for worker in workers if worker.alive]
    if leaving:
        ray.wait(leaving, num_returns=len(leaving), timeout=GRACE)
    for worker in workers:
        ray.kill(worker.actor)
