"""Plugins of every package: installed distributions by entry point, single files by path.

The name of an entry point is the id, its value is `module:factory`, and the factory is called with the id's parameters
as keyword arguments. A plugin file registers with a decorator (`games.register`, `roles.register`, ...) and runs once.
Nothing is imported before its name is used.
"""

from games.plugins.entry import (
    BUILTIN,
    GROUPS,
    MisplacedEntries,
    PluginEntry,
    builtin,
    entries,
    misplaced,
    register,
    warn_replaced,
    with_plugins,
)
from games.plugins.errors import blamed, culprit, defined_at, library, raised, reason
from games.plugins.factories import call, create, load, parameters_taken, working
from games.plugins.files import forget, isolated, load_file, loaded_files
from games.plugins.imports import files_of
from games.plugins.registry import Registry

__all__ = [
    "BUILTIN",
    "GROUPS",
    "MisplacedEntries",
    "PluginEntry",
    "Registry",
    "blamed",
    "builtin",
    "call",
    "create",
    "culprit",
    "defined_at",
    "entries",
    "files_of",
    "forget",
    "isolated",
    "library",
    "load",
    "load_file",
    "loaded_files",
    "misplaced",
    "parameters_taken",
    "raised",
    "reason",
    "register",
    "warn_replaced",
    "with_plugins",
    "working",
]
