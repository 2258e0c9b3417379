"""From an id to a game. Listing imports no game."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TypeVar

from games import plugins
from games.errors import InputError, UnknownName
from games.game import GameSpec, TextGame
from games.naming import Name, parse_name
from games.parameters import canonical

GROUP = "arena.games"

# Our own games: id -> "module:factory".
NATIVE = {
    "bargain-v0": "games.dialogue.coached:bargain",
    "conjecture-v0": "games.dialogue.conjecture:Conjecture",
    "critic-v0": "games.dialogue.critic:Critic",
    "debate-v0": "games.dialogue.debate:Debate",
    "efg-v0": "games.dialogue.efg:Efg",
    "forum-v0": "games.dialogue.forum:Forum",
    "redteam-v0": "games.dialogue.redteam:RedTeam",
    "spy-v0": "games.dialogue.spy:Spy",
    "taboo-v0": "games.dialogue.taboo:Taboo",
    "math-duel-v0": "games.dialogue.math_duel:MathDuel",
    "code-io-v0": "games.dialogue.code_io:CodeIO",
    "psj-v0": "games.dialogue.psj:PSJ",
}

# Collections of games made by other projects: namespace -> module with `ids()` and `make(name, params)`.
COLLECTIONS = {
    "openspiel": "games.openspiel",
    "pettingzoo": "games.pettingzoo",
}

_VERSION = re.compile(r"^(.+)-v(\d+)$")
T = TypeVar("T", bound=Callable[..., TextGame])


def register(id: str) -> Callable[[T], T]:
    """Decorator for a game in a plugin file: `@register("coin-v0")` above a TextGame class or a factory."""
    if not _VERSION.match(id):
        raise InputError(f"game id {id!r} has no version; call it {id}-v0")
    return plugins.register(GROUP, id)


def _own() -> dict[str, plugins.Entry]:
    return {**plugins.builtin(NATIVE), **plugins.entries(GROUP)}


def ids() -> list[str]:
    """All game ids, our own and plugins' first, then every collection's."""
    found = sorted(_own())
    for namespace, module in COLLECTIONS.items():
        found += [f"{namespace}/{name}" for name in import_module(module).ids()]
    return found


def make(id: str) -> TextGame:
    """The game named by `id`, such as `openspiel/kuhn_poker(players=3)` or `bargain`.

    An id without a version means the newest. `spec.id` is the canonical id, which makes exactly the same game again:
    parameters in the order of the factory's signature, those at their default left out, whatever the game of a plugin
    calls itself. Raises UnknownName with the nearest ids, or InputError for a wrong parameter.
    """
    game, canonical = _made(id)
    if game.spec.id != canonical:
        try:
            game.spec = replace(game.spec, id=canonical)
        except AttributeError:
            raise InputError(
                f"game {canonical!r} calls itself {game.spec.id!r} and its spec cannot be set; assign "
                "`self.spec = GameSpec(...)` in its __init__ in place of a property"
            ) from None
    return game


def declared_id(id: str) -> str:
    """What the game named by `id` calls itself. Stores of releases before `make` wrote the id know it by that."""
    return _made(id)[0].spec.id


def canonical_id(id: str) -> str:
    """The canonical form of an id; the id itself if it makes no game here."""
    try:
        return make(id).spec.id
    except InputError:
        return id


def _made(id: str) -> tuple[TextGame, str]:
    """A game as its factory returned it, and its canonical id."""
    name = parse_name(id)
    namespace, slash, rest = name.base.partition("/")
    if slash:
        if namespace not in COLLECTIONS:
            raise UnknownName("game", id, ids(), "arena games")
        game: TextGame = import_module(COLLECTIONS[namespace]).make(rest, name.params)
        return game, game.spec.id  # a collection writes it as we do
    entry = _newest(name.base)
    if entry is None:
        raise UnknownName("game", name.base, ids(), "arena games")
    params = name.params
    if entry.origin != plugins.OWN:
        params = canonical(plugins.load("game", entry), params)
    game = _checked(plugins.create("game", entry, params), entry)
    if entry.origin == plugins.OWN:  # ours know more than their signature: defaults that depend on other parameters
        return game, game.spec.id
    return game, str(Name(entry.name, params))


def _checked(made: object, entry: plugins.Entry) -> TextGame:
    """What a factory made, if it is a game. Raises InputError."""
    if not isinstance(made, TextGame):
        raise InputError(f"game {entry.name!r} of {entry.origin} made a {type(made).__name__}, not a games.TextGame")
    if not isinstance(getattr(made, "spec", None), GameSpec):
        raise InputError(f"game {entry.name!r} of {entry.origin} has no spec; set `self.spec = GameSpec(...)`")
    return made


def _newest(base: str) -> plugins.Entry | None:
    own = _own()
    if base in own:
        return own[base]
    versions = [(int(m[2]), e) for n, e in own.items() if (m := _VERSION.match(n)) and m[1] == base]
    return max(versions, key=lambda v: v[0])[1] if versions else None
