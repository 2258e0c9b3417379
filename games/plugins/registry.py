"""A registry of roles, players, ratings and so on: built-in ones by name, and those of plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, TypeVar

from games.errors import InputError, PluginError, UnknownName
from games.naming import parse_name
from games.plugins.entry import BUILTIN, PluginEntry, builtin, register, with_plugins
from games.plugins.errors import blamed
from games.plugins.factories import create, load, parameters_taken

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Registry(Generic[T]):
    """Makes instances of `base` from names such as `mcts(simulations=100)`. Listing imports nothing.

    `kind` is the word that errors use, `own` maps built-in names to "module:factory", and `listed_by` is the command
    that lists all names.
    """

    def __init__(self, kind: str, group: str, base: type[T], modules: Mapping[str, str], listed_by: str = "") -> None:
        self.kind, self.group, self.base, self.listed_by = kind, group, base, listed_by
        self._builtin = builtin(modules)

    def entries(self) -> dict[str, PluginEntry]:
        """Returns all entries by name; a plugin replaces a built-in one, with a warning."""
        return with_plugins(self.group, self._builtin)

    def ids(self) -> list[str]:
        """Returns the names, sorted."""
        return sorted(self.entries())

    def register(self, name: str) -> Callable[[F], F]:
        """Decorator for plugin files: offer a class or a factory under `name`."""
        return register(self.group, name)

    def make(self, id: str, **arguments: Any) -> T:
        """Returns the instance that `id` names, made with its parameters and `arguments`.

        Raises UnknownName with the nearest names, or InputError for a wrong parameter or a wrong type of result.
        """
        name = parse_name(id)
        entry = self.entries().get(name.base)
        if entry is None:
            raise UnknownName(self.kind, name.base, self.ids(), self.listed_by, plugin=True)
        taken = parameters_taken(load(self.kind, entry)) if arguments else None
        if taken is not None and (lacking := [key for key in arguments if key not in taken]):
            raise InputError(
                f"{self.kind} {name.base!r} of {entry.origin} does not take {lacking[0]!r}, which the arena passes; "
                f"write `def __init__(self, {', '.join(arguments)}, ...)`"
            )
        made = create(self.kind, entry, {**name.params, **arguments})
        if not isinstance(made, self.base):
            what = f"a {type(made).__name__}, not {self.base.__name__}"
            raise InputError(f"{self.kind} {name.base!r} of {entry.origin} made {what}")
        return made

    def is_plugin(self, id: str) -> bool:
        """Returns whether `id` names an entry of a plugin."""
        entry = self._entry(id)
        return entry is not None and entry.origin != BUILTIN

    def blamed(self, id: str, what: str = "") -> AbstractContextManager[None]:
        """Turn an error raised inside into a PluginError if `id` names a plugin; see `plugins.blamed`."""
        entry = self._entry(id)
        return nullcontext() if entry is None else blamed(self.kind, entry, what)

    def broken(self, id: str, what: str) -> PluginError:
        """Returns the error for a plugin that breaks its contract; `what` says how, and what is expected."""
        entry = self._entry(id)
        origin = f" of {entry.origin}" if entry is not None and entry.origin != BUILTIN else ""
        return PluginError(f"{self.kind} {parse_name(id).base!r}{origin}: {what}")

    def _entry(self, id: str) -> PluginEntry | None:
        return self.entries().get(parse_name(id).base)
