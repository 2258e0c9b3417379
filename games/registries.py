"""A table of things by name: our own, imported when asked for, and what plugins add under an entry-point group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, TypeVar

from games import plugins
from games.errors import InputError, PluginError, UnknownName
from games.naming import parse_name

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Registry(Generic[T]):
    """Makes a `base` from a name such as `mcts(simulations=100)`. Listing imports nothing.

    `kind` is the word errors use, `own` maps our names to "module:factory", `listed_by` is the command that lists all.
    """

    def __init__(self, kind: str, group: str, base: type[T], own: Mapping[str, str], listed_by: str = "") -> None:
        self.kind, self.group, self.base, self.listed_by = kind, group, base, listed_by
        self._own = plugins.builtin(own)

    def entries(self) -> dict[str, plugins.Entry]:
        """What there is, by name; a plugin's hides ours."""
        return {**self._own, **plugins.entries(self.group)}

    def ids(self) -> list[str]:
        """The names, sorted."""
        return sorted(self.entries())

    def register(self, name: str) -> Callable[[F], F]:
        """Decorator for plugin files: offer a class or a factory under `name`."""
        return plugins.register(self.group, name)

    def make(self, id: str, **given: Any) -> T:
        """The thing `id` names, made with its parameters and `given`.

        Raises UnknownName with the nearest names, InputError for a wrong parameter or a factory of something else.
        """
        name = parse_name(id)
        entry = self.entries().get(name.base)
        if entry is None:
            raise UnknownName(self.kind, name.base, self.ids(), self.listed_by)
        made = plugins.create(self.kind, entry, {**name.params, **given})
        if not isinstance(made, self.base):
            what = f"a {type(made).__name__}, not {self.base.__name__}"
            raise InputError(f"{self.kind} {name.base!r} of {entry.origin} made {what}")
        return made

    def is_plugin(self, id: str) -> bool:
        """Whether what `id` names comes from a plugin."""
        entry = self._entry(id)
        return entry is not None and entry.origin != plugins.OWN

    def blamed(self, id: str, what: str = "") -> AbstractContextManager[None]:
        """Inside, an error of the plugin that `id` names becomes a PluginError; one of ours stays what it is."""
        entry = self._entry(id)
        return nullcontext() if entry is None else plugins.blamed(self.kind, entry, what)

    def broken(self, id: str, what: str) -> PluginError:
        """The error for a plugin that broke its contract; `what` says how, and what is expected."""
        entry = self._entry(id)
        origin = f" of {entry.origin}" if entry is not None and entry.origin != plugins.OWN else ""
        return PluginError(f"{self.kind} {parse_name(id).base!r}{origin}: {what}")

    def _entry(self, id: str) -> plugins.Entry | None:
        return self.entries().get(parse_name(id).base)
