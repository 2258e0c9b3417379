"""Counts of comparisons as arrays: all that the batch fit needs of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Units:
    """Sets of comparisons that belong together: all matches of a task share what it is worth to each player, and those
    of a pairing without one its seed and luck. Each different set of few comparisons is listed once.

    `unit`, `cell`, `outcome` (K,): the parts of all sets; `count` and `game` (U,): how often each set happened, and in
    which game.
    """

    unit: Ints
    cell: Ints
    outcome: Ints
    count: Ints
    game: Ints

    @classmethod
    def none(cls) -> Units:
        """Returns no sets."""
        return cls(*(np.zeros(0, np.int64) for _ in range(5)))


@dataclass(frozen=True)
class Counts:
    """Comparisons counted by cell. A cell is who met whom in which seats of which game (`comparisons.Cell`).

    `columns` (8, C): game, a, b, seat of a, seat of b, role of a, role of b (places in `games`, `players`, the game's
    sides, `roles`), and how many players the outcome ranked. `n` (3, C): wins of a, draws, losses of a. `covariates`
    (K, C): numbers that move the gap of a cell, such as how much longer the answers of a were.
    """

    players: tuple[str, ...]
    games: tuple[str, ...]
    roles: tuple[str, ...]
    columns: Ints
    n: Ints
    units: Units = field(default_factory=Units.none)
    covariates: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))

    @classmethod
    def of_matches(cls, players: Sequence[str], first: Any, second: Any, outcome: Any, game: str = "game") -> Counts:
        """Two-seat matches of one game: arrays (M,) of places in `players` and of results of the first seat, 0 win,
        1 draw, 2 loss. Raises ValueError for a place out of range or a player that meets itself.
        """
        first, second, outcome = (np.asarray(column, np.int64) for column in (first, second, outcome))
        n = len(players)
        if len(first) and not (min(first.min(), second.min()) >= 0 and max(first.max(), second.max()) < n):
            raise ValueError(f"places of players must lie in 0..{n - 1}")
        if (first == second).any() or (len(outcome) and not (outcome.min() >= 0 and outcome.max() <= 2)):
            raise ValueError("a match needs two different players and an outcome of 0, 1 or 2")
        table = np.bincount((outcome * n + first) * n + second, minlength=3 * n * n).reshape(3, n * n)
        pairs = np.flatnonzero(table.any(0))
        zero, one = np.zeros(len(pairs), np.int64), np.ones(len(pairs), np.int64)
        columns = np.stack([zero, pairs // n, pairs % n, zero, one, zero, one, 2 * one])
        return cls(tuple(players), (game,), ("first", "second"), columns, table[:, pairs])

    @property
    def game(self) -> Ints:
        """(C,) places in `games`."""
        out: Ints = self.columns[0]
        return out

    @property
    def a(self) -> Ints:
        """(C,) places in `players`."""
        out: Ints = self.columns[1]
        return out

    @property
    def b(self) -> Ints:
        """(C,) places in `players`."""
        out: Ints = self.columns[2]
        return out

    @property
    def weight(self) -> NDArray[np.float64]:
        """(C,) weight of one comparison."""
        out: NDArray[np.float64] = 3.0 / (self.columns[7] + 1.0)
        return out

    def only(self, game: str) -> Counts:
        """Returns the comparisons of one game; `players` stay the same."""
        place = self.games.index(game)
        keep = self.game == place
        number = np.cumsum(keep) - 1
        u = self.units
        kept_units = u.game == place
        parts = kept_units[u.unit] if len(u.unit) else np.zeros(0, bool)
        units = Units(
            (np.cumsum(kept_units) - 1)[u.unit[parts]],
            number[u.cell[parts]],
            u.outcome[parts],
            u.count[kept_units],
            np.zeros(int(kept_units.sum()), np.int64),
        )
        columns = self.columns[:, keep]
        columns[0] = 0
        covariates = self.covariates[:, keep] if len(self.covariates) else self.covariates
        return Counts(self.players, (game,), self.roles, columns, self.n[:, keep], units, covariates)


def canonical(units: Units) -> Units:
    """Returns the sets in an order that does not depend on arrival, so that sums over them agree bit for bit.

    The parts of a set are sorted by cell and outcome, the sets by their parts; sets that never happened are left out.
    """
    kept = units.count[units.unit] > 0 if len(units.unit) else np.zeros(0, bool)
    unit, cell, outcome = (column[kept] for column in (units.unit, units.cell, units.outcome))
    parts = np.lexsort((outcome, cell, unit))
    unit, cell, outcome = unit[parts], cell[parts], outcome[parts]
    sets, first, length = np.unique(unit, return_index=True, return_counts=True)
    if not len(sets):
        return Units.none()
    number = np.repeat(np.arange(len(sets)), length)
    within = np.arange(len(unit)) - first[number]
    table = np.full((int(length.max()), len(sets)), -1, np.int64)
    table[within, number] = 3 * cell + outcome
    order = np.lexsort(table[::-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    moved = np.argsort(place[number], kind="stable")
    columns = place[number][moved], cell[moved], outcome[moved]
    return Units(*columns, units.count[sets][order], units.game[sets][order])
