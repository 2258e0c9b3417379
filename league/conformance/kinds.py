"""Which kit an id belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import games
from games import InputError, UnknownName, plugins
from games.conformance.report import Report
from games.naming import parse_name


class Kind(NamedTuple):
    """One kind of plugin: its entry-point group, how its names are listed, how one is checked."""

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
    "advantage": Kind("arena.advantages", "arena.learner.advantage:ids", "arena.conformance.learner:check_advantage"),
    "loss": Kind("arena.losses", "arena.learner.loss:ids", "arena.conformance.learner:check_loss"),
}


def check(id: str, kind: str | None = None) -> Report:
    """Run the kit of what an id names, or of its `kind` if several kinds have the name.

    Of several, those of plugins come first, then roles and games. Raises UnknownName, InputError.
    """
    if kind is not None and kind not in CHECKED:
        raise InputError(f"unknown kind {kind!r}; allowed: {', '.join(CHECKED)}")
    report: Report = _call(CHECKED[kind or kind_of(id)].check)(id)
    return report


def kind_of(id: str) -> str:
    """The kind of what an id names. Raises UnknownName, or InputError if it may be of several."""
    base = parse_name(id).base
    if "/" in base:
        return "game"
    found = [name for name, kind in CHECKED.items() if name not in ("game", "loss") and base in _ids(kind)]
    if base in _offered(CHECKED["loss"]):
        found.append("loss")
    known = games.ids()
    if base in known or any(id.startswith(f"{base}-v") for id in known):
        found.insert(0, "game")
    if not found:  # only now, for our losses import torch
        if base not in (losses := _ids(CHECKED["loss"])):
            every = [*known, *losses, *(id for name, kind in CHECKED.items() if name != "loss" for id in _ids(kind))]
            what = "game, role, player, matchmaker, rating, advantage or loss"
            raise UnknownName(what, base, dict.fromkeys(every), "arena games` or `arena roles")
        found = ["loss"]
    of_plugins = [name for name in found if base in _offered(CHECKED[name])]
    for chosen in (found, of_plugins, [name for name in found if name in ("game", "role")]):
        if len(chosen) == 1:
            return chosen[0]
    raise InputError(f"{base!r} is a {' and a '.join(found)}; add --kind {' or --kind '.join(found)}")


def _offered(kind: Kind) -> set[str]:
    """The names that plugins offer, those of games without a version too."""
    names = set(plugins.entries(kind.group))
    return names | {name.rpartition("-v")[0] for name in names if "-v" in name}


def _ids(kind: Kind) -> list[str]:
    try:
        return list(_call(kind.ids)())
    except ImportError:  # a package that is not installed
        return list(plugins.entries(kind.group))


def _call(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
