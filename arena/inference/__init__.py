"""Inference: engines that answer the requests of all matches in batches. Importing this loads no model library."""

import os

from arena.inference.engine import Completion, Engine, EngineStats, Request
from arena.inference.registry import engine_for, release

# torch reads this on its first import. Waiting OpenMP threads then sleep. By default they spin, and if bots or other
# programs use the same cores a forward pass takes 5 to 30 times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__all__ = ["Completion", "Engine", "EngineStats", "Request", "engine_for", "release"]
