"""The papers that roles come from, for `arena roles` and `arena info`. docs/papers.md says what differs."""

from __future__ import annotations

from games.papers import papers_of_game
from roles.native import GAMES, PAPERS

NO_PAPER = frozenset({"chat-agent"})
"""roles that come from no paper: chat-agent plays the environments of other libraries"""


def papers_of_role(id: str) -> tuple[str, ...]:
    """Returns name and arXiv id of each paper that a role comes from; () for a role without a paper, or of a plugin."""
    return papers_of_game(GAMES[id]) if id in GAMES else PAPERS.get(id, ())
