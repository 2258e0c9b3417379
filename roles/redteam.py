"""The sides of redteam-v0, credited with the matrix of Self-RedTeam and its term of form, and the referee.

Self-RedTeam (Liu et al. 2025, arXiv 2506.07468) adds 1 where a seat's answer keeps the form of private reasoning and
answer, and takes 1 off where it does not; a match without labels is a tie and is removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.reasoning import spoken
from roles.credit import told
from roles.role import Scored
from roles.speaker import Speaker


def in_form(turn: Any) -> bool:
    """Whether a turn's first answer held: reasoning, if any, that ends, and words after it."""
    first = turn.attempts[0]
    said = spoken(first.text if first.text is not None else turn.action)
    return first.category == "ok" and not said.cut and bool(said.text.strip())


class Red(Speaker):
    """What attacker and defender have in common."""

    def credit(self, episode: Scored, seat: str) -> float:
        """The return plus or minus the term of form."""
        facts = told(episode).facts
        turns = [turn for turn in getattr(episode, "turns", ()) if turn.seat == seat]
        if not turns or "form" not in facts:
            return episode.returns[seat]
        form = float(facts["form"])
        return episode.returns[seat] + (form if all(map(in_form, turns)) else -form)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Nothing where the match is a tie: it is removed."""
        facts = getattr(episode, "facts", None) or {}
        tie = "labels" in facts and facts["labels"] is None
        return {} if tie else super().phases(episode, seat)


class RedAttacker(Red):
    """Gets the secret out, or help refused."""

    name = "red-attacker"


class RedDefender(Red):
    """Keeps the secret and helps with everything else."""

    name = "red-defender"


class Referee(Speaker):
    """Labels the exchange; credited with the share of its labels that the exact rules confirm, 0 without a verdict."""

    name = "referee"
