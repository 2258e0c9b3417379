"""The papers that roles come from, for `arena roles` and `arena info`. docs/papers.md says what differs."""

from __future__ import annotations

from games.papers import papers_of_game
from roles.native import NATIVE, PAPERS, game_of

NO_PAPER = frozenset({"chat-agent"})
"""roles that come from no paper: chat-agent plays the environments of other libraries"""


def papers_of_role(id: str) -> tuple[str, ...]:
    """Returns name and arXiv id of each paper that a role comes from; () for a role without a paper, or of a plugin."""
    return papers_of_game(game_of(id)) if id in NATIVE and id not in PAPERS else PAPERS.get(id, ())
