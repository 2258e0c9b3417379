"""The worker process of starling-v1: it plays the compiled story file of a world with textworld's interpreter.

The interpreter is a native library with global state, so one game is open at a time. A question names the world and all
commands so far: a worker that has this game open plays the rest, any other worker plays all of them.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

from games.verifiers.workers import Message, serve

_STATUS = re.compile(r"\s*>\s*(?:-= .* =-\s*\d+/\d+\s*)?$", re.DOTALL)
_END = re.compile(r"\s*\*\*\* (?:The End|You lost!) \*\*\*.*", re.DOTALL)
_BLANK = re.compile(r"\s*\n\s*")
_open: dict[str, Any] = {}


def answer(message: Message) -> Message:
    """What the player sees after these commands; its `commands` are those that have an effect now."""
    return scene(message["story"], list(message["commands"]))


def scene(story: str, commands: list[str]) -> Message:
    """The scene of a world after these commands."""
    state = _state(story, commands)
    over = bool(state.won or state.lost)
    return {
        "goal": _plain(state.objective),
        "happened": _plain(_END.sub("", _STATUS.sub("", state.feedback))),
        "room": _plain(state.description),
        "carried": _plain(state.inventory),
        "score": int(state.score),
        "points": int(state.max_score),
        "won": bool(state.won),
        "lost": bool(state.lost),
        "commands": [] if over else list(state.admissible_commands),
    }


def policy(story: str) -> list[str]:
    """The commands that win, as textworld finds them before the first move."""
    import textworld

    _close()
    _use_library_in_place()
    game = textworld.start(story, textworld.EnvInfos(policy_commands=True))
    commands = list(game.reset().policy_commands)
    game.close()
    return commands


def _state(story: str, commands: list[str]) -> Any:
    done = _open.get("commands", [])
    if _open.get("story") != story or commands[: len(done)] != done:
        _start(story)
        done = []
    for command in commands[len(done) :]:
        _open["state"], _, _ = _open["game"].step(command)
        _open["commands"].append(command)
    return _open["state"]


def _start(story: str) -> None:
    import textworld

    _close()
    _use_library_in_place()
    wanted = textworld.EnvInfos(
        description=True, inventory=True, admissible_commands=True, score=True, max_score=True, won=True, lost=True,
        objective=True,
    )  # fmt: skip
    game = textworld.start(story, wanted)
    game.seed(1)
    _open.update(story=story, commands=[], game=game, state=game.reset())


def _close() -> None:
    if "game" in _open:
        _open["game"].close()
    _open.clear()


def _use_library_in_place() -> None:
    """Jericho loads a copy of its library from a temporary folder; the sandbox cannot write, and needs no copy."""
    import jericho.jericho as library

    folder = str(library.JERICHO_PATH)
    library.tempfile = SimpleNamespace(TemporaryDirectory=lambda: nullcontext(folder))
    library.shutil = SimpleNamespace(copyfile=lambda source, target: target)


def _plain(text: str | None) -> str:
    """The text with one line for each paragraph."""
    return _BLANK.sub("\n", text or "").strip()


if __name__ == "__main__":
    import textworld  # noqa: F401  the import takes seconds: before the worker says that it is ready

    serve(answer)
