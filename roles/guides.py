"""What a reward is multiplied by and what is taken from it, and how a batch brings rewards to one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence


def guided(reward: float, *guides: float) -> float:
    """A reward times its guides: one guide of 0 and nothing is left, however hard the task."""
    return math.prod(guides, start=reward)


def sgs_guide(relevance: int, redundancy: int, complexity: int) -> float:
    """How good a conjecture is, 0 to 8: relevance (0 to 5), not redundant (0, 1), a simple conclusion (0 to 4).

    0 where the conclusion's complexity is 3 or 4, else max(0, relevance + (2 - complexity) + (1 - redundancy)).
    SGS (Bailey et al. 2026, arXiv 2604.20209). Raises ValueError for a score outside its range.
    """
    for name, score, most in (
        ("relevance", relevance, 5),
        ("redundancy", redundancy, 1),
        ("complexity", complexity, 4),
    ):
        if not 0 <= score <= most:
            raise ValueError(f"{name} is a score from 0 to {most}, not {score!r}")
    if complexity >= 3:
        return 0.0
    return float(max(0, relevance + (2 - complexity) + (1 - redundancy)))


def min_max(rewards: Sequence[float]) -> list[float]:
    """Rewards of a batch brought to [0, 1] by the smallest and the largest (SGS); all 0 where they are all alike."""
    low, high = min(rewards, default=0.0), max(rewards, default=0.0)
    if not high > low:
        return [0.0] * len(rewards)
    return [(r - low) / (high - low) for r in rewards]


def less(rewards: Sequence[float], penalties: Sequence[float]) -> list[float]:
    """Each reward minus its penalty, such as the share of the batch that says the same (R-Zero)."""
    return [r - p for r, p in zip(rewards, penalties, strict=True)]
