"""Prioritised fictitious self-play as a tournament pairing."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Adaptive, Batch, Share
from league.matchmaking.arrays import Array, Generator, Ints
from league.matchmaking.groups import Group
from league.matchmaking.pfsp_weights import Kind, weights
from league.matchmaking.results_table import ResultsTable


class Pfsp(Adaptive):
    """Each player in turn meets opponents drawn by its win rates against them, weighted by `kind`."""

    def __init__(self, kind: Kind = "variance", batch: Batch = BATCH, explore: Share = 0.0) -> None:
        super().__init__(batch, explore)
        self.kind = kind

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns players with the fewest pairings choose first; ties are broken at random."""
        load = table.meetings.sum(1) + rng.random(table.size) * 0.5
        groups = []
        for _ in range(pairings):
            player = int(np.argmin(load))
            others = np.array([i for i in range(table.size) if i != player])
            p = weights(table.win_rates(player)[others], self.kind)
            group = (player, *_draw(others, p, seats - 1, rng))
            load[list(group)] += 1.0
            groups.append(group)
        return groups


def _draw(others: Ints, weight: Array, size: int, rng: Generator) -> list[int]:
    """Returns `size` different opponents, drawn by weight; the rest evenly if too few have a positive weight."""
    order = rng.permutation(len(others))
    keys = np.full(len(others), np.inf)
    some = weight > 0.0
    keys[some] = rng.exponential(size=int(some.sum())) / weight[some]  # the smallest keys are a weighted sample
    ranked = sorted(order.tolist(), key=lambda i: float(keys[i]))
    return [int(others[i]) for i in ranked[:size]]
