"""Checks the parameters of an id against the signature of a factory.

An id holds truth values, numbers and texts. The annotation of a parameter says which of them it takes: `bool`, `int`,
`float | None`, `Literal["a", "b"]`. `annotated_types` gives numbers their bounds: `Annotated[int, Ge(1)]`,
`Annotated[float, Interval(gt=0, le=1)]`. A parameter without an annotation, or with other types only, is passed on
unchecked.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, GroupedMetadata, Gt, Le, Lt

from games.errors import InputError
from games.naming import Value

TYPE_WORDS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_Bound = Ge | Gt | Le | Lt


class _Alternative(NamedTuple):
    """One type that a parameter takes, with the bounds of a number."""

    type: Any
    bounds: tuple[_Bound, ...]

    def accepts(self, value: Value) -> bool:
        if get_origin(self.type) is Literal:
            return any(type(value) is type(allowed) and value == allowed for allowed in get_args(self.type))
        if self.type is float:
            fits = type(value) is int or (type(value) is float and not math.isnan(value))
        else:
            fits = type(value) is self.type
        return fits and all(holds(value, limit) for _, holds, limit in map(_comparison, self.bounds))

    def words(self) -> list[str]:
        """Returns what is allowed, for an error message."""
        if get_origin(self.type) is Literal:
            choices = get_args(self.type)  # the empty one, if there is one, is named last
            return [str(choice) for choice in choices if choice != ""] + ["nothing ('')"] * ("" in choices)
        return [TYPE_WORDS[self.type] + _range(self.bounds)] if self.type in TYPE_WORDS else []


@lru_cache(256)
def signature_of(factory: Callable[..., Any]) -> inspect.Signature:
    """Returns the signature of a factory, with annotations as types if all their names are known at run time."""
    try:
        return inspect.signature(factory, eval_str=True)
    except Exception:  # noqa: BLE001  evaluating an annotation of a plugin can raise anything
        return inspect.signature(factory)


def check_parameters(name: str, factory: Callable[..., Any], params: Mapping[str, Any]) -> None:
    """Raises InputError for the first parameter that has the wrong type or is out of bounds."""
    declarations = signature_of(factory).parameters
    for key, value in params.items():
        if key not in declarations or type(value) not in TYPE_WORDS:
            continue
        alternatives = _alternatives(declarations[key].annotation)
        allowed = _joined(alternatives)
        if allowed and not any(a.accepts(value) for a in alternatives):
            quoted = f"; write {key}='{value}'" if any(a.type is str for a in alternatives) else ""
            raise InputError(f"{name}({key}={value!r}): {key} must be {allowed}{quoted}")


def wrong_default(factory: Callable[..., Any]) -> str:
    """Returns the first default of a factory that no id could write: of a wrong type or out of bounds; else ""."""
    for key, parameter in signature_of(factory).parameters.items():
        alternatives = _alternatives(parameter.annotation)
        allowed = _joined(alternatives)
        if (
            allowed
            and type(parameter.default) in TYPE_WORDS
            and not any(a.accepts(parameter.default) for a in alternatives)
        ):
            return f"the default {key}={parameter.default!r} is not allowed: {key} must be {allowed}"
    return ""


def in_words(annotation: Any) -> str:
    """Returns the values that an annotation allows an id to write, such as `a whole number from 1 to 8`; "" if any."""
    return _joined(_alternatives(annotation))


def _joined(alternatives: Sequence[_Alternative]) -> str:
    words = [word for alternative in alternatives for word in alternative.words()]
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def canonical(
    factory: Callable[..., Any], params: Mapping[str, Value], preset: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Value]:
    """Returns the parameters in canonical form: in the order of the signature, without those at their default.

    A whole number becomes a float if the annotation names float but not int. `preset` replaces defaults of the
    signature. Parameters that the signature does not name come last, sorted.
    """
    try:
        declarations = signature_of(factory).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        declarations = MappingProxyType({})
    values = {key: _as_declared(params[key], declarations[key].annotation) for key in declarations if key in params}
    defaults = {key: preset.get(key, declarations[key].default) for key in values}
    written = {
        key: value for key, value in values.items() if not _equal(value, defaults[key], declarations[key].annotation)
    }
    return written | {key: params[key] for key in sorted(params) if key not in declarations}


def _as_declared(value: Value, annotation: Any) -> Value:
    types = [a.type for a in _alternatives(annotation)]
    return float(value) if type(value) is int and float in types and int not in types else value


def _equal(value: Value, default: Any, annotation: Any) -> bool:
    """Returns whether a factory cannot distinguish a value from the default."""
    default = _as_declared(default, annotation)
    return type(value) is type(default) and bool(value == default)


def _alternatives(annotation: Any) -> tuple[_Alternative, ...]:
    """Returns the types of `Annotated[int, Ge(1)] | None`: int with its bound, and None; empty if all are allowed."""
    alternatives = tuple(_flattened(annotation, ()))
    return () if any(a.type is Any or a.type is object for a in alternatives) else alternatives


def _flattened(annotation: Any, bounds: tuple[_Bound, ...]) -> Iterator[_Alternative]:
    if get_origin(annotation) is Annotated:
        annotation, *metadata = get_args(annotation)
        flat = [m for item in metadata for m in (item if isinstance(item, GroupedMetadata) else [item])]
        bounds += tuple(m for m in flat if isinstance(m, _Bound))
        yield from _flattened(annotation, bounds)
    elif get_origin(annotation) in (Union, UnionType):
        for inner in get_args(annotation):
            yield from _flattened(inner, bounds)
    else:
        yield _Alternative(annotation, bounds if annotation in (int, float) else ())


def _range(bounds: tuple[_Bound, ...]) -> str:
    """Returns the bounds in words: ` from 1 to 12`, ` >= 1`, ` > 0 and <= 1`."""
    limits = {sign: limit for sign, _, limit in map(_comparison, bounds)}
    if limits.keys() == {">=", "<="}:
        return f" from {limits['>=']} to {limits['<=']}"
    return " and".join(f" {sign} {limit}" for sign, limit in limits.items())


def _comparison(bound: _Bound) -> tuple[str, Callable[[Any, Any], bool], Any]:
    match bound:
        case Ge(ge=limit):
            return ">=", operator.ge, limit
        case Gt(gt=limit):
            return ">", operator.gt, limit
        case Le(le=limit):
            return "<=", operator.le, limit
        case Lt(lt=limit):
            return "<", operator.lt, limit
