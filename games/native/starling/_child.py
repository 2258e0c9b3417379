"""The worker process of starling-v1: it makes worlds with textworld and plays them by textworld's rules.

A question names the world by numbers and all commands so far. A worker keeps the last worlds with what was played in
them; if the commands go on from there it plays the rest, else all of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.native.starling._described import carried, happened, room
from games.native.starling._make import make
from games.verifiers.workers import Message, serve

LONGEST_WALKTHROUGH = 20
_TRIES = 10


def answer(message: Message) -> Message:
    """Returns what the player sees after these commands, or the walkthrough and the points of a world."""
    played = _opened(message["skill"], message["level"], message["number"])
    return played.after(list(message["commands"])) | {"walkthrough": played.walkthrough}


class Play:
    """A world of textworld, and the commands played in it."""

    def __init__(self, game: Any, walkthrough: list[str]) -> None:
        from textworld.generator.inform7 import Inform7Game

        self.game, self.walkthrough = game, walkthrough
        self._commands_of = Inform7Game(game).gen_commands_from_actions
        self._restart()

    def _restart(self) -> None:
        from textworld.generator.game import GameProgression

        self._now = GameProgression(self.game)
        self._done: list[str] = []
        self._score, self._happened = 0, ""

    def after(self, commands: list[str]) -> Message:
        """Returns the scene after these commands; its `commands` are those that can be given now."""
        if commands[: len(self._done)] != self._done:
            self._restart()
        for command in commands[len(self._done) :]:
            self._step(command)
        over, infos = self._now.done, self.game.infos
        return {
            "goal": self.game.objective,
            "happened": self._happened,
            "room": room(self._now.state, infos),
            "carried": carried(self._now.state, infos),
            "score": self._score,
            "points": self.game.max_score,
            "won": self._now.completed,
            "lost": self._now.failed,
            "commands": [] if over else sorted(set(self._commands_of(self._now.valid_actions))),
        }

    def _step(self, command: str) -> None:
        actions = self._now.valid_actions
        action = actions[self._commands_of(actions).index(command)]
        self._now.update(action)
        self._done.append(command)
        earlier, self._score = self._score, self._now.score
        points = "\nYour score has gone up by one point." * (self._score > earlier)
        self._happened = happened(command, action, self._now.state, self.game.infos) + points


@lru_cache(256)
def _opened(skill: str, level: int, number: int) -> Play:
    """Returns the first world of the number whose walkthrough is short and wins it with every point."""
    for attempt in range(_TRIES):
        play = Play(*make(skill, level, number, attempt))
        if 0 < len(play.walkthrough) <= LONGEST_WALKTHROUGH and _wins(play):
            return play
    raise RuntimeError(f"no world of {skill} on level {level} can be won in {LONGEST_WALKTHROUGH} commands")


def _wins(play: Play) -> bool:
    try:
        scene = play.after(play.walkthrough)
    except ValueError:  # a command that is not possible
        return False
    return bool(scene["won"]) and scene["score"] == scene["points"]


if __name__ == "__main__":
    import textworld  # noqa: F401  the import takes seconds: before the worker says that it is ready

    serve(answer)
