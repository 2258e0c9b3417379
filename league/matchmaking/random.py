"""Random groups: the baseline for every other matchmaker."""

from __future__ import annotations

from league.matchmaking.adaptive import Adaptive
from league.matchmaking.arrays import Generator
from league.matchmaking.groups import Group
from league.matchmaking.results_table import ResultsTable


class Random(Adaptive):
    """Draws every group at random; bridging matches only if `bridge` asks for them."""

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns independent groups."""
        return [tuple(rng.choice(table.size, seats, replace=False).tolist()) for _ in range(pairings)]
