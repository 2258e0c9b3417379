"""Whether the parameters of an id fit what a factory declares: the annotations of its signature say it once.

An id holds truth values, numbers and texts. Where a parameter takes any of these (`int`, `float | None`,
`Literal["a", "b"]`), what is given must be one that it takes; a parameter without an annotation, or of other types
only, takes what its factory makes of it. Bounds are the factory's own.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from games.errors import InputError
from games.naming import Value

_WORDS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


@lru_cache(256)
def signature_of(factory: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a factory, annotations as types where all their names are known at run time."""
    try:
        return inspect.signature(factory, eval_str=True)
    except Exception:  # noqa: BLE001  an annotation is any code of a plugin's; as a mere string it says nothing to us
        return inspect.signature(factory)


def check_types(name: str, factory: Callable[..., Any], params: Mapping[str, Any]) -> None:
    """Raise InputError for the first parameter that is of none of its declared types."""
    known = signature_of(factory).parameters
    for key, value in params.items():
        if key not in known or type(value) not in _WORDS:
            continue
        wanted = [w for w in _alternatives(known[key].annotation) if w in _WORDS or get_origin(w) is Literal]
        if wanted and not any(_fits(value, w) for w in wanted):
            raise InputError(f"{name}({key}={value!r}): {_told(key, value, wanted)}")


def canonical(
    factory: Callable[..., Any], params: Mapping[str, Value], preset: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Value]:
    """The same parameters in one way of writing them: in the order of the signature, those at their default left out.

    A whole number is a float where only floats are declared. `preset` replaces defaults of the signature. Parameters
    that the factory does not name come last, by name.
    """
    try:
        known = signature_of(factory).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        known = MappingProxyType({})
    given = {key: _as_declared(params[key], known[key].annotation) for key in known if key in params}
    defaults = {key: preset.get(key, known[key].default) for key in given}
    written = {key: value for key, value in given.items() if not _equal(value, defaults[key], known[key].annotation)}
    return written | {key: params[key] for key in sorted(params) if key not in known}


def _as_declared(value: Value, annotation: Any) -> Value:
    wanted = _alternatives(annotation)
    return float(value) if type(value) is int and float in wanted and int not in wanted else value


def _equal(value: Value, default: Any, annotation: Any) -> bool:
    """Whether a factory cannot tell a value from the default."""
    default = _as_declared(default, annotation)
    return type(value) is type(default) and bool(value == default)


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """`int | None` -> (int, None). Nothing where anything goes."""
    found = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return () if any(w is Any or w is object for w in found) else found


def _fits(value: bool | int | float | str, wanted: Any) -> bool:
    if get_origin(wanted) is Literal:
        return any(type(value) is type(allowed) and value == allowed for allowed in get_args(wanted))
    if wanted is float:
        return type(value) is int or (type(value) is float and not math.isnan(value))
    return type(value) is wanted


def _told(key: str, value: bool | int | float | str, wanted: list[Any]) -> str:
    names = [str(allowed) for w in wanted if get_origin(w) is Literal for allowed in get_args(w)]
    words = [_WORDS[w] for w in wanted if w in _WORDS]
    if not words:
        return f"allowed are {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"
    quoted = f"; write {key}='{value}'" if str in wanted else ""
    return f"{key} must be {' or '.join([*words, *names])}{quoted}"
