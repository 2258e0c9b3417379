"""psj-v0: a proposer asks, solvers answer, judges score both."""

from games.native.psj.game import PSJGame

__all__ = ["PSJGame"]
