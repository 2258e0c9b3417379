"""Subclasses with a planted fault, in a line or two."""

import inspect
from collections.abc import Callable
from typing import Any


def returning(base: type, **changes: Callable[..., Any]) -> Any:
    """Returns a subclass in which `change(result, self, *arguments)` replaces the result of a method or property."""
    return _subclass(base, {name: _after(base, name, change) for name, change in changes.items()})


def passing(base: type, **changes: Callable[..., Any]) -> Any:
    """Returns a subclass in which a method gets `change(self, argument)` instead of its only argument."""
    return _subclass(base, {name: _before(base, name, change) for name, change in changes.items()})


def having(base: type, **members: Any) -> Any:
    """Returns a subclass with other members; functions get the object first."""
    return _subclass(base, members)


def _after(base: type, name: str, change: Callable[..., Any]) -> Any:
    inherited = inspect.getattr_static(base, name)
    if isinstance(inherited, property):
        return property(lambda self: change(inherited.fget(self), self))
    return lambda self, *arguments: change(getattr(base, name)(self, *arguments), self, *arguments)


def _before(base: type, name: str, change: Callable[..., Any]) -> Any:
    return lambda self, argument: getattr(base, name)(self, change(self, argument))


def _subclass(base: type, members: dict[str, Any]) -> Any:
    return type(f"Changed{base.__name__}", (base,), members)
