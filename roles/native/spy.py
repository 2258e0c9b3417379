"""The roles of spy, credited as in Vision-Zero: clues by the votes they attract, votes by whether they are right.

A clue also costs what its quality is worth. A vote for nobody earns at most what a random vote does: among seven or
more players abstaining paid more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.native.common.rewards import spy_clues, spy_vote
from roles.native.tagged import Speaker
from roles.reward_kind import outcome
from roles.rewards.credit import with_facts
from roles.types import Scored


class Spy(Speaker):
    """Has a different word. The published game has no vote of the spy; here it is credited like its clues."""

    name = "spy"
    reward_kind = outcome(0.0)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """-beta psi for clues and vote."""
        facts = getattr(episode, "facts", None) or {}
        if "tally" not in facts:
            return None
        votes = [n for other, n in facts["tally"].items() if with_facts(episode).roles[other] != self.name]
        reward, _ = spy_clues(facts["tally"][seat], votes)
        return {"clue": reward - _cost(facts, seat), "vote": reward}


class Civilian(Speaker):
    """Has the common word."""

    name = "civilian"
    reward_kind = outcome(0.0)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Returns the clue reward of the seat, and the reward of its vote by whether it found the spy."""
        facts = getattr(episode, "facts", None) or {}
        if "tally" not in facts:
            return None
        roles = with_facts(episode).roles
        (spy,) = (other for other, role in roles.items() if role == "spy")
        mine = [other for other, role in roles.items() if role == self.name]
        _, clues = spy_clues(facts["tally"][spy], [facts["tally"][other] for other in mine])
        vote = facts["votes"][seat]
        right = None if vote is None else vote == spy
        judged = spy_vote(right, facts["readable"][seat])
        if right is None:
            judged = min(judged, facts.get("blind_vote", judged))
        return {"clue": clues[mine.index(seat)] - _cost(facts, seat), "vote": judged}


def _cost(facts: Mapping[str, Any], seat: str) -> float:
    """Returns what the clues of a seat cost by their quality; nothing in a closed game."""
    return float(facts.get("clue_costs", {}).get(seat, 0.0))
