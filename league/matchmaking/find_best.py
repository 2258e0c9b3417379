"""A matchmaker that finds the best player: only players who may be the best meet."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Adaptive, Batch, Mirrored, Share
from league.matchmaking.arrays import Array, Generator, Ints
from league.matchmaking.groups import Group
from league.matchmaking.results_table import ResultsTable
from league.matchmaking.skill_belief import drawn_skills

BRIDGE = 0.1
"""Half of the share that other matchmakers use, because the goal is one player and not all gaps."""


class FindBest(Adaptive):
    """Finds the best player with the fewest matches, by double Thompson sampling.

    Each seat goes to the best player of a random draw of all skills, from the draws behind the board's `P best`; a
    player that already has a seat is drawn again. So players meet as often as each may be the best. Wu and Liu, "Double
    Thompson sampling for dueling bandits", NIPS 2016, with the joint posterior of the skills instead of one Beta per
    pair. The result says little about the other ranks: use `rank-all` for a whole ranking.
    """

    def __init__(
        self, batch: Batch = BATCH, explore: Share = 0.0, mirrored: Mirrored = True, bridge: Share = BRIDGE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns groups of players that are drawn as the best."""
        skills = drawn_skills(table.counts)
        best = skills.argmax(0)
        return [_winners(skills, best, seats, rng) for _ in range(pairings)]


def _winners(skills: Array, best: Ints, seats: int, rng: Generator) -> Group:
    """Returns different players, each the best of one of the draws (n, D), whose best ones (D,) are given."""
    group: list[int] = []
    for _ in range(seats):
        others = np.flatnonzero(~np.isin(best, group))
        if len(others):
            group.append(int(best[rng.choice(others)]))
            continue
        skill = skills[:, rng.integers(skills.shape[1])].copy()  # every draw has its best player in a seat already
        skill[group] = -np.inf
        group.append(int(np.argmax(skill)))
    return tuple(group)
