"""The fold of a sequential rating method over a table of outcomes that changes anywhere.

TrueSkill depends on order, and concurrent matches end in any order; a repeat becomes evidence when its cell shows
another transcript. `Replay` goes back to a checkpoint before the first change and applies all units after it again, so
the state is at every moment that of a new fold of the evidence in plan order, bit for bit.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import numpy as np

from league.outcomes.arrays import Ints
from league.outcomes.table import Outcomes
from league.outcomes.units import RatedUnit

S = TypeVar("S")
SPACING = 256
"""units between two checkpoints; older ones lie further apart"""


class Rated(Protocol[S]):
    """What a replay updates."""

    def apply(self, unit: RatedUnit) -> None:
        """Rate a unit."""

    def save(self) -> S:
        """Returns the state, for `load`."""

    def load(self, saved: S) -> None:
        """Return to a state."""


class Replay(Generic[S]):
    """Keeps `state` up to date with the rows that it is given."""

    def __init__(self, state: Rated[S]) -> None:
        self._state = state
        self._done: Ints = np.zeros((2, 0), np.int64)
        """plan index and kind of the applied units"""
        self._saved: list[tuple[int, S]] = [(0, state.save())]
        """number of applied units, state after them"""

    def update(self, rows: Outcomes) -> None:
        """Apply the evidence of a later state of the table that the last call gave."""
        rows = rows.evidence()
        now = np.stack([rows.index, rows.unit])
        both = min(now.shape[1], self._done.shape[1])
        changed = np.flatnonzero((now[:, :both] != self._done[:, :both]).any(0))
        start = int(changed[0]) if len(changed) else both
        if start < self._done.shape[1]:
            while self._saved[-1][0] > start:
                self._saved.pop()
            start, saved = self._saved[-1]
            self._state.load(saved)
        for done, unit in enumerate(rows.unit[start:].tolist(), start):
            if done % SPACING == 0 and done > self._saved[-1][0]:
                self._saved = [one for one in self._saved if _kept(one[0], done)]
                self._saved.append((done, self._state.save()))
            self._state.apply(rows.units[unit])
        self._done = now


def _kept(place: int, newest: int) -> bool:
    """Whether a checkpoint stays: a few per power of two of its distance."""
    age = (newest - place) // SPACING
    return bool(place // SPACING % (1 << max(0, age.bit_length() - 3)) == 0)
