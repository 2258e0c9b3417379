"""Roles of language models: the prompt of each turn, the parsing of answers and the credit for training.

Write a role as a subclass of `Role`, offer it with `@register("name")` and check it with `check("name")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from roles.registry import ids, make, register
from roles.reward_kind import RewardKind, outcome, preference, verdict
from roles.role import Role
from roles.types import Answer, ChatMessage, Exchange, Memory, ParseError, Rejected, Scored

if TYPE_CHECKING:
    from games.conformance import Report

__all__ = [
    "Answer",
    "ChatMessage",
    "Exchange",
    "Memory",
    "ParseError",
    "Rejected",
    "RewardKind",
    "Role",
    "Scored",
    "check",
    "ids",
    "make",
    "outcome",
    "preference",
    "register",
    "verdict",
]


def check(id: str | Role) -> Report:
    """Run the conformance kit on a role id or a role. In a test: `roles.check("poet").raise_if_failed()`."""
    from roles.conformance import check_role

    return check_role(id)
