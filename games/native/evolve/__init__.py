"""evolve-v0: an evolver changes a task after solvers tried it, and solvers answer the new task."""

from games.native.evolve.game import EvolveGame

__all__ = ["EvolveGame"]
