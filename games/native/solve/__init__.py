"""solve-v0: solvers answer one task of a task source."""

from games.native.solve.game import SolveGame

__all__ = ["SolveGame"]
