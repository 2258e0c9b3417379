"""The rewards of refine, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean


def critic(verdict_right: bool | None, refined: Sequence[bool], weight: float, handed_over: bool) -> float:
    """1[verdict right] + weight * mean refined accuracy; -1 for a critique that hands the answer over.

    The two terms are those of RefCritic (Tang et al. 2025, arXiv 2507.15024). An unreadable verdict (None) earns 0 in
    the first one.
    """
    if handed_over:
        return -1.0
    return float(bool(verdict_right)) + weight * (fmean(refined) if refined else 0.0)


def refiner(first: bool, refined: bool, bonus: float) -> float:
    """r2 + bonus (r2 - r1): the reward of SCoRe's second attempt (Kumar et al. 2024, arXiv 2409.12917; bonus 10).

    r1 is the correctness of the answer that was refined. The bonus is not paid to the first answer, which would earn it
    by failing.
    """
    return refined + bonus * (refined - first)


def sneaky(accepted: bool | None) -> float:
    """1 if the critic accepts the wrong answer. -1 if it does not, and also if no wrong answer was written (None).

    SPC (Chen et al. 2025, arXiv 2504.19162).
    """
    return 1.0 if accepted else -1.0
