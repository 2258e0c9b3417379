"""Published rewards of whoever poses a task, as functions of the share p of solvers that solve it, from 0 to 1."""

from __future__ import annotations

import math


def gaussian(p: float, *, mu: float = 0.5, sigma: float = 0.2) -> float:
    """Socratic-Zero (arXiv 2509.24726): exp(-(p - mu)^2 / (2 sigma^2)), the utility of a task solved at rate p."""
    return math.exp(-((p - mu) ** 2) / (2 * sigma**2))


def gap(p: float) -> float:
    """eva (arXiv 2411.00062): the largest reward of the samples minus the smallest, for rewards of 0 and 1."""
    return float(0.0 < p < 1.0)


def band(p: float, *, low: float = 0.05, high: float = 0.75) -> float:
    """WebRL (arXiv 2411.02337): 1 for a task within the limits of its filter, else 0."""
    return float(low <= p <= high)


def hard(p: float) -> float:
    """PromptCoT 2.0 (arXiv 2509.19894): 1 if fewer than half of the solvers are right, but not none of them, else 0.

    The paper leaves out problems that are solved in at least half of eight attempts. Nothing is learned from a task
    that nobody solves, so it earns nothing either.
    """
    return float(0.0 < p < 0.5)
