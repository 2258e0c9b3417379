"""What a worker is made from: it is sent over the network, so it holds names, texts and functions, no players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena.match import IllegalPolicy
from arena.players import Player
from arena.workers import scratch
from games import plugins


class Crew(Protocol):
    """The players of one worker, with an engine of their own."""

    @property
    def players(self) -> Mapping[str, Player]:
        """By the names in the plans' seats."""
        ...

    def describe(self) -> Any:
        """What the driver wants to know of them, as plain data."""
        ...

    def update(self, channel: str, news: Any) -> None:
        """Take what the driver published: weights, a new player."""
        ...


@dataclass(frozen=True)
class Recipe:
    """How each worker makes its crew: `make` is a function, or a partial of one, that is importable there."""

    make: Callable[[], Crew]
    policy: IllegalPolicy = field(default_factory=IllegalPolicy)
    concurrency: int = 32
    """matches in flight in each worker"""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """plugin files: name -> source"""

    def prepare(self) -> Crew:
        """Make the crew, in the worker. Raises InputError."""
        if self.plugins:
            folder = scratch.folder() / "plugins"
            folder.mkdir(exist_ok=True)
            for name, source in self.plugins.items():
                (folder / name).write_text(source, encoding="utf-8")
                plugins.load_file(folder / name)
        return self.make()


def loaded_plugins() -> dict[str, str]:
    """The plugin files of this process, for `Recipe.plugins`; of those with one name, later ones have a number."""
    found: dict[str, str] = {}
    for path in plugins.loaded_files():
        name, number = path.name, 1
        while name in found:
            number += 1
            name = f"{path.stem}-{number}{path.suffix}"
        found[name] = path.read_text(encoding="utf-8")
    return found
