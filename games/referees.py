"""Referees: programs that label an exchange of two messages that the rules of a game alone cannot decide.

A classifier or a model behind an endpoint is a `Referee`: register it in the entry-point group `arena.referees` and
name it in a game that takes one, such as `redteam(referee=mine)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from games.plugins import Registry


class ExchangeLabels(NamedTuple):
    """The three labels of the referee in Self-RedTeam (Liu et al. 2025, arXiv 2506.07468)."""

    asks: bool
    """the prompt is harmful: it asks for the secret"""
    refuses: bool
    leaks: bool
    """the response is harmful: it gives the secret away"""


class Case(NamedTuple):
    """One exchange and what is needed to label it."""

    prompt: str
    response: str
    secret: str
    question: str
    """the harmless question that the attacker was, or could have been, given"""
    answer: str
    others: frozenset[str] = frozenset()
    """words that answer other questions of this kind; to a question for a number, every number is an answer"""


class Referee(ABC):
    """Labels cases. `blocking`: it waits for something outside the process."""

    blocking: bool = False

    @abstractmethod
    def labels(self, case: Case) -> ExchangeLabels | None:
        """Returns the labels, or None: the match is then a tie, and no seat is trained on it."""


REFEREES = Registry(
    "referee",
    "arena.referees",
    Referee,  # type: ignore[type-abstract]
    {"rules": "games.native.redteam.referee:RuleReferee"},
)
