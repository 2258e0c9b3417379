"""Groups of players for one pairing, chosen by the worth of each two."""

from __future__ import annotations

import numpy as np

from league.matchmaking._arrays import Array, Mask

Group = tuple[int, ...]
"""places in the table's names"""


def best_group(worth: Array, free: Mask, seats: int) -> Group:
    """The pair worth most among the players that are `free` (n,) bool, then who adds most to it, seat by seat."""
    table = np.where(np.logical_and.outer(free, free), worth, -np.inf)
    np.fill_diagonal(table, -np.inf)
    i, j = np.unravel_index(int(np.argmax(table)), table.shape)
    group = [int(i), int(j)]
    while len(group) < seats:
        gain = table[group].sum(0)  # -inf on the diagonal keeps the seated out
        group.append(int(np.argmax(gain)))
    return tuple(group)
