"""A player that follows a scripted policy of a game's suite of shortcuts."""

from __future__ import annotations

from arena.players.player import Player, View
from arena.records import Decision
from games.errors import PluginError
from games.plugins import culprit
from games.shortcuts import Scripted, ScriptedTurn


class ScriptedPlayer(Player):
    """Plays as `policy` says, from the observation alone. `label` names the policy in messages, by default `name`.

    A policy that fails makes the match void, because it is a fault of the suite and not a bad move.
    """

    def __init__(self, name: str, policy: Scripted, label: str = "") -> None:
        self.name, self._policy, self._label = name, policy, label or name
        self.failure = ""
        """why the policy failed last; "" if it did not"""

    def act(self, view: View) -> Decision:
        """Returns the policy's message. Raises PluginError if the policy fails."""
        observation = view.observation
        reading = (observation.text, observation.phase, view.rng, view.legal, view.game.data(view.seat))
        turn = ScriptedTurn(view.seat, view.role, *reading, view.game)
        try:
            message: object = self._policy(turn)
        except Exception as error:  # any code of a plugin
            place = culprit(error)
            why = f"{type(error).__name__}: {error}{place and f' ({place})'}"
            self.failure = f"{self._label} failed as {view.role}: {why}"
            raise PluginError(self.failure) from error
        if not isinstance(message, str):
            self.failure = f"{self._label} returned {message!r:.60} as {view.role}; a policy returns a text"
            raise PluginError(self.failure)
        return Decision(message)
