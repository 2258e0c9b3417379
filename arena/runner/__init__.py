"""Runners play many matches at once: `LocalRunner` in this process, `arena.runner.ray.RayRunner` on a Ray cluster."""

from arena.runner.base import Runner, Sink, Source
from arena.runner.local import LocalRunner
from arena.runner.retries import RetryQueue

__all__ = ["LocalRunner", "RetryQueue", "Runner", "Sink", "Source"]
