"""What the bots that search or solve share: the way back from OpenSpiel's actions."""

from __future__ import annotations

from arena.match.records import Decision
from arena.players.player import View


def decision(view: View, text: str) -> Decision:
    """An OpenSpiel action text as the action of the view's game, which may be another library's with its own words."""
    return Decision(view.game.from_openspiel(text))
