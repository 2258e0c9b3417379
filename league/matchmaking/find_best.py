"""A matchmaker that finds the best player: only players who may be the best meet."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Adaptive, Batch, Mirrored, Share
from league.matchmaking.arrays import Array, Generator
from league.matchmaking.groups import Group
from league.matchmaking.results_table import ResultsTable
from league.matchmaking.skill_belief import fit

_TRIES = 64
BRIDGE = 0.1
"""Half of the share that other matchmakers use, because the goal is one player and not all gaps."""


class FindBest(Adaptive):
    """Finds the best player with the fewest matches, by double Thompson sampling.

    Each seat goes to the best player of a fresh draw of all skills from their joint posterior; a player that already
    has a seat is drawn again. So players meet as often as each may be the best. Wu and Liu, "Double Thompson sampling
    for dueling bandits", NIPS 2016, with the Gaussian posterior of the skills instead of one Beta per pair. The result
    says little about the other ranks: use `rank-all` for a whole ranking.
    """

    def __init__(
        self, batch: Batch = BATCH, explore: Share = 0.0, mirrored: Mirrored = True, bridge: Share = BRIDGE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns groups of players that are drawn as the best."""
        belief = fit(table.counts)
        root = np.asarray(np.linalg.cholesky(belief.covariance), np.float64)
        return [_winners(belief.mean, root, seats, rng) for _ in range(pairings)]


def _winners(mean: Array, root: Array, seats: int, rng: Generator) -> Group:
    group: list[int] = []
    for _ in range(seats):
        skills = mean
        for _ in range(_TRIES):
            skills = mean + root @ rng.standard_normal(len(mean))
            if int(np.argmax(skills)) not in group:
                break
        skills[group] = -np.inf  # if every try failed: the best of the others in the last draw
        group.append(int(np.argmax(skills)))
    return tuple(group)
