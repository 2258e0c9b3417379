"""What a worker needs to create its players. It is sent over the network, so it contains no players itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from arena.match import IllegalPolicy
from arena.players import Player
from arena.runner.ray import scratch
from games import plugins


class WorkerPlayers(Protocol):
    """The players of one worker, with their own engines."""

    @property
    def players(self) -> Mapping[str, Player]:
        """Players by the names in the seats of match plans."""
        ...

    def describe(self) -> Any:
        """Returns a description of the players for the driver, as plain data."""
        ...

    def update(self, channel: str, value: Any, /) -> None:
        """Apply what the driver published: weights, a new player."""
        ...


@dataclass(frozen=True)
class PluginFile:
    """A plugin file that is sent to a worker."""

    name: str
    folder: str
    """its folder on the worker; files that share a folder on the driver share one on the worker"""
    files: Mapping[str, bytes]
    """the file and the files of its folder that it imports: relative path -> content"""


@dataclass(frozen=True)
class WorkerSpec:
    """How a worker creates its players. `make` is a function, or a partial of one, that the worker can import."""

    make: Callable[[], WorkerPlayers]
    illegal: IllegalPolicy = field(default_factory=IllegalPolicy)
    concurrency: int = 32
    """matches in flight in each worker"""
    plugins: Sequence[PluginFile] = ()

    def prepare(self) -> WorkerPlayers:
        """Load the plugins and create the players. Called in the worker. Raises InputError."""
        for plugin in self.plugins:
            folder = scratch.folder() / "plugins" / plugin.folder
            for name, data in plugin.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            plugins.load_file(folder / plugin.name)
        return self.make()


def loaded_plugins() -> list[PluginFile]:
    """Returns the plugin files loaded in this process, with the files of their folders that they import."""
    numbers: dict[Path, int] = {}
    plugin_files = []
    for path in plugins.loaded_files():
        root = path.parent
        folder = f"{numbers.setdefault(root, len(numbers))}/{root.name}"
        files = {str(file.relative_to(root)): file.read_bytes() for file in plugins.files_of(path)}
        plugin_files.append(PluginFile(path.name, folder, files))
    return plugin_files
