"""search-v0: a proposer searches and asks, solvers search and answer, a reader checks the question."""

from games.native.search.game import SearchGame

__all__ = ["SearchGame"]
