"""Players whose strength changes during a run: a score test of a trend in the residuals of their matches.

The model has one skill per player for all time. If a player improves, its early matches are worse and its late ones
better than its rating says: the residuals, in the order of its matches, have a slope. The test needs no second fit
(Rao 1948): the slope's score over its standard deviation, corrected for the dispersion of the game.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from league.outcomes.arrays import parts_of, runs_of
from league.ratings.comparisons import Counts, Units
from league.ratings.comparisons.count_arrays import Ints
from league.ratings.fit.dispersion import scores
from league.ratings.fit.fit import Fit
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model
from league.ratings.fit.skill_model import SkillModel
from league.ratings.online.state import Anchors

LEVEL = 0.05
"""The probability of naming any player of a game if none changes."""
_FAR = 20.0
"""Changes in the link's unit, from which on their size is not told: nobody wins one match of 10^40."""
_LEAST = 10
"""Comparisons of a player, below which the slope's score is far from normal."""


@dataclass(frozen=True)
class Drift:
    """A player changes by `change` rating points from its first to its last match; `sd`: its standard error."""

    player: str
    change: float
    sd: float
    measured: bool = True
    """whether `change` is an estimate: where anchors contradict the results, the slope tells nothing of its size"""

    def line(self, present: bool) -> str:
        """Returns a warning. `present`: whether the rating of the player is that of its last matches."""
        better, by = "better" if self.change > 0.0 else "worse", f"{abs(self.change):.0f} ± {1.96 * self.sd:.0f}"
        size = f"about {by} rating points" if self.measured else "more than these ratings allow"
        return (
            f"{self.player} does {better} in its late matches than in its early ones, by {size} (chance alone says so "
            f"in {LEVEL:.0%} of the games): its rating here is that of {'its last ones' if present else 'all of them'}"
        )


def drifts(
    method: SkillModel, counts: Counts, sequence: Ints, fit: Fit, lineage: Mapping[str, str] | None = None
) -> tuple[Drift, ...]:
    """Returns the players of a game that change, the surest first. `sequence` (2, M): cell and outcome of every
    comparison in plan order; `fit`: that of `counts` without a start.

    Opponents of a player that changes deviate too: the test goes on without the players that it names.
    """
    from scipy.special import ndtri

    design = Model(method, counts, lineage or {}, {}).design
    p, score = scores(design, fit.state.origin.x)
    cell, outcome = sequence
    weight, spread = counts.weight[cell], float(fit.state.origin.spread[0])
    gained, information = weight * score[cell, outcome], weight * (p * score * score).sum(1)[cell]
    a, b, kept = counts.a[cell], counts.b[cell], np.ones(len(cell), bool)
    player, row = np.concatenate([a, b]), np.tile(np.arange(len(cell)), 2)
    order = np.lexsort((row, player))
    player, row, gained = player[order], row[order], np.concatenate([gained, -gained])[order]
    limit, out = -float(ndtri(0.5 * LEVEL / max(int(fit.played.sum()), 1))), list[Drift]()
    while True:
        here = np.flatnonzero(kept[row])
        names, change, sd = _trends(player[here], gained[here], information[row[here]], spread)
        worst = int(np.argmax(np.abs(change) / sd)) if len(names) else -1
        if worst < 0 or not abs(change[worst]) > limit * sd[worst]:
            return tuple(out)
        name = names[worst]
        size, error = float(change[worst]), float(sd[worst])
        out.append(Drift(counts.players[name], method.unit * size, method.unit * error, abs(size) < _FAR))
        kept &= (a != name) & (b != name)


def _trends(player: Ints, gained: Array, information: Array, spread: float) -> tuple[Ints, Array, Array]:
    """Returns the players with enough comparisons, the change of each over all of them and its standard deviation, in
    the link's unit, from the scores (M,) of their comparisons and their variances, in order by player, then time.
    """
    starts, sizes = runs_of(player)
    starts, sizes = starts[sizes >= _LEAST], sizes[sizes >= _LEAST]
    rows, of = parts_of(starts, sizes), np.repeat(np.arange(len(sizes)), sizes)
    gained, information = gained[rows], information[rows]

    def total(column: Array) -> Array:
        return np.asarray(np.bincount(of, column, len(sizes)), np.float64)

    time = (rows - starts[of]) / (sizes[of] - 1.0) - 0.5
    time -= (total(time * information) / np.maximum(total(information), 1e-300))[of]
    squares = np.maximum(total(time * time * information), 1e-12)
    return player[starts], total(time * gained) / squares, np.sqrt(spread / squares)


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
    kept = {"played": fit.played, "components": fit.components, "perfect": fit.perfect, "state": fit.state}
    return replace(out, dispersion=fit.dispersion, **kept)


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
