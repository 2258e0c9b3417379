"""search: a proposer searches and asks, solvers search and answer, a reader checks the question."""

from games.native.search.game import search

__all__ = ["search"]
