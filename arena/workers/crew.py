"""What a worker is made from: it is sent over the network, so it holds names, texts and functions, no players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from arena.match import IllegalPolicy
from arena.players import Player
from arena.workers import scratch
from games import neighbours, plugins


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
class PluginFile:
    """A plugin file on its way to a worker."""

    name: str
    folder: str
    """where it is put there; files of one folder here share one there"""
    files: Mapping[str, bytes]
    """itself and what it imports from beside it: path in the folder -> content"""


@dataclass(frozen=True)
class Recipe:
    """How each worker makes its crew: `make` is a function, or a partial of one, that is importable there."""

    make: Callable[[], Crew]
    policy: IllegalPolicy = field(default_factory=IllegalPolicy)
    concurrency: int = 32
    """matches in flight in each worker"""
    plugins: Sequence[PluginFile] = ()

    def prepare(self) -> Crew:
        """Make the crew, in the worker. Raises InputError."""
        for plugin in self.plugins:
            folder = scratch.folder() / "plugins" / plugin.folder
            for name, data in plugin.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            plugins.load_file(folder / plugin.name)
        return self.make()


def loaded_plugins() -> list[PluginFile]:
    """The plugin files of this process and what they import from beside them, for `Recipe.plugins`."""
    folders: dict[Path, str] = {}
    found = []
    for path in plugins.loaded_files():
        root = path.parent
        folder = f"{folders.setdefault(root, str(len(folders)))}/{root.name}"
        files = {str(file.relative_to(root)): file.read_bytes() for file in neighbours.files_of(path)}
        found.append(PluginFile(path.name, folder, files))
    return found
