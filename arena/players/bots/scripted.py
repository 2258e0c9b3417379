"""A player that follows a scripted policy of a game's suite of shortcuts."""

from __future__ import annotations

from arena.players.player import Player, View
from arena.records import Decision
from games.shortcuts import Scripted, ScriptedTurn


class ScriptedPlayer(Player):
    """Plays as `policy` says, from the observation alone."""

    def __init__(self, name: str, policy: Scripted) -> None:
        self.name, self._policy = name, policy

    def act(self, view: View) -> Decision:
        """The policy's message."""
        seen = view.observation
        return Decision(self._policy(ScriptedTurn(view.seat, view.role, seen.text, seen.phase, view.rng, view.legal)))
