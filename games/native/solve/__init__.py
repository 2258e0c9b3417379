"""solve: solvers answer one task of a task source."""

from games.native.solve.game import solve

__all__ = ["solve"]
