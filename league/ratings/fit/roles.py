"""Ratings in every role of a game, and overall as their mean.

A player's skill in a role is its skill in the game plus a deviation whose width is estimated from the matches. The
overall rating weighs the roles of the game equally, however often each was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import comparable
from league.ratings.fit.skill_model import SkillModel

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
