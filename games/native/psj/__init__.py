"""psj: a proposer asks, solvers answer, judges score both."""

from games.native.psj.game import PSJGame, PublishedPSJGame

__all__ = ["PSJGame", "PublishedPSJGame"]
