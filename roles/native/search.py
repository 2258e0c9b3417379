"""The reader of search-v1; its proposer and solvers are in `proposer_solver`.

Search Self-play (Lu et al. 2025, arXiv 2510.18821) lets the solver itself do the RAG check. Here it is a role of its
own, so that its baseline is; one policy may play both.
"""

from __future__ import annotations

from roles.native.tagged import TaggedRole
from roles.reward_kind import verdict
from roles.rewards.credit import task_set
from roles.types import Scored


class Reader(TaggedRole):
    """Answers a question from given documents, without searching; credited with the exact match (SSP, 2510.18821)."""

    name = "reader"
    reward_kind = verdict()

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the proposer's question."""
        return task_set(episode)
