"""Makes worlds once, keeps them in the cache folder, and plays them in a sandboxed worker.

A world is compiled by a process of its own, which reads no text of a player. The interpreter is native code, so it runs
in the sandbox of `games.verifiers` if bubblewrap can run, within limits on memory, files and time, and receives only
commands that it listed itself.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from games.cache import cache_dir
from games.errors import InfrastructureError, MissingPackage
from games.sanitize import clean
from games.verifiers.workers import Program, SandboxedWorkers, library

FORMAT = 1
"""raise it if `_make` makes another world from the same numbers"""
MAKE_SECONDS, PLAY_SECONDS = 300.0, 60.0
_MAKING = threading.Lock()
"""held while a world is made: matches that begin together ask for the same one, and the others wait"""


class World(NamedTuple):
    """A compiled world: its story file, the commands that win it, and the points that they earn."""

    story: str
    walkthrough: tuple[str, ...]
    points: int


class Scene(NamedTuple):
    """What the player sees after some commands. `commands` are those that have an effect now; () at the end."""

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


@lru_cache(1)
def folder() -> Path:
    """Where the worlds of the installed textworld are kept."""
    return cache_dir() / "worlds" / f"textworld-{version('textworld')}-{FORMAT}"


@lru_cache(512)
def world(skill: str, level: int, number: int) -> World:
    """The world with this number, which is made if it is not in the cache. Raises InfrastructureError."""
    home = folder() / f"{skill}-{level}-{number}"
    about = home / "about.json"
    if not about.exists():
        with _MAKING:
            if not about.exists():  # no other match has made it meanwhile
                _make(home, skill, level, number)
    known = json.loads(about.read_text())
    return World(str(home / "world.z8"), tuple(known["walkthrough"]), int(known["points"]))


def _make(home: Path, skill: str, level: int, number: int) -> None:
    """Make a world in a folder beside, then rename it, so that processes never see half a world."""
    home.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".making-", dir=home.parent))
    try:
        words = ["-W", "ignore", "-m", "games.native.starling._make", str(made), skill, str(level), str(number)]
        done = subprocess.run(
            [sys.executable, *words], env=_environment(), capture_output=True, timeout=MAKE_SECONDS, text=True
        )
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise InfrastructureError(f"a world of {skill} could not be compiled: {clean(why)[:200]}")
        for path in (home.parent, made):  # the worker is another user, whatever the umask
            path.chmod(0o755)
        for path in made.iterdir():
            path.chmod(0o644)
        made.rename(home)
    except subprocess.TimeoutExpired:
        raise InfrastructureError(f"a world of {skill} was not compiled within {MAKE_SECONDS:g} s") from None
    except OSError as error:
        if not (home / "about.json").exists():  # else another process was faster
            raise InfrastructureError(f"a world of {skill} could not be stored in {home.parent}: {error}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _environment() -> Mapping[str, str]:
    """With it, textworld's sets have the same order in every process, and `games` can be imported."""
    ours = str(Path(__file__).parents[3])
    known = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": f"{ours}{os.pathsep}{known}" if known else ours}


@lru_cache(4096)
def scene(story: str, commands: tuple[str, ...]) -> Scene:
    """The scene of a world after these commands, each of which it listed. Raises InfrastructureError."""
    said = _workers(str(folder())).ask({"story": story, "commands": commands}, PLAY_SECONDS)
    if said is None or "room" not in said:
        why = f"it ran longer than {PLAY_SECONDS:g} s" if said is None else str(said.get("error", ""))[:200]
        raise InfrastructureError(f"the interpreter of textworld did not answer: {clean(why)}")
    return _scene(said)


def _scene(said: Mapping[str, Any]) -> Scene:
    goal, happened, room, carried = (clean(str(said[name])) for name in ("goal", "happened", "room", "carried"))
    commands = tuple(clean(str(command)) for command in said["commands"])
    score, points = int(said["score"]), int(said["points"])
    return Scene(goal, happened, room, carried, score, points, bool(said["won"]), bool(said["lost"]), commands)


@lru_cache(4)
def _workers(worlds: str) -> SandboxedWorkers:
    return SandboxedWorkers(lambda: _program(worlds))


def _program(worlds: str) -> Program:
    made = library("games.native.starling._child", "textworld")
    usual = (*made.environment, ("PYTHONHASHSEED", "0"), ("PYTHONWARNINGS", "ignore"))
    return replace(made, binds=(*made.binds, os.path.realpath(worlds)), environment=usual, bare=True)
