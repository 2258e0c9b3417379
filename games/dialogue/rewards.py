"""The published rewards of one match, as functions of what was established in it. Sources at each.

q: the question's quality, p: the share of solvers that solve it, s: the score of one answer, all from 0 to 1; f: the
format reward of `tags`. What needs a whole batch (clusters, percentiles) is in `roles`.
"""

from __future__ import annotations

from statistics import fmean

QUALITY = 0.7
"""below this quality a question is not stored and its difficulty pays nothing (MAE)"""


def judged(score: int) -> float:
    """A judge's score from 1 to 10 as a number from 0 to 1: (score - 1) / 9 (MAE)."""
    return min(1.0, max(0.0, (score - 1) / 9))


def mae_proposer(q: float, p: float | None, f: float, *, has_question: bool = True, gate: float = QUALITY) -> float:
    """(q + (1 - p) + f) / 3; without the middle term below the gate or where nothing was solved; 0 without a question.

    Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), GeneralIORewardManager.
    """
    if not has_question:
        return 0.0
    hard = 0.0 if p is None or q < gate else 1.0 - p
    return (q + hard + f) / 3


def mae_solver(s: float, f: float) -> float:
    """s / 2 + f / 2 (MAE)."""
    return 0.5 * s + 0.5 * f


def mae_judge(f: float, agreement: float | None = None) -> float:
    """The format alone, as published; with an `agreement` with known truths, half of each."""
    return f if agreement is None else 0.5 * f + 0.5 * agreement


def azr_solver(verdict: str) -> float:
    """1 for a right answer, -0.5 for a well-formed wrong one, -1 for none.

    Absolute Zero (Zhao et al. 2025, arXiv 2505.03335). A program that does not come back or fails counts as wrong.
    """
    return {"pass": 1.0, "invalid": -1.0}.get(verdict, -0.5)


def azr_proposer(p: float | None, *, flat: float = -0.5) -> float:
    """1 - p, `flat` for p = 0 and p = 1, -1 for an invalid task (None). flat: 0 in the paper, -0.5 in its code."""
    if p is None:
        return -1.0
    return 1.0 - p if 0.0 < p < 1.0 else flat


def r_zero_challenger(share: float | None, *, scale: float = 2.0) -> float:
    """scale * min(s, 1 - s) of the majority's share s, which is 1 - 2 |s - 1/2| for scale 2; -1 for no question (None).

    R-Zero (Huang et al. 2025, arXiv 2508.05004): scale 2 in the paper, 1 in its code. The share of the batch that
    asks the same is taken off by the role, which sees the batch.
    """
    return -1.0 if share is None else scale * min(share, 1.0 - share)


def r_zero_solver(right: bool, f: float) -> float:
    """0.9 for the majority's answer, 0.1 for the form (R-Zero)."""
    return 0.9 * right + 0.1 * f


def mean(values: list[float]) -> float | None:
    """The mean, None of nothing."""
    return fmean(values) if values else None
