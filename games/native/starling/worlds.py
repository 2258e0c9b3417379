"""Makes and plays worlds in workers.

A world is named by numbers, and textworld makes it in the worker that plays it, so none is stored. The worker runs in
the sandbox of `games.verifiers` if bubblewrap can run, within limits on memory, files and time, and receives only
commands that it listed itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from games.errors import InfrastructureError, MissingPackage
from games.sanitize import clean
from games.verifiers.workers import Program, SandboxedWorkers, library

_SECONDS = 60.0


class World(NamedTuple):
    """What names a world: its skill, level and number."""

    skill: str
    level: int
    number: int


class Scene(NamedTuple):
    """What the player sees after some commands. `commands` are those that can be given now; () at the end."""

    goal: str
    happened: str
    room: str
    carried: str
    score: int
    points: int
    won: bool
    lost: bool
    commands: tuple[str, ...]


def require() -> None:
    """Raises MissingPackage without textworld."""
    if importlib.util.find_spec("textworld") is None:
        raise MissingPackage("starling-v1", "textworld", "'selfplay-arena[textworld]'")


@lru_cache(4096)
def scene(world: World, commands: tuple[str, ...]) -> Scene:
    """Returns the scene of a world after these commands, each of which it listed. Raises InfrastructureError."""
    reply = _asked(world, commands)
    goal, happened, room, carried = (clean(str(reply[name])) for name in ("goal", "happened", "room", "carried"))
    listed = tuple(clean(str(command)) for command in reply["commands"])
    score, points = int(reply["score"]), int(reply["points"])
    return Scene(goal, happened, room, carried, score, points, bool(reply["won"]), bool(reply["lost"]), listed)


def walkthrough(world: World) -> tuple[str, ...]:
    """Returns commands that win a world with every point. Raises InfrastructureError."""
    return tuple(map(str, _asked(world, ())["walkthrough"]))


def _asked(world: World, commands: tuple[str, ...]) -> Mapping[str, Any]:
    reply = _workers().ask(world._asdict() | {"commands": commands}, _SECONDS)
    if reply is None or "room" not in reply:
        why = f"it ran longer than {_SECONDS:g} s" if reply is None else str(reply.get("error", ""))[:200]
        raise InfrastructureError(f"textworld did not answer: {clean(why)}")
    return reply


@cache
def _workers() -> SandboxedWorkers:
    return SandboxedWorkers(_program)


def _program() -> Program:
    """With this environment, textworld's sets have the same order in every process."""
    made = library("games.native.starling._child", "textworld")
    usual = (*made.environment, ("PYTHONHASHSEED", "0"), ("PYTHONWARNINGS", "ignore"))
    return replace(made, environment=usual, bare=True)
