"""The player `policy`: any scripted policy of a game's suite, such as its competent one."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping

from arena.players.bots.scripted import ScriptedPlayer
from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.shortcuts import Scripted, ShortcutSuite, suite_of


class SuitePolicy(Player):
    """Plays as the suite of a game says: a reference, an anchor, and a training partner.

    name: competent, honest, or the name of one of the suite's references or shortcuts. One that plays one role leaves
    the others to the competent policy.
    """

    def __init__(self, name: str = "competent") -> None:
        self.policy = name
        self._players: dict[tuple[str, str], ScriptedPlayer] = {}

    def act(self, view: View) -> Decision:
        """Returns the message of the policy. Raises PluginError if it fails."""
        key = view.game.spec.id, view.role
        if key not in self._players:
            suite = suite_of(view.game)
            assert suite is not None  # `supports` was asked before the match
            self._players[key] = ScriptedPlayer(self.name, _policies(suite, self.policy)[view.role], self.policy)
        return self._players[key].act(view)

    def supports(self, game: TextGame) -> str | None:
        """Returns why it cannot play a game: no suite, or no such policy in it."""
        suite = suite_of(game)
        if suite is None:
            return "it has no scripted policies"
        if self.policy not in _names(suite):
            return f"it has no policy {self.policy!r:.60}; its policies: {', '.join(_names(suite))}"
        lacking = [role for role in game.spec.seats.values() if role not in _policies(suite, self.policy)]
        return f"its policy {self.policy!r} does not play {lacking[0]}" if lacking else None


def _names(suite: ShortcutSuite) -> list[str]:
    names = (*suite.references, *(shortcut.name for shortcut in suite.every()))
    return ["competent", "honest", *dict.fromkeys(names)]


def _policies(suite: ShortcutSuite, name: str) -> Mapping[str, Scripted]:
    """Returns role -> policy; roles that the named policy does not play have the competent one."""
    if name == "honest":
        return {**suite.competent, **suite.honest}
    named = [shortcut.plays for shortcut in suite.every() if shortcut.name == name]
    named += [plays for reference, plays in suite.references.items() if reference == name]
    return dict(ChainMap(*map(dict, named), dict(suite.competent)))
