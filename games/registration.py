"""Registers games of plugin files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from games import plugins
from games.errors import InputError
from games.game import TextGame

GROUP = "arena.games"
VERSION = re.compile(r"^(.+)-v(\d+)$")
T = TypeVar("T", bound=Callable[..., TextGame])


def register(id: str) -> Callable[[T], T]:
    """Decorator for plugin files: `@register("coin-v0")` above a subclass of TextGame or a factory."""
    if not VERSION.match(id):
        raise InputError(f"game id {id!r} has no version; call it {id}-v0")
    return plugins.register(GROUP, id)
