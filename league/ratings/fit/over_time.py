"""Players that change: their skill as a random walk over the parts of their matches, of which the last is the present.

A player for which the check of `drift` finds a trend is replaced by a chain of players, one for each few of its matches
in plan order, each the child of the one before. That is a Gaussian random walk with an estimated step and mean gain,
as for the snapshots of a training (`prior`); the last one keeps the player's name.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from league.ratings.comparisons import Counts, Units
from league.ratings.comparisons.count_arrays import Ints
from league.ratings.fit.fit import Fit
from league.ratings.fit.links import Array
from league.ratings.fit.skill_model import SkillModel
from league.ratings.online.anchors import Anchors

_MATCHES = 4
"""Comparisons of a part, at least: the present is half a part later than the middle of the last one."""
_PARTS = 12


class Chained(NamedTuple):
    """Counts in which parts of a player's matches are players, and the parent of each part but the first."""

    counts: Counts
    parents: dict[str, str]


def present_fit(
    method: SkillModel,
    counts: Counts,
    sequence: Ints,
    fit: Fit,
    changing: Collection[str],
    lineage: Mapping[str, str],
    anchors: Anchors,
) -> Fit:
    """Returns the fit of a game in which `changing` players have the skill of their last matches.

    `sequence` (2, M): as in `drifts`; `fit`: that of `counts` with one skill for all time. Anchors do not change.
    """
    changing = [player for player in changing if player not in anchors]
    if not changing:
        return fit
    chained = in_parts(counts, sequence, changing, float(fit.dispersion[counts.games[0]]))
    # the first part of a checkpoint is the child of its parent
    first = {(f"{child}\x1f0" if child in chained.parents else child): parent for child, parent in lineage.items()}
    walked = method.fit(chained.counts, first | chained.parents, anchors)
    out = walked.combine(counts.players, _selected(walked, fit))
    return replace(out, dispersion=fit.dispersion, components=fit.components, perfect=fit.perfect, state=fit.state)


def in_parts(counts: Counts, sequence: Ints, changing: Collection[str], spread: float) -> Chained:
    """Returns the counts of one game, divided by their dispersion, with a chain for each of the `changing` players."""
    cell, outcome = sequence
    names, parents = list(counts.players), dict[str, str]()
    columns = counts.columns[:, cell].copy()
    for player in changing:
        place = counts.players.index(player)
        seats = counts.columns[1:3, cell] == place
        rows = np.flatnonzero(seats.any(0))
        parts = int(np.clip(len(rows) // _MATCHES, 1, _PARTS))
        number = np.arange(len(rows)) * parts // max(len(rows), 1)
        chain = [*range(len(names), len(names) + parts - 1), place]
        names += [f"{player}\x1f{part}" for part in range(parts - 1)]
        parents |= {names[child]: names[parent] for parent, child in itertools.pairwise(chain)}
        walk = np.array(chain)[number]
        for row in (0, 1):
            here = seats[row, rows]
            columns[1 + row, rows[here]] = walk[here]
    cells, which = np.unique(columns, axis=1, return_inverse=True)
    n = np.bincount(3 * which.ravel() + outcome, minlength=3 * cells.shape[1]).reshape(-1, 3).T / spread
    fractions: Any = n  # counts divided by the dispersion, as in any fit
    return Chained(Counts(tuple(names), counts.games, counts.roles, cells, fractions, Units.none()), parents)


def _selected(walked: Fit, fit: Fit) -> Array:
    """Returns (n, N): the present of each player, relative to the mean of those that played as in any fit."""
    out = np.eye(len(walked.players))[: len(fit.players)]
    if not fit.absolute and fit.played.any():
        out = out - out[fit.played].mean(0) + walked.played / walked.played.sum()
    return out
