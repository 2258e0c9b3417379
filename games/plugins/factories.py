"""Loads the factory of an entry and calls it with the parameters of an id."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from games.errors import ArenaError, InputError
from games.parameters import check_parameters, signature_of, wrong_default
from games.plugins.entry import BUILTIN, Factory, PluginEntry, entries
from games.plugins.errors import reason

log = logging.getLogger(__name__)


def working(group: str) -> dict[str, PluginEntry]:
    """Returns the entries of a group whose factories import. A broken one is skipped with a warning and the reason."""
    usable = {}
    for name, entry in entries(group).items():
        try:
            entry.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  a plugin can raise anything at import, or exit
            log.warning("plugin %r of %s is skipped: %s", name, entry.origin, reason(error))
        else:
            usable[name] = entry
    return usable


def load(kind: str, entry: PluginEntry) -> Factory:
    """Returns the factory of an entry. Raises InputError with the plugin's origin and what it raised."""
    try:
        return entry.load()
    except ArenaError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{kind} {entry.name!r} of {entry.origin} cannot be loaded: {reason(error)}") from error


def create(kind: str, entry: PluginEntry, params: Mapping[str, Any]) -> Any:
    """Load an entry and call its factory with `params`.

    Raises InputError for a wrong parameter, and for a plugin that fails, with its origin and what it raised.
    """
    factory = load(kind, entry)
    try:
        if entry.origin != BUILTIN and (wrong := wrong_default(factory)):
            raise InputError(f"{kind} {entry.name!r} of {entry.origin}: {wrong}")
        return call(kind, entry.name, factory, params)
    except ArenaError:
        raise
    except (Exception, SystemExit) as error:
        if entry.origin == BUILTIN:  # a bug of ours, not a wrong input
            raise
        raise InputError(f"{kind} {entry.name!r} of {entry.origin} cannot be made: {reason(error)}") from error


def parameters_taken(factory: Factory) -> list[str] | None:
    """Returns the names of the parameters that ids may give to a factory; None if it takes any."""
    parameters = signature_of(factory).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def call(kind: str, name: str, factory: Factory, params: Mapping[str, Any]) -> Any:
    """Call a factory with keyword arguments. Raises InputError for a wrong parameter, with what is allowed."""
    signature = signature_of(factory)
    try:
        signature.bind(**params)
    except TypeError as error:
        allowed = parameters_taken(factory) or []
        text = f"allowed: {', '.join(allowed)}" if allowed else "it takes none"
        raise InputError(f"wrong parameters for {kind} {name!r}: {error}; {text}") from None
    check_parameters(name, factory, params)
    return factory(**params)
