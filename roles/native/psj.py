"""The judge of psj; its proposer and solvers are in `proposer_solver`."""

from __future__ import annotations

from roles.native.tagged import TaggedRole
from roles.reward_kind import outcome
from roles.rewards.credit import task_set
from roles.types import Scored


class Judge(TaggedRole):
    """Scores questions and answers.

    Its credit is the game's own reward: in psj a tenth for the format, the rest for agreement beyond chance, and the
    format alone (as in MAE) in psj(rules=published).
    """

    name = "judge"
    reward_kind = outcome(0.1)  # a true verdict in the right form earns 1, a false one -0.8

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the question that the judge marks."""
        return task_set(episode)
