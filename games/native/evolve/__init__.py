"""evolve: an evolver changes a task after solvers tried it, and solvers answer the new task."""

from games.native.evolve.game import evolve

__all__ = ["evolve"]
