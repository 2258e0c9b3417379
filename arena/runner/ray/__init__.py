"""A runner on a Ray cluster."""

from arena.runner.ray.config import RayConfig
from arena.runner.ray.runner import RayRunner
from arena.runner.ray.worker_spec import WorkerPlayers, WorkerSpec

__all__ = ["RayConfig", "RayRunner", "WorkerPlayers", "WorkerSpec"]
