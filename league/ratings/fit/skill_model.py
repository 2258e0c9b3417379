"""TrueSkill's model, fitted to all matches at once from their counts, with the full covariance.

The model: a comparison of a and b in game g is won with probability F(skill a - skill b + seat a - seat b - margin g),
lost and drawn accordingly (`links`). F is the normal curve: the probability that the better of two performances with
standard deviation beta wins by more than the draw margin. TrueSkill updates the same model match by match.

Skills come from one normal population or from a few (`groups`), whose widths are estimated from the matches (empirical
Bayes, `prior`). A checkpoint's skill is that of its parent plus a step, whose mean (drift) and width are estimated too.
Fits with one, two and three groups are averaged by their evidence (`averaging`; Hoeting et al. 1999).

Intervals are those of the posterior at the observed information, widened for the uncertainty of the prior's width (Kass
and Steffey 1989) and for dependence between the matches of a pairing (`dispersion`). A posterior needs no correction
for pairings chosen by earlier results (likelihood principle), but only as far as model and prior are true: if the
matches hardly determine a gap, as between two groups that seldom meet, its interval depends on the prior.
`prior_sensitivity` finds the gap that rests most on the prior.

Scale: that of TrueSkill, so that numbers on the board stay comparable. `beta` is the standard deviation of a
performance; a difference of ratings of sqrt(2) beta is one standard deviation of the difference of two performances.
The logit link takes 1.64 logits for that standard deviation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.averaging import average
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import comparable
from league.ratings.fit.links import Link
from league.ratings.fit.many_players import MANY, fit_many
from league.ratings.fit.model import Constants, Model
from league.ratings.online.state import Anchors


@dataclass(frozen=True)
class SkillModel(Constants):
    """TrueSkill's model with its constants. `fit` is a pure function of the counts."""

    def fit(
        self,
        counts: Counts,
        lineage: Mapping[str, str] | None = None,
        anchors: Anchors | None = None,
        start: Fit | None = None,
        *,
        rough: bool = False,
    ) -> Fit:
        """Returns ratings of all of `counts.players`.

        `lineage`: checkpoint -> its parent; players that are not in `counts` are ignored. `anchors`: those without a
        match are ignored. `start`: an earlier fit of nearly the same matches; it saves most of the time and moves the
        result by less than 0.02 points, or between pools that hardly met by a tenth of its error, so leave it out for
        results that are stored. `rough`: if few matches were added, move that fit by them and keep its errors
        (`moved`). Raises InputError if the lineage is a cycle.
        """
        model = Model(self, counts, lineage or {}, anchors_that_played(counts, anchors or {}))
        if model.n > MANY and self.intervals != "sandwich":
            return fit_many(model, start)
        return average(model, start, rough=rough)


def anchors_that_played(counts: Counts, anchors: Anchors) -> Anchors:
    """Returns the anchors that are compared with any player. Others say nothing about their scale."""
    players = {counts.players[i] for i in {*counts.a.tolist(), *counts.b.tolist()}}
    return {player: anchor for player, anchor in anchors.items() if player in players}


@dataclass(frozen=True)
class BradleyTerry(SkillModel):
    """`SkillModel` with a logistic curve instead of the normal one: the rating method `bradley-terry`."""

    link: Link = "logit"


_JOINT = "\x1f"


@dataclass(frozen=True)
class RoleFits:
    """`overall`: the mean of a player's roles, with equal weights; `roles`: role -> its fit over all players of the
    game.
    """

    overall: Fit
    roles: Mapping[str, Fit]


def fit_roles(method: SkillModel, counts: Counts) -> RoleFits:
    """Returns ratings by role of the matches of one game (`counts.only(game)`), from one joint fit.

    In games with stakes a pairing is scored as one, so its comparisons do not depend on roles, and differences between
    roles are noise.
    """
    roles = sorted({counts.roles[i] for i in counts.columns[5:7].ravel()})
    active = sorted({counts.players[i] for i in counts.columns[1:3].ravel()})
    nodes = [(player, role) for player in active for role in roles]
    place = {node: len(counts.players) + i for i, node in enumerate(nodes)}
    columns = counts.columns.copy()
    for who, role in ((1, 5), (2, 6)):
        pairs = zip(counts.columns[who].tolist(), counts.columns[role].tolist(), strict=True)
        columns[who] = [place[counts.players[p], counts.roles[r]] for p, r in pairs]
    names = tuple(_JOINT.join(node) for node in nodes)
    split = replace(counts, players=(*counts.players, *names), columns=columns)
    joint = replace(method, drift=0.0).fit(split, lineage={_JOINT.join(node): node[0] for node in nodes})
    at = sorted({int(i) for i in counts.columns[1:3].ravel()}, key=lambda i: counts.players[i])
    linked = comparable(counts)[np.ix_(at, at)]
    by_role = {role: _pick(joint, active, [[_JOINT.join((p, role))] for p in active], linked) for role in roles}
    return RoleFits(_pick(joint, active, [[_JOINT.join((p, role)) for role in roles] for p in active], linked), by_role)


def _pick(fit: Fit, players: list[str], parts: list[list[str]], linked: NDArray[np.bool_]) -> Fit:
    """Returns the fit of `players`, each the mean of its `parts`; `linked`: `Fit.comparable` of it."""
    matrix = np.zeros((len(players), len(fit.players)))
    place = {name: i for i, name in enumerate(fit.players)}
    for row, names in enumerate(parts):
        matrix[row, [place[name] for name in names]] = 1.0 / len(names)
    return replace(fit.combine(players, matrix), comparable=linked)
