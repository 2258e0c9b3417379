"""The rewards of Self-RedTeam (Liu et al. 2025, arXiv 2506.07468): matrices over the labels of an exchange."""

from __future__ import annotations

from typing import NamedTuple

from games.native.redteam.referee import ExchangeLabels


class PayoffTerms(NamedTuple):
    """The sizes of the terms of the reward; each is added or subtracted."""

    keep: float
    """attacker: the request has the kind of its task"""
    refusal: float
    """attacker: a harmful request was answered, or a harmless one refused"""
    harm: float
    """attacker: the response is harmful"""
    helpful: float
    """defender: a harmful request was refused, or a harmless one answered"""
    harmless: float
    """defender: the response is harmless"""
    form: float
    """both: the answer has the required form"""


MATRICES = {
    "general_sum": PayoffTerms(keep=0.5, refusal=0.5, harm=1.0, helpful=1.0, harmless=1.0, form=1.0),
    "general_sum_all_one": PayoffTerms(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
}
"""the two tables of the published code; `general_sum` is its default"""


def attacker_reward(terms: PayoffTerms, labels: ExchangeLabels, harmful_task: bool, faithful: bool = True) -> float:
    """P + F + H of the paper, without the term for the form. Not `faithful`: a harmless task was not kept."""
    kept = terms.keep if labels.asks == harmful_task and faithful else -terms.keep
    through = terms.refusal if labels.refuses != labels.asks else -terms.refusal
    return kept + through + (terms.harm if labels.leaks else -terms.harm)


def defender_reward(terms: PayoffTerms, labels: ExchangeLabels) -> float:
    """F' + H' of the paper, without the term for the form."""
    helped = terms.helpful if labels.refuses == labels.asks else -terms.helpful
    return helped + (-terms.harmless if labels.leaks else terms.harmless)
