"""Pairs of uncertain players that are an even match."""

from __future__ import annotations

import numpy as np

from league.matchmaking._arrays import Array, Generator
from league.matchmaking.adaptive import BATCH, Adaptive, Greedy
from league.matchmaking.groups import Group
from league.matchmaking.posterior import WIDTH, Posterior
from league.matchmaking.table import Table
from league.ratings import TrueSkill

_RULES = TrueSkill(mu=0.0, sigma=WIDTH, beta=1.0)
"""skills in units of beta, as the posterior has them"""


class Uncertainty(Greedy):
    """Worth of a pair: (sigma_a + sigma_b) x match quality / (1 + times met).

    Quality alone keeps replaying neighbours and takes twice the matches of random pairing in a close league. A quarter
    of the pairings is drawn by lot: without them 95% intervals covered 85% in such a league, with them 94%
    (scripts/simulate.py --spread 0.5 --cover-at 20).
    """

    def __init__(
        self, batch: int = BATCH, explore: float = 0.0, mirrored: bool | str = True, bridge: float = 0.25
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def worth(self, posterior: Posterior, met: Array) -> Array:
        """See the class."""
        sigma = np.sqrt(np.diag(posterior.covariance))
        value: Array = np.add.outer(sigma, sigma) * _RULES.qualities(posterior.mean, sigma) / (1.0 + met)
        return value


class Random(Adaptive):
    """Groups drawn by lot: the measure of every other matchmaker, without bridging matches unless asked for."""

    def choose(self, table: Table, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Each group independent of everything."""
        return [tuple(rng.choice(table.size, seats, replace=False).tolist()) for _ in range(pairings)]
