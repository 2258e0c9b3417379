"""Lets a plugin file import the files beside it, although its folder is not on `sys.path`.

Each folder of plugin files becomes a package under a private name, so two folders can both have a `helpers.py`. Its
modules get their own `__import__`, which searches the folder after the standard library and the arena, as Python does
for a script.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

PREFIX = "arena_plugins_"
"""start of the name of every package of plugin files"""
_RESERVED = {*sys.stdlib_module_names, "games", "roles", "arena", "league"}
"""names that a file beside a plugin cannot take over"""

packages: dict[Path, str] = {}
"""folder -> its package"""
_numbers = itertools.count()
_run: set[str] = set()
"""modules that `run` ran, as opposed to those imported by another plugin file"""


def name_of(file: Path) -> str:
    """Returns the module name of a plugin file, loaded or not."""
    package = _package(file.parent)
    return package if file.stem == "__init__" else f"{package}.{file.stem.replace('.', '_')}"


def is_imported(file: Path) -> bool:
    """Returns whether a plugin file has run because another plugin file imports it."""
    name = name_of(file)
    return name in sys.modules and name not in _run


def run(file: Path) -> ModuleType:
    """Run a plugin file as a module of its folder's package. If the file raises, the module is removed again."""
    name = name_of(file)
    _run.add(name)
    root = importlib.import_module(name.partition(".")[0])
    if name == root.__name__:
        return root
    loader = _Loader(name, str(file), file.parent)
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def files_of(file: Path) -> list[Path]:
    """Returns the plugin file and every file beside it that is imported anywhere in their code, also indirectly."""
    files: dict[Path, None] = {}
    waiting = [init for init in [file.parent / "__init__.py"] if init.is_file()] + [file]
    while waiting:
        path = waiting.pop()
        if path not in files:
            files[path] = None
            waiting += _imported(path, file.parent)
    return list(files)


def _package(folder: Path) -> str:
    """Returns the name of a folder's package; importing it runs the folder's `__init__.py`, if there is one."""
    if folder not in packages:
        if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder())
        packages[folder] = f"{PREFIX}{next(_numbers)}"
    return packages[folder]


def _beside(folder: Path, name: str) -> str | None:
    """Returns the full name of a module that the files of a folder import as `name`; None for others."""
    top, _, rest = name.partition(".")
    if top in _RESERVED:
        return None
    if top == folder.name and (folder / "__init__.py").is_file():
        return rest  # the package by its own name
    place = folder / top
    return name if place.with_name(f"{top}.py").is_file() or any(place.glob("*.py")) else None


class _Finder(MetaPathFinder):
    """Finds the packages of plugin folders and their modules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns the spec of a module in one of the packages."""
        package = fullname.partition(".")[0]
        folder = next((folder for folder, name in packages.items() if name == package), None)
        if folder is None:
            return None
        if fullname == package:
            init = folder / "__init__.py"
            loader = _Loader(fullname, str(init), folder) if init.is_file() else None
            spec = ModuleSpec(fullname, loader, origin=str(init) if loader else None, is_package=True)
            spec.submodule_search_locations = [str(folder)]
            spec.has_location = loader is not None
            return spec
        module_spec = PathFinder.find_spec(fullname, path, target)
        if module_spec is not None and isinstance(module_spec.loader, SourceFileLoader):
            module_spec.loader = _Loader(fullname, module_spec.loader.path, folder)
        return module_spec


class _Loader(SourceFileLoader):
    """Runs a file so that its imports, also those inside functions, find the files beside it."""

    def __init__(self, name: str, path: str, folder: Path) -> None:
        super().__init__(name, path)
        self._folder = folder

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with its own `__import__`."""
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importer(self._folder)}
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType:
        """Returns the compiled file; writes no bytecode beside it."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _importer(folder: Path) -> Callable[..., ModuleType]:
    """Returns the `__import__` of the modules of a folder."""
    package = _package(folder)

    def find(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        inside = None if level else _beside(folder, name)
        if inside is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        whole = f"{package}.{inside}".rstrip(".")
        importlib.import_module(whole)
        if fromlist:
            return builtins.__import__(whole, globals, locals, fromlist)
        # `import a.b` binds a
        return sys.modules[f"{package}.{name.partition('.')[0]}" if inside == name else package]

    return find


def _imported(path: Path, root: Path) -> Iterator[Path]:
    """Yields the files under `root` that the file `path` imports."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):  # running the file reports it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _along(root, _beside(root, alias.name))
        elif isinstance(node, ast.ImportFrom):
            base = path.parents[node.level - 1] if 0 < node.level <= len(path.parents) else root
            inside = node.module or "" if node.level else _beside(root, node.module or "")
            for alias in node.names if inside is not None and base.is_relative_to(root) else ():
                yield from _along(base, f"{inside}.{alias.name}".lstrip("."))


def _along(base: Path, name: str | None) -> Iterator[Path]:
    """Yields the files that `import a.b.c` runs, those that exist below a folder."""
    place = base
    for part in (name or "").split(".") if name is not None else ():
        place = place / part if part else place
        if (init := place / "__init__.py").is_file():
            yield init
        elif (file := place.with_name(f"{place.name}.py")).is_file() and place != base:
            yield file
