"""math-duel: a challenger asks, solvers answer; the exact answer counts, or the majority decides."""

from games.native.math_duel.game import math_duel

__all__ = ["math_duel"]
