"""Plugin files: `--plugin PATH` and `plugins = ["file.py"]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from games.errors import InputError
from games.plugins import entry, imports
from games.plugins.errors import reason

_loaded: dict[Path, None] = {}
"""in the order of loading: if two files offer the same name, the later one is used"""
_HOW = (
    "put a decorator above a class or function in it, such as @games.register('name-v0'), @roles.register('name') or "
    "@arena.players.register('name')"
)


def load_file(path: str | Path) -> None:
    """Run a plugin file, once per process. Raises InputError if it cannot be read or run, or registers nothing."""
    file = Path(path).expanduser().resolve()
    if file in _loaded:
        return
    if not file.is_file():
        what = "is a folder; name the file in it that registers something" if file.is_dir() else "does not exist"
        raise InputError(f"plugin file {str(path)!r} {what}")
    if file.suffix != ".py":
        raise InputError(f"plugin file {str(path)!r} is not a Python file; its name must end in .py")
    if not imports.is_imported(file):
        before = _registered_so_far()
        try:
            with entry.registering(str(path)):
                module = imports.run(file)
        except (Exception, SystemExit) as error:
            why = reason(error, imports.name_of(file))
            raise InputError(f"plugin file {str(path)!r} is broken: {why}") from error
        if _registered_so_far() == before:
            raise InputError(f"plugin file {str(path)!r} registers nothing; {_how(file, module)}")
    _loaded[file] = None


def _how(file: Path, module: ModuleType) -> str:
    """Returns what to write or type instead, if a file registers nothing. It may be a PettingZoo environment."""
    library = sys.modules.get("pettingzoo.utils.env")
    bases = tuple(vars(library)[name] for name in ("AECEnv", "ParallelEnv")) if library is not None else ()
    classes = [name for name, made in vars(module).items() if isinstance(made, type) and issubclass(made, bases)]
    classes = [name for name in classes if vars(module)[name].__module__ == module.__name__]
    functions = [name for name in ("env", "parallel_env", "raw_env") if callable(vars(module).get(name))]
    if not bases or not (functions or classes) or not file.stem.isidentifier():
        return _HOW
    id = f"pettingzoo/{file.stem}:{(functions + classes)[0]}"
    return f"a PettingZoo environment needs no plugin; type: PYTHONPATH={file.parent} arena play '{id}' random random"


def _registered_so_far() -> tuple[int, int]:
    """Returns the number of registrations here and with OpenSpiel: a plugin file can add OpenSpiel games."""
    spiel = sys.modules.get("pyspiel")
    return entry.registrations(), len(spiel.registered_names()) if spiel is not None else 0


def loaded_files() -> list[Path]:
    """Returns the plugin files that this process has run, in order; worker processes run them too."""
    return list(_loaded)


def forget() -> None:
    """Forget all plugin files and what they registered, as in a new process; for tests."""
    _restore({}, {}, {})


@contextmanager
def isolated() -> Iterator[None]:
    """Forget the plugins registered inside when the block ends; for tests."""
    registered = {group: dict(entries) for group, entries in entry.registered.items()}
    loaded, packages = dict(_loaded), dict(imports.packages)
    try:
        yield
    finally:
        _restore(registered, loaded, packages)


def _restore(
    registered: dict[str, dict[str, entry.PluginEntry]], loaded: dict[Path, None], packages: dict[Path, str]
) -> None:
    for state in (entry.registered, _loaded, imports.packages):
        state.clear()
    entry.registered.update(registered)
    _loaded.update(loaded)
    imports.packages.update(packages)
