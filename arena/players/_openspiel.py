"""What the bots that search or solve share: the OpenSpiel position of a match, and the way back to its actions."""

from __future__ import annotations

from typing import Any

from arena.match.records import Decision
from arena.players.player import View


def perfect(game: Any) -> bool:
    """Whether nothing is hidden in a `pyspiel.Game`."""
    import pyspiel

    return bool(game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION)


def decision(view: View, text: str) -> Decision:
    """An OpenSpiel action text as the action of the view's game, which may be another library's with its own words."""
    translate = getattr(view.game, "from_openspiel", None)
    return Decision(translate(text) if translate else text)
