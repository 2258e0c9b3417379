"""Actions of any gymnasium space as text: names for discrete ones, JSON for the others."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from gymnasium import spaces as gym

from games.errors import IllegalAction, InputError
from games.quoting import byte_length

_MAX_BYTES = 100_000
_SAMPLES = 4


def names(space: Any, most: int) -> tuple[tuple[str, Any], ...] | None:
    """Returns the texts and actions of a discrete space with at most `most` actions, else None."""
    if isinstance(space, gym.Discrete) and space.n <= most:
        start = int(space.start)
        return tuple((str(i), i) for i in range(start, start + int(space.n)))
    describe(space)  # raises InputError for a space without a text form
    return None


def describe(space: Any) -> str:
    """Returns the form of an action, in words. Raises InputError for a space that has no text form."""
    match space:
        case gym.Discrete():
            return f"a whole number from {space.start} to {space.start + space.n - 1}"
        case gym.Text():
            alphabet = "".join(sorted(space.character_set))[:100]
            return f"a text of {space.min_length} to {space.max_length} of the characters {alphabet}"
        case gym.MultiDiscrete():
            low = space.start.tolist()
            return f"a JSON list of whole numbers from {low} to {(space.start + space.nvec - 1).tolist()}"
        case gym.MultiBinary():
            return f"a JSON list of 0 and 1 of shape {space.shape}"
        case gym.Box():
            kind = "whole numbers" if np.issubdtype(space.dtype, np.integer) else "numbers"
            return f"a JSON list of {kind} of shape {space.shape}, from {_bound(space.low)} to {_bound(space.high)}"
        case gym.Tuple():
            return f"a JSON list of {len(space.spaces)}: " + "; ".join(describe(s) for s in space.spaces)
        case gym.Dict():
            return "a JSON object with " + "; ".join(f'"{k}": {describe(s)}' for k, s in space.spaces.items())
    raise InputError(f"actions of the space {type(space).__name__} have no text form; use Discrete, Box or the like")


def read(space: Any, text: str, seat: str | None = None) -> Any:
    """Returns the member of `space` that `text` describes. Raises IllegalAction with the reason."""
    if byte_length(text) > _MAX_BYTES:
        raise IllegalAction(f"the action is longer than {_MAX_BYTES} bytes", seat)
    try:
        if isinstance(space, gym.Text):
            return _member(space, text, text)
        value = json.loads(text, parse_constant=_no_constant)
        return _decode(space, value)
    except IllegalAction as error:
        raise IllegalAction(str(error), seat) from None
    except (ValueError, RecursionError, OverflowError):
        raise IllegalAction(f"{text[:60]!r} is not JSON; an action is {describe(space)}", seat) from None


def write(space: Any, action: Any) -> str:
    """Returns the text from which `read` returns `action`."""
    return str(action) if isinstance(space, gym.Text) else json.dumps(_plain(action))


def samples(space: Any) -> tuple[str, ...]:
    """Returns a few members as text, the same in every process."""
    clone = copy.deepcopy(space)
    clone.seed(0)
    return tuple(dict.fromkeys(write(clone, clone.sample()) for _ in range(_SAMPLES)))


def _decode(space: Any, value: Any) -> Any:
    match space:
        case gym.Discrete() | gym.Text():
            return _member(space, value, value)
        case gym.Box() | gym.MultiDiscrete() | gym.MultiBinary():
            return _array(space, value)
        case gym.Tuple():
            if not isinstance(value, list) or len(value) != len(space.spaces):
                _refuse(space, value)
            return tuple(_decode(s, v) for s, v in zip(space.spaces, value, strict=True))
        case gym.Dict():
            if not isinstance(value, dict) or value.keys() != space.spaces.keys():
                _refuse(space, value)
            return {key: _decode(s, value[key]) for key, s in space.spaces.items()}
    return _refuse(space, value)


def _array(space: Any, value: Any) -> Any:
    whole = not isinstance(space, gym.Box) or np.issubdtype(space.dtype, np.integer)
    if not _numbers(value, whole):
        _refuse(space, value)
    try:
        with np.errstate(all="ignore"):
            wide = np.asarray(value, dtype=np.int64 if whole else np.float64)
            array = wide.astype(space.dtype)
    except (ValueError, OverflowError, TypeError):  # a ragged list, or more than 64 bits
        _refuse(space, value)
    # A number too large for the narrower type would wrap around into the space.
    if (whole and not np.array_equal(wide, array)) or not np.all(np.isfinite(array)):
        _refuse(space, value)
    return _member(space, array, value)


def _numbers(value: Any, whole: bool) -> bool:
    if isinstance(value, list):
        return all(_numbers(v, whole) for v in value)
    return isinstance(value, int if whole else int | float) and not isinstance(value, bool)


def _member(space: Any, action: Any, value: Any) -> Any:
    if isinstance(action, bool) or not space.contains(action):
        _refuse(space, value)
    return action


def _refuse(space: Any, value: Any) -> NoReturn:
    raise IllegalAction(f"{str(value)[:60]} is not allowed; an action is {describe(space)}")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


def _bound(array: Any) -> str:
    low, high = array.min(), array.max()
    return f"{low:g}" if low == high else json.dumps(array.tolist()).replace("Infinity", "inf")[:200]
