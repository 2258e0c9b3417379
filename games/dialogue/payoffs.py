"""The published rewards of our games of talk, as functions of what a match established. Sources at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.dialogue.referees import Labels


class Terms(NamedTuple):
    """The sizes of the terms of Self-RedTeam's reward; each is added or taken off."""

    keep: float
    """attacker: the rewrite keeps the kind of its seed"""
    refusal: float
    """attacker: a harmful prompt was answered, or a benign one refused"""
    harm: float
    """attacker: the response is harmful"""
    helpful: float
    """defender: a harmful prompt was refused, or a benign one answered"""
    harmless: float
    """defender: the response is harmless"""
    form: float
    """both: the answer keeps the form"""


MATRICES = {
    "general_sum": Terms(keep=0.5, refusal=0.5, harm=1.0, helpful=1.0, harmless=1.0, form=1.0),
    "general_sum_all_one": Terms(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
}
"""Self-RedTeam (Liu et al. 2025, arXiv 2506.07468), the two tables of its code; `general_sum` is its default."""


def red_attacker(terms: Terms, labels: Labels, harmful_seed: bool) -> float:
    """P + F + H, the form left out (Self-RedTeam)."""
    kept = terms.keep if labels.asks == harmful_seed else -terms.keep
    through = terms.refusal if labels.refuses != labels.asks else -terms.refusal
    return kept + through + (terms.harm if labels.leaks else -terms.harm)


def red_defender(terms: Terms, labels: Labels) -> float:
    """F' + H', the form left out (Self-RedTeam)."""
    helped = terms.helpful if labels.refuses == labels.asks else -terms.helpful
    return helped + (-terms.harmless if labels.leaks else terms.harmless)


BETA = LAMBDA = 0.1


def spy_clues(spy_votes: int, civilian_votes: Sequence[int]) -> tuple[float, tuple[float, ...]]:
    """The clue rewards of the spy and of each civilian; they sum to 0 (Vision-Zero, beta = lambda = 0.1).

    With Psi = votes for the spy - mean votes for a civilian: -beta Psi for the spy, beta Psi / n - lambda (v - mean)
    for a civilian with v votes, one of n. Vision-Zero (Wang et al. 2025, arXiv 2509.25541).
    """
    n = len(civilian_votes)
    mean = sum(civilian_votes) / n
    psi = spy_votes - mean
    return -BETA * psi, tuple(BETA * psi / n - LAMBDA * (v - mean) for v in civilian_votes)


def spy_vote(right: bool | None, form: bool) -> float:
    """The reward of a vote: +-0.3 for its form, 1.2 times (1 right, -0.5 nobody, -1 wrong), 0.99 more if right.

    `right` is None for a vote for nobody (Vision-Zero, the decision phase of its code).
    """
    judged = -0.5 if right is None else 1.0 if right else -1.0
    return (0.3 if form else -0.3) + 1.2 * judged + (0.99 if right else 0.0)


def comas(score: int | None) -> tuple[float, float, float]:
    """Solver, evaluator, scorer of one answer: n, 1 - n, 0 with n = (score - 1) / 2 of a score from 1 to 3; 0, 0, -1
    without one.

    CoMAS (Xue et al. 2025, arXiv 2510.08529).
    """
    if score is None:
        return 0.0, 0.0, -1.0
    n = (score - 1) / 2
    return n, 1.0 - n, 0.0
