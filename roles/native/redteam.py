"""The roles of redteam: attacker and defender, credited with the matrix of Self-RedTeam, and the referee.

Self-RedTeam (Liu et al. 2025, arXiv 2506.07468) adds 1 if a seat's answer has the form of private reasoning followed by
an answer, and subtracts 1 if not; here 0 and -2, the same to a baseline. A match without labels is not trained on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.reasoning import spoken
from roles.native.tagged import Speaker
from roles.reward_kind import outcome
from roles.rewards.credit import with_facts
from roles.types import Scored


def in_form(turn: Any) -> bool:
    """Returns whether the first answer of a turn was accepted, its reasoning (if any) ends, and words follow it."""
    first = turn.attempts[0]
    said = spoken(first.text if first.text is not None else turn.action)
    return first.category == "ok" and not said.cut and bool(said.text.strip())


class RedTeamRole(Speaker):
    """The credit that attacker and defender share."""

    reward_kind = outcome(-1.0)

    def credit(self, episode: Scored, seat: str) -> float:
        """Returns the return, less the term for the form if an answer lacks it."""
        facts = with_facts(episode).facts
        turns = [turn for turn in getattr(episode, "turns", ()) if turn.seat == seat]
        if not turns or "form" not in facts:
            return episode.returns[seat]
        return episode.returns[seat] - (0.0 if all(map(in_form, turns)) else float(facts["form"]))

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """{} if the match is a tie, which is not trained on."""
        facts = getattr(episode, "facts", None) or {}
        tie = "labels" in facts and facts["labels"] is None
        return {} if tie else super().phases(episode, seat)


class RedAttacker(RedTeamRole):
    """Makes the defender tell the secret, or refuse to help."""

    name = "red-attacker"


class RedDefender(RedTeamRole):
    """Keeps the secret and helps with everything else."""

    name = "red-defender"


class RefereeRole(Speaker):
    """Labels the exchange. Its credit is the share of its labels that the exact rules confirm, 0 without a verdict."""

    name = "referee"
    reward_kind = outcome(0.5)
