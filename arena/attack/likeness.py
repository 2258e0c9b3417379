"""Tells a policy that does the task from one that earns without: by what the suite's players say in the same turns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.randomness import RandomStream, derive
from games.shortcuts import Scripted, ScriptedTurn, ShortcutSuite

_DRAWS = 8
"""messages that a player of the suite writes in one turn, with other random numbers"""
_SPELLING = re.compile(r"[\s()\[\]\"']")


class LikePlayers:
    """A policy that counts in how many of its turns it says what a player says that does the task.

    That is the competent player, or the random honest one in a turn in which it draws nothing: to guess as it does is
    no task done. Spaces, brackets, case and the last sign do not count. One message in all turns does no task either.
    """

    def __init__(self, play: Scripted, suite: ShortcutSuite, role: str) -> None:
        self._play, self._honest, self._competent = play, suite.honest[role], suite.competent[role]
        self.turns = self.alike = 0
        self._messages = set[str]()

    def __call__(self, turn: ScriptedTurn) -> str:
        """Plays one turn and compares it."""
        message = self._play(turn)
        self.turns += 1
        self._messages.add(_spelled(message))
        self.alike += _spelled(message) in self._of_players(turn)
        return message

    def _of_players(self, turn: ScriptedTurn) -> Iterable[str]:
        honest, competent = (
            {_spelled(player(turn._replace(stream=RandomStream(derive(n, "likeness"))))) for n in range(_DRAWS)}
            for player in (self._honest, self._competent)
        )
        return competent | honest if len(honest) == 1 else competent

    @property
    def whole(self) -> bool:
        """Whether all turns are alike, in more than one message."""
        return self.turns == self.alike and len(self._messages) > 1


def _spelled(text: str) -> str:
    return _SPELLING.sub("", text.casefold()).rstrip(".!?")
