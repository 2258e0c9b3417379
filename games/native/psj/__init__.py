"""psj: a proposer asks, solvers answer, judges score both."""

from games.native.psj.game import psj

__all__ = ["psj"]
