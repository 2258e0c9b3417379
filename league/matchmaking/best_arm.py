"""Who is the best? Matches only among those who may be."""

from __future__ import annotations

import numpy as np

from league.matchmaking._arrays import Array, Generator
from league.matchmaking.adaptive import BATCH, Adaptive
from league.matchmaking.groups import Group
from league.matchmaking.posterior import fit
from league.matchmaking.table import Table

_TRIES = 64
BRIDGE = 0.1
"""Half of what the other matchmakers keep: the goal is one player, not all gaps."""


class FindBest(Adaptive):
    """Declared goal: the best player, with the fewest matches. Double Thompson sampling.

    Each seat is given to the best player of a fresh draw of all skills from their joint posterior, drawn again until
    it is a different player: so a player meets challengers as often as each may be the best. Wu and Liu, "Double
    Thompson sampling for dueling bandits", NIPS 2016, with the Gaussian posterior of the skills in place of one Beta
    per pair. It says little about who is 30th: for a whole ranking take `rank-all`.
    """

    def __init__(
        self, batch: int = BATCH, explore: float = 0.0, mirrored: bool | str = True, bridge: float = BRIDGE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def choose(self, table: Table, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Groups of players that are drawn as the best."""
        posterior = fit(table.counts)
        root = np.asarray(np.linalg.cholesky(posterior.covariance), np.float64)
        return [_winners(posterior.mean, root, seats, rng) for _ in range(pairings)]


def _winners(mean: Array, root: Array, seats: int, rng: Generator) -> Group:
    group: list[int] = []
    for _ in range(seats):
        skills = mean
        for _ in range(_TRIES):
            skills = mean + root @ rng.standard_normal(len(mean))
            if int(np.argmax(skills)) not in group:
                break
        skills[group] = -np.inf  # after all tries: the best of the others in the last draw
        group.append(int(np.argmax(skills)))
    return tuple(group)
