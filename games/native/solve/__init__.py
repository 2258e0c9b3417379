"""solve: solvers answer one task of a task source."""

from games.native.solve.game import PublishedSolveGame, SolveGame

__all__ = ["PublishedSolveGame", "SolveGame"]
