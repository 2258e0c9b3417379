"""From a role's name to the object that speaks for it. A name nobody registered is a plain player of that name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games import InputError, plugins
from games.naming import parse_name
from roles.role import Role

GROUP = "arena.roles"

# Roles of our own games: name -> "module:factory".
NATIVE: dict[str, str] = {}

T = TypeVar("T", bound=Callable[..., Role])


def register(name: str) -> Callable[[T], T]:
    """Decorator for a role in a plugin file: `@register("attacker")` above a Role class or a factory."""
    return plugins.register(GROUP, name)


def _entries() -> dict[str, plugins.Entry]:
    return {**plugins.builtin(NATIVE), **plugins.entries(GROUP)}


def ids() -> list[str]:
    """The roles that say more than the generic player."""
    return sorted(_entries())


def make(id: str) -> Role:
    """The role named by `id`, such as `seller` or `attacker(style=polite)`."""
    name = parse_name(id)
    entry = _entries().get(name.base)
    if entry is None:
        if name.params:
            raise InputError(f"role {name.base!r} is the generic player and takes no parameters")
        return Role(name.base)
    made = plugins.create("role", entry, name.params)
    if not isinstance(made, Role):
        raise InputError(f"role {name.base!r} of {entry.origin} made a {type(made).__name__}, not a roles.Role")
    return made
