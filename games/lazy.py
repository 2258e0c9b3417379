"""Names that a package exports and imports on first use."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def lazy_attribute(package: str, modules: Mapping[str, str], name: str) -> Any:
    """Import a name of `package` from its module, for the package's `__getattr__`.

    `modules` maps each name to the module that defines it. Raises AttributeError for other names.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(modules[name]), name)
