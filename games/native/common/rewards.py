"""The published rewards of one match, as functions of its facts, with their sources.

q: the quality of the question, p: the share of the solvers that solve it, s: the score of one answer, all from 0 to 1;
f: the format reward of `tags`. Rewards that need a whole batch (clusters, percentiles) are in `roles.rewards`; those of
redteam are in its package.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from games.game import Seat

QUALITY = 0.7
"""below this quality a question is not stored, and its difficulty earns nothing (MAE)"""
MAE_FORM = 0.5
"""the share of a solver's reward that is for the format (MAE)"""
BETA = LAMBDA = 0.1
"""the coefficients of Vision-Zero's clue rewards"""


def judged(score: int) -> float:
    """A judge's score from 1 to 10 as a number from 0 to 1: (score - 1) / 9 (MAE)."""
    return min(1.0, max(0.0, (score - 1) / 9))


def mae_proposer(q: float, p: float | None, f: float, *, has_question: bool = True, gate: float = QUALITY) -> float:
    """(q + (1 - p) + f) / 3, with 0 for the middle term if q < gate or p is None; 0 without a question.

    Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), GeneralIORewardManager.
    """
    if not has_question:
        return 0.0
    hard = 0.0 if p is None or q < gate else 1.0 - p
    return (q + hard + f) / 3


def mae_solver(s: float, f: float, form: float = MAE_FORM) -> float:
    """(1 - form) s + form f, where MAE's share of the format is a half."""
    return (1.0 - form) * s + form * f


def mae_judge(f: float, agreement: float | None = None, share: float = 0.1) -> float:
    """The format reward, as published; with an `agreement` with known answers a `share` of it.

    The rest is 0 for an agreement by half, which marks at random have, and 1 for a whole one.
    """
    return f if agreement is None else share * f + (1.0 - share) * (2.0 * agreement - 1.0)


def balanced(agrees: float, kind: object, kinds: Sequence[object]) -> float:
    """The agreement of a judgement on a thing of this `kind`, if each of two kinds weighs half: n / (2 n_kind), or 0.

    A constant judgement then agrees by half on average, whatever the shares of the kinds. If all are of one kind, there
    is nothing to tell apart, and every judgement agrees by half.
    """
    same = sum(k == kind for k in kinds)
    return 0.5 if same == len(kinds) else agrees * len(kinds) / (2 * same)


def balanced_batch(agrees: Sequence[float], kinds: Sequence[object]) -> list[float]:
    """`balanced` of each judgement of a batch; counts the kinds once."""
    weights = {kind: balanced(1.0, kind, kinds) for kind in set(kinds)}
    one_kind = len(weights) == 1
    return [0.5 if one_kind else agreed * weights[kind] for agreed, kind in zip(agrees, kinds, strict=True)]


def azr_solver(verdict: str) -> float:
    """1 for a right answer, -0.5 for a well-formed wrong answer, -1 for an unreadable one.

    Absolute Zero (Zhao et al. 2025, arXiv 2505.03335). A program that fails or does not terminate counts as wrong.
    """
    return {"pass": 1.0, "invalid": -1.0}.get(verdict, -0.5)


def azr_proposer(p: float | None, *, flat: float = -0.5) -> float:
    """1 - p; `flat` for p = 0 and p = 1; -1 for an invalid task (None). flat: 0 in the paper, -0.5 in its code."""
    if p is None:
        return -1.0
    return 1.0 - p if 0.0 < p < 1.0 else flat


def r_zero_challenger(share: float | None, *, scale: float = 2.0) -> float:
    """scale * min(s, 1 - s) of the majority's share s, which is 1 - 2 |s - 1/2| for scale 2; -1 for no question (None).

    R-Zero (Huang et al. 2025, arXiv 2508.05004): scale 2 in the paper, 1 in its code. The role sees the batch and
    subtracts the share of it that asks the same.
    """
    return -1.0 if share is None else scale * min(share, 1.0 - share)


def r_zero_solver(right: bool, f: float) -> float:
    """0.9 for the majority's answer plus 0.1 for the format (R-Zero)."""
    return 0.9 * right + 0.1 * f


def spy_clues(spy_votes: int, civilian_votes: Sequence[int]) -> tuple[float, tuple[float, ...]]:
    """The clue rewards of the spy and of each civilian, which sum to 0.

    With psi = votes for the spy - mean votes for a civilian: -beta psi for the spy, beta psi / n - lambda (v - mean)
    for each of n civilians with v votes. Vision-Zero (Wang et al. 2025, arXiv 2509.25541), beta = lambda = 0.1.
    """
    n = len(civilian_votes)
    mean = sum(civilian_votes) / n
    psi = spy_votes - mean
    return -BETA * psi, tuple(BETA * psi / n - LAMBDA * (v - mean) for v in civilian_votes)


def spy_vote(right: bool | None, form: bool) -> float:
    """The reward of a vote: +-0.3 for its form, 1.2 times (1 right, -0.5 nobody, -1 wrong), and 0.99 more if right.

    `right` is None for a vote for nobody (Vision-Zero, the decision phase of its code).
    """
    judged = -0.5 if right is None else 1.0 if right else -1.0
    return (0.3 if form else -0.3) + 1.2 * judged + (0.99 if right else 0.0)


def comas(score: int | None) -> tuple[float, float, float]:
    """The rewards of solver, evaluator and scorer for one answer: n, 1 - n, 0 with n = (score - 1) / 2.

    The score is 1 to 3; without one (None) the rewards are 0, 0, -1. CoMAS (Xue et al. 2025, arXiv 2510.08529).
    """
    if score is None:
        return 0.0, 0.0, -1.0
    n = (score - 1) / 2
    return n, 1.0 - n, 0.0


def by_truth(score: int | None, right: bool, kinds: Sequence[bool]) -> tuple[float, float, float]:
    """The rewards of solver, evaluator and scorer for one answer, if the correct answer is known.

    The solver gets 1 for a correct answer. Evaluator and scorer get 2 a - 1, where a is the `balanced` agreement of the
    mark: 1 for a 3 on a correct answer or a 1 on a wrong one, 1/2 for a 2; -1 for the scorer without a mark. `kinds`:
    whether each answer of the match is correct.
    """
    if score is None:
        return float(right), 0.0, -1.0
    agrees = (score - 1) / 2 if right else (3 - score) / 2
    paid = 2 * balanced(agrees, right, kinds) - 1
    return float(right), paid, paid


def sides(poser: Seat, solvers: Sequence[Seat], p: float | None, threshold: float) -> dict[Seat, float]:
    """1 for a poser that plays against the solvers if 0 < p <= threshold, else -1; the solvers share the opposite."""
    sign = 1.0 if p is not None and 0.0 < p <= threshold else -1.0
    return {poser: sign} | dict.fromkeys(solvers, -sign / len(solvers))


def mean(values: Sequence[float]) -> float | None:
    """The mean; None without values."""
    return fmean(values) if values else None
