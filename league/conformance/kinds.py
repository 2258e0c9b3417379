"""Finds the conformance kit for an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import games
from games import InputError, UnknownName, plugins
from games.conformance.report import Report
from games.naming import parse_name


class Kind(NamedTuple):
    """A kind of plugin: its entry-point group, the function that lists its names, and the function that checks one."""

    group: str
    ids: str
    check: str
    """both as module:function"""


CHECKED: Mapping[str, Kind] = {
    "game": Kind("arena.games", "games:ids", "games:check"),
    "role": Kind("arena.roles", "roles:ids", "roles.conformance:check_role"),
    "player": Kind("arena.players", "arena.players:ids", "arena.conformance.players:check_player"),
    "matchmaker": Kind(
        "arena.matchmakers", "league.matchmaking.registry:ids", "league.conformance.matchmakers:check_matchmaker"
    ),
    "rating": Kind("arena.ratings", "league.ratings.registry:ids", "league.conformance.ratings:check_rating"),
    "advantage": Kind("arena.advantages", "arena.learner.advantages:ids", "arena.conformance.learner:check_advantage"),
    "task-source": Kind("arena.tasks", "games.tasks:ids", "arena.conformance.task_sources:check_task_source"),
    "curriculum": Kind(
        "arena.curricula", "league.tasks.curricula:ids", "league.conformance.curricula:check_curriculum"
    ),
    "loss": Kind("arena.losses", "arena.learner.losses:ids", "arena.conformance.losses:check_loss"),
}


def check(id: str, kind: str | None = None) -> Report:
    """Run the conformance kit for an id; `kind` chooses one if several kinds have the name.

    Without `kind`, plugins are preferred to built-in names, and roles and games to other kinds. Raises UnknownName or
    InputError.
    """
    if kind is not None and kind not in CHECKED:
        raise InputError(f"unknown kind {kind!r}; allowed: {', '.join(CHECKED)}")
    report: Report = _call(CHECKED[kind or kind_of(id)].check)(id)
    return report


def check_hostile(id: str, kind: str | None = None, seconds: float = 60.0, seed: int = 0) -> Report:
    """Search for texts that a game or a role cannot read; finds the kind, and raises, as `check` does."""
    kind = kind or kind_of(id)
    if kind not in ("game", "role"):
        raise InputError(f"{id!r} is a {kind}, which reads no text of players; --hostile is for a game or a role")
    report: Report = _call(f"arena.conformance.hostile:check_{kind}")(id, seconds, seed)
    return report


def kind_of(id: str) -> str:
    """Returns the kind of plugin that an id names. Raises UnknownName, or InputError if several kinds have the name."""
    base, kinds = parse_name(id).base, kinds_of(id)
    of_plugins = [name for name in kinds if base in _registered(CHECKED[name])]
    for chosen in (kinds, of_plugins, [name for name in kinds if name in ("game", "role")]):
        if len(chosen) == 1:
            return chosen[0]
    raise InputError(f"{base!r} is a {' and a '.join(kinds)}; add --kind {' or --kind '.join(kinds)}")


def kinds_of(id: str) -> list[str]:
    """Returns every kind of plugin that an id names. Raises UnknownName."""
    base = parse_name(id).base
    if "/" in base:
        return ["game"]
    kinds = [name for name, kind in CHECKED.items() if name not in ("game", "loss") and base in _ids(kind)]
    if base in _registered(CHECKED["loss"]):
        kinds.append("loss")
    game_ids = games.ids()
    if base in game_ids or any(id.startswith(f"{base}-v") for id in game_ids):
        kinds.insert(0, "game")
    if kinds:
        return kinds
    if base in (losses := _ids(CHECKED["loss"])):  # looked up last, because listing losses imports torch
        return ["loss"]
    for misplaced in plugins.misplaced():
        if base in {name for full in misplaced.names for name in (full, full.rpartition("-v")[0])}:
            raise InputError(str(misplaced))
    every = [*game_ids, *losses, *(id for name, kind in CHECKED.items() if name != "loss" for id in _ids(kind))]
    what = "game, role, player, matchmaker, rating, advantage, task-source, curriculum or loss"
    raise UnknownName(what, base, dict.fromkeys(every), "arena games` or `arena info", plugin=True)


def _registered(kind: Kind) -> set[str]:
    """Returns the names that plugins register; names of games also without the version."""
    names = set(plugins.entries(kind.group))
    return names | {name.rpartition("-v")[0] for name in names if "-v" in name}


def _ids(kind: Kind) -> list[str]:
    try:
        return list(_call(kind.ids)())
    except ImportError:  # an optional package is not installed
        return list(plugins.entries(kind.group))


def _call(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
