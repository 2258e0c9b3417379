"""Chooses the group of players whose pairs have the highest values."""

from __future__ import annotations

import numpy as np

from league.matchmaking.arrays import Array, Mask

Group = tuple[int, ...]
"""indices into the names of a results table"""


def best_group(value: Array, free: Mask, seats: int) -> Group:
    """Returns the most valuable pair among the `free` (n,) players, extended seat by seat by the player that adds most.

    `value` (n, n) is the value of pairing each two players.
    """
    table = np.where(np.logical_and.outer(free, free), value, -np.inf)
    np.fill_diagonal(table, -np.inf)
    i, j = np.unravel_index(int(np.argmax(table)), table.shape)
    group = [int(i), int(j)]
    while len(group) < seats:
        gain = table[group].sum(0)  # -inf on the diagonal excludes players who already have a seat
        group.append(int(np.argmax(gain)))
    return tuple(group)
