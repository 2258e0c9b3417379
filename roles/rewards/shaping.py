"""Shaping of rewards: guides that multiply them, penalties, and scaling over a batch."""

from __future__ import annotations

import math
from collections.abc import Sequence


def guided(reward: float, *guides: float) -> float:
    """Returns a reward times its guides: with a guide of 0 it is 0, however difficult the task."""
    return math.prod(guides, start=reward)


def sgs_guide(relevance: int, redundancy: int, complexity: int) -> float:
    """Returns the quality of a conjecture, 0 to 8: relevance (0 to 5), redundancy (0 or 1), complexity (0 to 4).

    0 if the complexity is 3 or 4, else max(0, relevance + (2 - complexity) + (1 - redundancy)).
    SGS (Bailey et al. 2026, arXiv 2604.20209). Raises ValueError for a score outside its range.
    """
    for name, score, most in (
        ("relevance", relevance, 5),
        ("redundancy", redundancy, 1),
        ("complexity", complexity, 4),
    ):
        if not 0 <= score <= most:
            raise ValueError(f"{name} must be a score from 0 to {most}, not {score!r}")
    if complexity >= 3:
        return 0.0
    return float(max(0, relevance + (2 - complexity) + (1 - redundancy)))


def min_max(rewards: Sequence[float]) -> list[float]:
    """Returns the rewards of a batch scaled to [0, 1] by their minimum and maximum (SGS); all 0 if they are equal."""
    low, high = min(rewards, default=0.0), max(rewards, default=0.0)
    if not high > low:
        return [0.0] * len(rewards)
    return [(r - low) / (high - low) for r in rewards]


def penalised(rewards: Sequence[float], penalties: Sequence[float]) -> list[float]:
    """Returns each reward minus its penalty, such as the share of equal answers in the batch (R-Zero)."""
    return [r - p for r, p in zip(rewards, penalties, strict=True)]
