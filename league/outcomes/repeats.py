"""Matches of deterministic players that repeat each other move for move: they are counted, but are evidence only once.

A cell holds the matches of one game with the same players in the same seats, the same task and the same opening; in a
game with chance also with the same seed, which decides the chance. Deterministic players play the same match each time
they meet in a cell. So the matches of a cell that has never shown two transcripts count as one: the first in plan
order. Players that choose at random show another transcript sooner or later. Equal matches are then independent draws,
and each of them counts. Where all players declare themselves deterministic (`Player.deterministic`), the hash of a
match is that of its cell, so a cell shows one transcript whatever a fault of a machine changed.

A pairing that is rated as one repeats if each of its matches does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from league.outcomes.arrays import Ints, runs_of, stable_order
from league.records.matches import CELL

NEVER = 1 << 62
"""the plan index after all others"""


def evidence_since(at: Ints, transcript: Ints, seed: Ints, chance: NDArray[np.bool_]) -> Ints:
    """Returns (M,): the plan index from which each match is evidence, `NEVER` for one that repeats others.

    `at`, in ascending order: the place in the plan of the last match that is rated with it; `chance`: whether its game
    has chance. A match without a transcript repeats no other. The first of a cell and those that come after a second
    transcript are evidence from their own place on, those between them from that of the second transcript.
    """
    since = at.copy()
    rows = np.flatnonzero(transcript)
    if not len(rows):
        return since
    at, cell = at[rows], transcript[rows] >> CELL
    if chance.any():
        decided = np.where(chance[rows], seed[rows], 0)
        order = np.lexsort((decided, cell))
        starts, sizes = runs_of(cell[order], decided[order])
    else:
        order = stable_order(cell)
        starts, sizes = runs_of(cell[order])
    at, transcript = at[order], transcript[rows[order]]
    differs = transcript != np.repeat(transcript[starts], sizes)
    second = np.minimum.reduceat(np.where(differs, at, NEVER), starts)
    evidence = np.maximum(at, np.repeat(second, sizes))
    evidence[starts] = at[starts]
    since[rows[order]] = evidence
    return since
