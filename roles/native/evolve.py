"""The evolver of evolve-v1; its solvers are those of `proposer_solver`."""

from __future__ import annotations

from roles.native.proposer_solver import Proposer


class Evolver(Proposer):
    """Changes a task that solvers tried; credited like a proposer by the solve rate of the variant.

    difficulty: D, such as gaussian(sigma=0.1) or gap; empty: the game's own (`pays`).
    """

    name = "evolver"
