"""Writes any observation as text of bounded length: small arrays in full, large arrays and images summarised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

LIMIT = 6000
_MAX_FULL = 512
"""elements of an array that is written in full"""
_GRID = 8
"""cells along each side of the summary of an image"""
_MASK = "action_mask"


def render(observation: Any, limit: int = LIMIT) -> str:
    """Returns `observation` as text of at most `limit` characters, without its action mask."""
    text = _show(observation)
    if len(text) > limit:
        text = f"{text[: limit - 40]}\n... ({len(text) - limit + 40} more characters)"
    return text


def _show(value: Any) -> str:
    match value:
        case np.ndarray():
            return _array(value)
        case np.generic():
            return str(value.item())
        case str():
            return value
        case None | bool() | int() | float():
            return str(value)
        case Mapping():
            parts = {k: _show(v) for k, v in value.items() if k != _MASK}
            if list(parts) == ["observation"]:
                return parts["observation"]
            return "\n".join(f"{k}:{_block(v)}" for k, v in parts.items())
        case list() | tuple():
            return "\n".join(f"{i}:{_block(_show(v))}" for i, v in enumerate(value))
    # Not repr, which can contain an address: the same match must give the same text in every process.
    return f"a {type(value).__name__}"


def _block(text: str) -> str:
    return f"\n{text}" if "\n" in text else f" {text}"


def _array(array: Any) -> str:
    if array.ndim == 0:
        return str(array.item())
    numbers = np.issubdtype(array.dtype, np.number) or array.dtype == np.bool_
    if array.size <= _MAX_FULL or not numbers:
        values = array + 0 if numbers else array  # turns booleans into 0 and 1, and -0 into 0
        text = np.array2string(
            values, separator=" ", precision=4, suppress_small=True, max_line_width=110, threshold=_MAX_FULL
        )
        return text if array.ndim == 1 else f"shape {array.shape}\n{text}"
    if array.ndim == 3 and array.dtype == np.uint8 and array.shape[2] in (1, 3, 4):
        return _image(array)
    wide = array.astype(np.float64)
    return (
        f"an array of shape {array.shape}: from {wide.min():.4g} to {wide.max():.4g}, mean {wide.mean():.4g}, "
        f"{np.count_nonzero(array)} of {array.size} not zero; the first {_GRID}: "
        + " ".join(f"{x:.4g}" for x in wide.ravel()[:_GRID])
    )


def _image(array: Any) -> str:
    """Returns size, mean colour, and the brightness (0 to 9) of the cells of a coarse grid."""
    height, width, channels = array.shape
    grey = array[..., : min(channels, 3)].mean(axis=2)
    rows = [np.array_split(band, min(_GRID, width), axis=1) for band in np.array_split(grey, min(_GRID, height))]
    grid = "\n".join(" ".join(str(int(cell.mean() * 9.999 / 255)) for cell in row) for row in rows)
    colour = ", ".join(f"{c:.0f}" for c in array.reshape(-1, channels).mean(axis=0))
    return f"an image of {width} x {height} pixels, mean colour ({colour}); brightness from 0 to 9 on a grid:\n{grid}"
