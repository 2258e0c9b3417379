"""Makes games from ids. Listing the ids imports no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, get_args

from games import plugins
from games.errors import InputError, UnknownName
from games.exact import EXACT
from games.game import GameSpec, Payoff, TextGame
from games.naming import Name, parse_name
from games.native import NATIVE
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import canonical
from games.registration import GROUP, VERSION

COLLECTIONS = {
    "openenv": "games.openenv",
    "openspiel": "games.openspiel",
    "pettingzoo": "games.pettingzoo",
    "textarena": "games.textarena",
    "verifiers": "games.prime",
}
"""namespace of other projects' games -> package with a module `lookup`, which has `make`, `describe` and `source`"""
NAMES = {
    "openspiel": "games.openspiel.catalog:PLAYABLE",
    "pettingzoo": "games.pettingzoo.catalog:CLASSIC",
    "textarena": "games.textarena.catalog:CHECKED",
}
"""namespace -> the names that `ids` lists; in the other collections nothing lists them"""

INSTRUCTIONS, FRAME = 4_000, 100
"""bytes of a game's own texts to a seat in a match, and of the frame of a quoted message, unless a game states
`GameSpec.prompt_bytes`"""


def _entries() -> dict[str, plugins.PluginEntry]:
    return plugins.with_plugins(GROUP, plugins.builtin({**NATIVE, **EXACT}))


def ids() -> list[str]:
    """Returns all game ids: native games and those of plugins, then the collections."""
    names = sorted(_entries())
    for namespace, target in NAMES.items():
        module, _, attribute = target.partition(":")
        names += [f"{namespace}/{name}" for name in sorted(getattr(import_module(module), attribute))]
    return names


def make(id: str) -> TextGame:
    """Returns the game named by `id`, such as `openspiel/kuhn_poker(players=3)` or `bargain`.

    An id without a version means the newest version. `spec.id` becomes the canonical id, which makes exactly the same
    game again: parameters in the order of the factory's signature, without those equal to their default. Raises
    UnknownName with the nearest ids, or InputError for a wrong parameter.
    """
    game, canonical = _made(id)
    spec = replace(game.spec, id=canonical, prompt_bytes=_prompt_bytes(game))
    if game.spec != spec:
        try:
            game.spec = spec
        except AttributeError:
            raise InputError(
                f"game {canonical!r} calls itself {game.spec.id!r} and its spec cannot be set; assign "
                "`self.spec = GameSpec(...)` in its __init__ instead of a property"
            ) from None
    return game


def _prompt_bytes(game: TextGame) -> int | None:
    """Returns the longest prompt that the game states, or that follows from its turns and their length."""
    spec, message = game.spec, game.message_bytes
    if spec.prompt_bytes is not None or message is None:
        return spec.prompt_bytes
    return len(spec.rules.encode()) + INSTRUCTIONS + spec.max_turns * (message + FRAME)


def source_of(id: str) -> plugins.PluginEntry | str:
    """Returns the entry that makes a game; for a collection's game, where its project keeps it. Raises UnknownName."""
    base = parse_name(id).base
    namespace, slash, rest = base.partition("/")
    if slash and namespace in COLLECTIONS:
        return str(_lookup(namespace).source(rest))
    if entry := _newest(base):
        return entry
    raise UnknownName("game", id, ids(), "arena games", plugin="/" not in base)


def parameters_of_game(id: str) -> list[ParameterInfo]:
    """Returns the parameters that a game takes. Raises UnknownName, or InputError if a plugin cannot be loaded."""
    entry = source_of(id)
    if isinstance(entry, plugins.PluginEntry):
        return parameters_of(plugins.load("game", entry))
    namespace, _, rest = parse_name(id).base.partition("/")
    return list(_lookup(namespace).describe(rest))


def canonical_id(id: str) -> str:
    """Returns the canonical form of an id, or the id itself if no game can be made from it."""
    try:
        return make(id).spec.id
    except InputError:
        return id


def _lookup(namespace: str) -> Any:
    return import_module(f"{COLLECTIONS[namespace]}.lookup")


def _made(id: str) -> tuple[TextGame, str]:
    """Returns the game that the factory returns, and its canonical id."""
    name = parse_name(id)
    namespace, slash, rest = name.base.partition("/")
    if slash:
        if namespace not in COLLECTIONS:
            raise UnknownName("game", id, ids(), "arena games")
        game: TextGame = _lookup(namespace).make(rest, name.params)
        return game, game.spec.id  # collections write canonical ids themselves
    entry = _newest(name.base)
    if entry is None:
        raise UnknownName("game", name.base, ids(), "arena games", plugin=True)
    params = name.params
    if entry.origin != plugins.BUILTIN:
        params = canonical(plugins.load("game", entry), params)
    game = _checked(plugins.create("game", entry, params), entry)
    if entry.origin == plugins.BUILTIN:  # native games write canonical ids: some defaults depend on other parameters
        return game, game.spec.id
    return game, str(Name(entry.name, params))


def _checked(made: object, entry: plugins.PluginEntry) -> TextGame:
    """Returns `made` if it is a game with a spec, else raise InputError."""
    if not isinstance(made, TextGame):
        raise InputError(f"game {entry.name!r} of {entry.origin} made a {type(made).__name__}, not a games.TextGame")
    if not isinstance(getattr(made, "spec", None), GameSpec):
        raise InputError(f"game {entry.name!r} of {entry.origin} has no spec; set `self.spec = GameSpec(...)`")
    if problem := _spec_error(made.spec):
        raise InputError(f"game {entry.name!r} of {entry.origin}: {problem}")
    return made


def _spec_error(spec: GameSpec) -> str:
    """Returns which field of a spec has a wrong form, and what is expected; "" if none has."""
    expected = {
        "seats": (isinstance(spec.seats, Mapping), "a mapping of each seat to its role"),
        "payoff": (spec.payoff in get_args(Payoff), f"one of {', '.join(get_args(Payoff))}"),
        "rules": (isinstance(spec.rules, str), "a text"),
        "max_turns": (isinstance(spec.max_turns, int) and spec.max_turns > 0, "a whole number of at least 1"),
    }
    errors = (
        f"{field} of its spec is {getattr(spec, field)!r:.60}; expected {text}"
        for field, (right, text) in expected.items()
        if not right
    )
    return next(errors, "")


def _newest(base: str) -> plugins.PluginEntry | None:
    entries = _entries()
    if base in entries:
        return entries[base]
    versions = [(int(m[2]), e) for n, e in entries.items() if (m := VERSION.match(n)) and m[1] == base]
    newest = max(versions, key=lambda v: v[0])[1] if versions else None
    if newest and newest.origin != plugins.BUILTIN and any(e.origin == plugins.BUILTIN for _, e in versions):
        plugins.warn_replaced(GROUP, base, newest)
    return newest
