"""Runs of equal values, and different rows, of arrays of integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def runs_of(*columns: Ints) -> tuple[Ints, Ints]:
    """Returns the starts and lengths of the runs of rows that are equal in all columns."""
    changes = np.zeros(max(0, len(columns[0]) - 1), bool)
    for column in columns:
        changes |= np.diff(column) != 0
    starts = np.flatnonzero(np.concatenate([[len(columns[0]) > 0], changes]))
    return starts, np.diff(np.append(starts, len(columns[0])))


def stable_order(values: Ints) -> Ints:
    """Returns the stable order of numbers of 32 bits: of ten million in half the time of `argsort`."""
    places = values << 32 | np.arange(len(values))
    places.sort()
    return places & 0xFFFF_FFFF


def distinct(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Returns the place of one row of each kind, and the number of each row's kind. The values are not negative."""
    number, size = np.zeros(len(columns[0]), np.int64), len(columns[0])
    for column in columns:
        number = number * (int(column.max(initial=0)) + 1) + column
        if number.max(initial=0) < 4 * size:  # without sorting
            number = (np.cumsum(np.bincount(number) > 0) - 1)[number]
        else:
            _, number = np.unique(number, return_inverse=True)
    first = np.empty(int(number.max(initial=-1)) + 1, np.int64)
    first[number] = np.arange(size)
    return first, number


def parts_of(starts: Ints, sizes: Ints) -> Ints:
    """Returns the places of all parts of rows, each of which has `sizes` parts from its start on."""
    if len(sizes) and (sizes == sizes[0]).all():  # in a quarter of the time
        return np.asarray(np.add.outer(starts, np.arange(sizes[0])), np.int64).reshape(-1)
    before = np.cumsum(sizes) - sizes
    out: Ints = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return out
