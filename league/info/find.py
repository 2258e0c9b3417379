"""Finds the items that an id names, and reads what their source says of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import games
from games import InputError, MissingPackage, plugins, registry
from games.dialogue import RoleGame
from games.naming import parse_name
from games.papers import papers_of_game
from games.parameter_info import parameters_of, split_doc
from games.parameters import check_parameters
from games.plugins import BUILTIN, PluginEntry, Registry
from league.conformance import CHECKED
from league.conformance.kinds import kinds_of
from league.info.lines import GameFacts, ItemInfo
from roles.papers import papers_of_role


class _Listed(NamedTuple):
    """The registry of a kind, as module:name, and the parameters that are not written in ids."""

    registry: str
    arguments: Collection[str] = ()


_REGISTRIES = {
    "role": _Listed("roles.registry:ROLES", ("name",)),
    "player": _Listed("arena.players.registry:PLAYERS"),
    "matchmaker": _Listed("league.matchmaking.registry:MATCHMAKERS"),
    "rating": _Listed("league.ratings.registry:RATINGS", ("games", "config", "players")),
    "advantage": _Listed("arena.learner.advantages.base:ESTIMATORS"),
    "task-source": _Listed("games.tasks.registry:SOURCES"),
    "curriculum": _Listed("league.tasks.curricula:CURRICULA"),
    "loss": _Listed("arena.learner.losses.base:LOSSES", ("config",)),
}


def names_by_kind() -> dict[str, list[str]]:
    """Returns the names of every kind but games, of which there are too many.

    Of a kind that needs a package that is not installed, only the plugins.
    """
    names = {}
    for kind in _REGISTRIES:
        try:
            names[kind] = _registry(kind).ids()
        except MissingPackage:
            names[kind] = sorted(plugins.entries(CHECKED[kind].group))
    return names


def find_items(id: str, kind: str | None = None) -> list[ItemInfo]:
    """Returns everything that an id names; `kind` chooses one. Raises UnknownName or InputError."""
    if kind is not None and kind not in CHECKED:
        raise InputError(f"unknown kind {kind!r}; allowed: {', '.join(CHECKED)}")
    return [
        _game(id) if item_kind == "game" else _item(item_kind, id) for item_kind in ([kind] if kind else kinds_of(id))
    ]


def _item(kind: str, id: str) -> ItemInfo:
    listed, base = _registry(kind), parse_name(id).base
    entry = listed.entries().get(base)
    if entry is None:
        raise games.UnknownName(listed.kind, base, listed.ids(), listed.listed_by or "arena info", plugin=True)
    factory = plugins.load(listed.kind, entry)
    parameters = parameters_of(factory, _REGISTRIES[kind].arguments)
    about = split_doc(inspect.cleandoc(factory.__doc__ or ""), [p.name for p in parameters]).about
    papers = papers_of_role(base) if kind == "role" and entry.origin == BUILTIN else ()
    problem = _problem(kind, base, factory, parse_name(id).params)
    return ItemInfo(kind, base, about, tuple(parameters), *_place(entry, factory), papers=papers, problem=problem)


def _problem(kind: str, name: str, factory: Callable[..., Any], params: Mapping[str, Any]) -> str:
    """Returns why parameters do not fit a factory; "" if they do."""
    taken = plugins.parameters_taken(factory)
    try:
        if taken is not None:
            allowed = [key for key in taken if key not in _REGISTRIES[kind].arguments]
            if unknown := [key for key in params if key not in allowed]:
                if not allowed:
                    raise InputError(f"{name} takes no parameters; leave out {unknown[0]!r}")
                raise games.UnknownName(f"{name} parameter", unknown[0], allowed)
        check_parameters(name, factory, params)
    except InputError as error:
        return str(error)
    return ""


def _game(id: str) -> ItemInfo:
    source, base = registry.source_of(id), parse_name(id).base
    parameters = registry.parameters_of_game(id)
    facts, problem, full_id = None, "", base
    try:
        spec = games.make(id).spec
    except InputError as error:
        problem = str(error)
    else:
        full_id = spec.id
        facts = GameFacts(
            dict(spec.seats),
            spec.payoff,
            spec.max_turns,
            spec.rated,
            spec.chance,
            spec.teams,
            spec.strangers,
            spec.rules.strip(),
        )
    if isinstance(source, str):
        origin = base.partition("/")[0]
        return ItemInfo("game", full_id, "", tuple(parameters), origin, source, facts, papers_of_game(base), problem)
    factory = plugins.load("game", source)
    about = split_doc(inspect.cleandoc(factory.__doc__ or ""), [p.name for p in parameters]).about
    papers = papers_of_game(base) if source.origin == BUILTIN else ()
    return ItemInfo("game", full_id, about, tuple(parameters), *_place(source, factory), facts, papers, problem)


def _place(entry: PluginEntry, factory: Callable[..., Any]) -> tuple[str, str]:
    """Returns origin and source of a factory."""
    origin = "the arena" if entry.origin == BUILTIN else entry.origin
    code = inspect.unwrap(factory)
    if isinstance(code, type) and issubclass(code, RoleGame):
        code = code.play  # the class is made by the decorator
    try:
        return origin, f"{inspect.getsourcefile(code)}:{inspect.getsourcelines(code)[1]}"
    except (TypeError, OSError):  # compiled, or made while running
        return origin, f"module {getattr(code, '__module__', '?')}"


def _registry(kind: str) -> Registry[Any]:
    """Returns the registry of a kind. Raises MissingPackage: advantages and losses need torch."""
    module, _, name = _REGISTRIES[kind].registry.partition(":")
    try:
        result: Registry[Any] = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise MissingPackage(f"the {kind}", str(error.name), "'selfplay-arena[llm]'") from None
    return result
