"""Matches over many machines: a runner with the face of `arena.runner.Runner` whose matches Ray's actors play."""

from arena.workers.crew import Crew, Recipe
from arena.workers.ray_runner import RayRunner

__all__ = ["Crew", "RayRunner", "Recipe"]
