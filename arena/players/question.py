"""A question to a player outside its matches, such as to write a note or a behaviour tree."""

from __future__ import annotations

from collections.abc import Mapping

from arena.players.composite import ask
from arena.players.player import Player, View
from arena.records import Decision
from games import GameSpec, Observation, TextGame
from games.errors import IllegalAction

SEAT = "writer"


class Question(TextGame):
    """A game of one seat and one turn whose answer is free text."""

    def __init__(self, name: str, rules: str, text: str) -> None:
        self.spec = GameSpec(f"{name}-v0", {SEAT: "player"}, "general_sum", rules, 1, rated=False)
        self._text, self._answer = text, ""

    def reset(self, seed: int) -> None:
        """Forget the answer."""
        self._answer = ""

    @property
    def acting(self) -> tuple[str, ...]:
        """The writer, until it has answered."""
        return () if self._answer else (SEAT,)

    def observe(self, seat: str) -> Observation:
        """Returns the question."""
        return Observation(self._text)

    def legal(self, seat: str) -> tuple[str, ...] | None:
        """Returns any text."""
        return None if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        """Take the answer."""
        if set(actions) != {SEAT} or not self.acting:
            raise IllegalAction(f"only {SEAT} answers, once")
        self._answer = actions[SEAT]

    def returns(self) -> Mapping[str, float]:
        """Nothing is at stake."""
        return {SEAT: 0.0}

    def examples(self, seat: str) -> tuple[str, ...]:
        """Returns a text."""
        return ("I do not know",)


async def put(player: Player, question: Question, seed: int, rejected: tuple[Decision, ...] = ()) -> Decision:
    """Returns the player's answer to a question. `rejected` are earlier answers that could not be used."""
    return await ask(player, View(question, SEAT, "player", None, seed, 0, rejected))
