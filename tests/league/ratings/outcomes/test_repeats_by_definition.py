"""`Repeats` agrees with the definition of a repeat, in any order of arrival and after every unit."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from league.ratings.outcomes.repeats import CellKey, Repeats

Units = Mapping[int, Sequence[CellKey | None]]


def is_repeat(units: Units, index: int, until: int = 1 << 62) -> bool:
    """Each match of the unit is in a cell with one transcript, and not in the cell's first unit."""
    for key in units[index]:
        if key is None:
            return False
        cell = [(n, k.transcript) for n, ks in units.items() if n <= until for k in ks if k and k.cell == key.cell]
        if len({transcript for _, transcript in cell}) > 1 or min(n for n, _ in cell) == index:
            return False
    return True


@pytest.mark.parametrize("seed", range(300))
def test_every_state(seed: int) -> None:
    rng = random.Random(seed)

    def key() -> CellKey | None:
        return CellKey(rng.randrange(3), rng.choice([1, 1, 1, 2])) if rng.random() < 0.95 else None

    units = {n: [key() for _ in range(rng.choice([1, 1, 2]))] for n in range(rng.randrange(1, 9))}
    repeats, entered, evidence = Repeats(), dict[int, Sequence[CellKey | None]](), dict[int, bool]()
    for index in rng.sample(list(units), len(units)):
        change = repeats.enter(index, units[index])
        entered[index] = units[index]
        evidence[index] = not change.repeats
        evidence |= dict.fromkeys(change.displaced, False) | dict.fromkeys(change.restored, True)
        for n in entered:
            assert evidence[n] != is_repeat(entered, n)
            assert repeats.repeats(n) == is_repeat(entered, n)
            assert repeats.repeats_so_far(n) == is_repeat(entered, n, n)
    in_order = [m for n in units for m in ([] if repeats.repeats_so_far(n) else [n]) + repeats.released(n)]
    assert sorted(in_order) == [n for n in units if not is_repeat(units, n)]
