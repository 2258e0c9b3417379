"""The Rational Speech Acts model as a player of pragmatic-v0: a reference, an anchor and a training partner."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Gt, Interval

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.native.common import tags
from games.native.pragmatic.scripted import listens, speaks
from games.shortcuts import ScriptedTurn


class SpeechActsPlayer(Player):
    """Plays both seats of pragmatic-v0 at one level of the model: L_level as listener, S_level as speaker.

    level: 0 is the literal listener L0, and a speaker that gives any string. alpha: how strongly a speaker prefers
    better examples. After Pu et al. 2020 (arXiv 2007.05060); exact, from the observation alone.
    """

    def __init__(self, level: Annotated[int, Interval(ge=0, le=3)] = 1, alpha: Annotated[float, Gt(0)] = 4.0) -> None:
        self._policies = {"speaker": speaks(level, alpha), "listener": listens(level, alpha)}

    def act(self, view: View) -> Decision:
        """Returns a string or a letter; in a closed game without a tag."""
        observation = view.observation
        text = self._policies[view.role](
            ScriptedTurn(view.seat, view.role, observation.text, observation.phase, view.rng, view.legal)
        )
        return Decision(text if view.legal is None else tags.read(text, "answer").content or "")

    def supports(self, game: TextGame) -> str | None:
        """Returns why it cannot play a game: it is not pragmatic-v0."""
        return None if set(game.spec.seats.values()) == {"speaker", "listener"} else "it only plays pragmatic-v0"
