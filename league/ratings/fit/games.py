"""Ratings over several games, from a hierarchical model: a skill in each game around an overall skill.

    skill of i in game g = discrimination of g * (overall skill of i) + deviation of i in g

Matches compare skills in a game. The discrimination is how strongly the overall skill shows in a game (weakly in a game
of luck); the width of the deviations is how much a player's skill in a game differs from it. Both are estimated per
game (empirical Bayes, `prior`), and their uncertainty is part of the covariance. So a player of a single game has a
wide overall interval, and two players that share no game are compared only as well as games predict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.averaging import average
from league.ratings.fit.fit import Fit, connected_components
from league.ratings.fit.model import Model, perfect
from league.ratings.fit.prior import Edges, Loading, Width
from league.ratings.fit.skill_model import SkillModel, anchors_that_played
from league.ratings.online.anchors import Anchors

_DEVIATION = 0.7
"""Centre of the hyperprior of the width of a game's deviations, in beta."""
_DEVIATION_SPREAD = 1.0
"""Standard deviation of its logarithm: a factor of e either way."""
_DISCRIMINATION = 0.7
"""Prior standard deviation of the logarithm of a game's discrimination: a factor of 2 either way."""
_CENTRE_WIDTH = 1e-2
"""Standard deviation of the mean overall skill, in the link's unit. Matches show only differences within a game, so the
mean can be fixed; loadings multiply skills relative to it."""


class _GamesModel(Model):
    """The unknowns are players, then players in a game; the latter are named by both, in the order of
    `Counts.games`.
    """

    def parts(self, scale: float) -> tuple[list[Width], list[Loading]]:
        """Returns the deviations of each game, and its discrimination."""
        place = {name: i for i, name in enumerate(self.counts.players)}
        nodes: dict[str, list[tuple[int, int]]] = {}
        for name in self.counts.players[self.n_players :]:
            player, game = name.split(_JOINT)
            nodes.setdefault(game, []).append((place[name], place[player]))
        self.precision[self.n] = _CENTRE_WIDTH**-2
        widths, loadings = [], []
        for game, pairs in sorted(nodes.items()):
            child, parent = np.array(pairs, np.intp).T
            width = Width(Edges(game, child, parent, _DEVIATION * scale), _DEVIATION * scale, _DEVIATION_SPREAD)
            widths.append(width)
            loadings.append(Loading(width, _DISCRIMINATION))
        return widths, loadings


_JOINT = "\x1f"
GameAnchors = Mapping[str | None, Anchors]
"""game -> its anchors; None -> the anchors over all games"""


def fit_games(
    method: SkillModel,
    counts: Counts,
    lineage: Mapping[str, str] | None = None,
    anchors: GameAnchors | None = None,
    start: Fit | None = None,
) -> Fit:
    """Returns overall ratings of `counts.players`; arguments as in `SkillModel.fit`, with each game's anchors.

    `Fit.comparable` says which two players can be compared: those linked by matches of a common game. With matches of
    a single game, the fit is that game's.
    """
    games, anchors = sorted({int(g) for g in counts.game}), anchors or {}
    if len(games) < 2:
        return method.fit(counts, lineage, anchors.get(counts.games[games[0]] if games else None), start)
    n = len(counts.players)
    pairs = sorted({(int(g), int(p)) for row in (1, 2) for g, p in counts.columns[[0, row]].T})
    node = np.full((len(counts.games), n), -1, np.int64)
    for number, (game, player) in enumerate(pairs):
        node[game, player] = n + number
    columns = counts.columns.copy()
    columns[1:3] = node[counts.game, counts.columns[1:3]]
    names = tuple(_JOINT.join((counts.players[p], counts.games[g])) for g, p in pairs)
    split = replace(counts, players=(*counts.players, *names), columns=columns)
    fixed = dict(anchors_that_played(counts, anchors.get(None, {})))
    for name, (game, player) in zip(names, pairs, strict=True):
        if (anchor := anchors.get(counts.games[game], {}).get(counts.players[player])) is not None:
            fixed[name] = anchor
    model = _GamesModel(method, split, lineage or {}, fixed, None, n)
    model.played[:n] = (node >= 0).any(0)
    fit = average(model, start)
    groups = connected_components(n, counts.a, counts.b)
    return replace(
        fit,
        components=tuple(tuple(counts.players[i] for i in group) for group in groups),
        comparable=comparable(counts),
        perfect=perfect(counts, n, fit.played),
        sampler=None,  # with so few matches per width, draws given the widths were too narrow: 0.79 of gaps covered
        absolute=True,  # players of different games have no comparison, and so no quasi-errors
    )


def comparable(counts: Counts) -> NDArray[np.bool_]:
    """Returns (n, n): whether two players are linked by matches of a common game, directly or through others."""
    n = len(counts.players)
    out = np.eye(n, dtype=bool)
    for game in range(len(counts.games)):
        rows = counts.game == game
        for group in connected_components(n, counts.a[rows], counts.b[rows]):
            out[np.ix_(group, group)] = True
    return out


__all__ = ["comparable", "fit_games"]
