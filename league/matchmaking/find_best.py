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

    Everyone plays its first two matches before anybody is sought, so that no good player is left out.
    """

    def __init__(self, batch: Batch = BATCH, mirrored: Mirrored = "auto", bridge: Share = BRIDGE) -> None:
        super().__init__(batch, mirrored, bridge)

    def opening(self, players: int) -> int:
        """Returns the pairings of each player that come first."""
        return 1 if self.mirrored is True else 2

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns groups of players that are drawn as the best, after those that have played least."""
        skills, played = drawn_skills(table.counts), table.meetings.sum(1)
        best, groups = skills.argmax(0), list[Group]()
        for _ in range(pairings):
            first = list[int]()
            if played.mean() < self.opening(table.size) * (seats - 1):
                first = np.lexsort((rng.random(len(played)), played))[:seats].tolist()
            groups.append(_with_winners(first, skills, best, seats, rng))
            played[list(groups[-1])] += seats - 1
        return groups


def _with_winners(group: list[int], skills: Array, best: Ints, seats: int, rng: Generator) -> Group:
    """Returns the group with others, each the best of one of the draws (n, D), whose best ones (D,) are given."""
    for _ in range(seats - len(group)):
        others = np.flatnonzero(~np.isin(best, group))
        if len(others):
            group.append(int(best[rng.choice(others)]))
            continue
        skill = skills[:, rng.integers(skills.shape[1])].copy()  # every draw has its best player in a seat already
        skill[group] = -np.inf
        group.append(int(np.argmax(skill)))
    return tuple(group)
