"""Matches of deterministic players that repeat each other move for move: they are counted, but are evidence only once.

A cell holds the matches of one game with the same players in the same seats, the same task and the same opening; in a
game with chance also with the same seed, which decides the chance. Deterministic players play the same match each time
they meet in a cell. So the matches of a cell that has never shown two transcripts count as one: the first in plan
order. Players that choose at random show another transcript sooner or later. Equal matches are then independent draws,
and each of them counts. Where all players declare themselves deterministic (`Player.deterministic`), the hash of a
match is that of its cell, so a cell shows one transcript whatever a fault of a machine changed.

A pairing that is rated as one repeats if each of its matches does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from league.records.game_info import GameInfo
from league.records.matches import Result, cell_of

NEVER = 1 << 62
"""the plan index after all others"""


class CellKey(NamedTuple):
    """Where a match belongs, and what was played."""

    cell: Hashable
    transcript: int


def key_of(result: Result, info: GameInfo) -> CellKey | None:
    """Returns the cell and the transcript of a match; None for a match that repeats no other."""
    if not result.transcript:
        return None
    cell = cell_of(result.transcript)
    return CellKey((cell, result.seed) if info.chance else cell, result.transcript)


class EvidenceChange(NamedTuple):
    """What a new unit changes in the evidence of the whole log."""

    repeats: bool
    """whether the unit is no evidence"""
    displaced: Sequence[int] = ()
    """earlier entered units that are no evidence any more: the new one comes before them in the plan"""
    restored: Sequence[int] = ()
    """units that are evidence again: their cell now shows a second transcript"""
    settled: Sequence[int] = ()
    """units that can never repeat again"""


class _Cell:
    """The units of a cell up to the first that differs from the first of all."""

    __slots__ = ("differs", "first", "run", "transcript")

    def __init__(self, index: int, transcript: int) -> None:
        self.transcript, self.first, self.differs = transcript, index, NEVER
        self.run = {index}
        """plan indices below `differs`, all with the same transcript"""

    def enter(self, index: int, transcript: int) -> set[int]:
        """Adds a unit. Returns the units that leave the run."""
        if transcript == self.transcript:
            if index < self.differs:
                self.run.add(index)
                self.first = min(self.first, index)
                return set()
            return {index}
        if index > self.first:
            self.differs = min(self.differs, index)
            left = {other for other in self.run if other > self.differs}
            self.run -= left
            return left | {index}
        self.differs, left = self.first, self.run
        self.transcript, self.first, self.run = transcript, index, {index}
        return left

    def repeats(self, index: int, until: int) -> bool:
        """Whether a unit repeats the first one, seen from the plan index `until`."""
        return index in self.run and index != self.first and self.differs >= until


class Repeats:
    """Finds which units of evidence (matches, or pairings that are rated as one) repeat earlier ones.

    Units are entered in any order. A unit is named by the plan index of its last match, which no other unit shares.
    """

    def __init__(self) -> None:
        self._cells: dict[Hashable, _Cell] = {}
        self._of: dict[int, tuple[_Cell, ...]] = {}
        """units that may still repeat -> their cells"""
        self._differing: dict[int, list[_Cell]] = {}
        """unit -> cells in which it was the first that differs"""

    def enter(self, index: int, keys: Iterable[CellKey | None]) -> EvidenceChange:
        """Adds a unit. Returns what changes in the evidence of all units entered so far."""
        keys = tuple(keys)
        before = self._doubtful(index, keys)
        cells, settled = [], set[int]()
        for key in keys:
            if key is None:
                settled.add(index)
                continue
            cell = self._cells.get(key.cell)
            if cell is None:
                cell = self._cells[key.cell] = _Cell(index, key.transcript)
            else:
                settled |= cell.enter(index, key.transcript)
            cells.append(cell)
            if cell.differs != NEVER and cell not in self._differing.setdefault(cell.differs, []):
                self._differing[cell.differs].append(cell)
        self._of[index] = tuple(cells)
        for unit in settled:
            self._of.pop(unit, None)
        after = {unit: self.repeats(unit) for unit in before}
        displaced = [unit for unit, repeated in before.items() if after[unit] and not repeated]
        restored = [unit for unit, repeated in before.items() if repeated and not after[unit]]
        return EvidenceChange(self.repeats(index), sorted(displaced), sorted(restored), sorted(settled))

    def repeats(self, index: int) -> bool:
        """Whether a unit is no evidence, given all units entered so far."""
        return self._repeated(index, NEVER)

    def repeats_so_far(self, index: int) -> bool:
        """Whether a unit is no evidence, given the units entered so far that are not after it in the plan."""
        return self._repeated(index, index)

    def released(self, index: int) -> list[int]:
        """Returns the units before `index` in the plan that are evidence from it on: it differs from them."""
        cells = [cell for cell in self._differing.get(index, ()) if cell.differs == index]
        units = {unit for cell in cells for unit in cell.run}
        return sorted(unit for unit in units if self._repeated(unit, index))

    def _repeated(self, index: int, until: int) -> bool:
        cells = self._of.get(index, ())
        return bool(cells) and all(cell.repeats(index, until) for cell in cells)

    def _doubtful(self, index: int, keys: Sequence[CellKey | None]) -> dict[int, bool]:
        """Returns the units whose evidence a new unit may change, and whether they repeat now."""
        units = set[int]()
        for key in keys:
            cell = None if key is None else self._cells.get(key.cell)
            if cell is None or key is None or cell.differs != NEVER:
                continue
            units |= cell.run if key.transcript != cell.transcript else {cell.first} if index < cell.first else set()
        return {unit: self.repeats(unit) for unit in units}
