"""math-duel-v0: a challenger asks, solvers answer, and the majority decides."""

from games.native.math_duel.game import MathDuelGame

__all__ = ["MathDuelGame"]
