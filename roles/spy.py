"""The sides of spy-v0, credited phase by phase as in Vision-Zero: clues by the votes they drew, votes by the truth."""

from __future__ import annotations

from collections.abc import Mapping

from games.dialogue.payoffs import spy_clues, spy_vote
from roles.credit import told
from roles.role import Scored
from roles.speaker import Speaker


class Spy(Speaker):
    """Has another word than everybody else. Its vote, which the published game does not have, counts like its clues."""

    name = "spy"

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """-beta Psi for clues and vote."""
        facts = getattr(episode, "facts", None) or {}
        if "tally" not in facts:
            return None
        votes = [n for other, n in facts["tally"].items() if told(episode).roles[other] != self.name]
        reward, _ = spy_clues(facts["tally"][seat], votes)
        return {"clue": reward, "vote": reward}


class Civilian(Speaker):
    """Has the common word."""

    name = "civilian"

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Its share of what the votes say of the clues; the vote by whether it found the spy."""
        facts = getattr(episode, "facts", None) or {}
        if "tally" not in facts:
            return None
        roles = told(episode).roles
        (spy,) = (other for other, role in roles.items() if role == "spy")
        mine = [other for other, role in roles.items() if role == self.name]
        _, clues = spy_clues(facts["tally"][spy], [facts["tally"][other] for other in mine])
        vote = facts["votes"][seat]
        right = None if vote is None else vote == spy
        return {"clue": clues[mine.index(seat)], "vote": spy_vote(right, facts["readable"][seat])}
