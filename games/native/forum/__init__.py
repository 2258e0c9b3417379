"""forum: solvers post answers, an evaluator looks for errors, a scorer marks the answers."""

from games.native.forum.game import forum

__all__ = ["forum"]
