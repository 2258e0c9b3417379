"""Whether the matches of a game contradict the ratings of its anchors.

The statistic is the likelihood ratio of two fits with the same widths: one holds the anchors at their ratings, the
other leaves them free (Wilks 1938). Matches show only differences, so k anchors that matches link have k - 1 degrees
of freedom. Uncertain ratings enter with their standard deviations. No population bounds a free anchor: known players
are often extreme, and a population would pull them together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.fit import connected_components
from league.ratings.fit.links import TERMS
from league.ratings.fit.model import Model
from league.ratings.fit.posterior import Posterior, solve
from league.ratings.fit.skill_model import SkillModel, anchors_that_played
from league.ratings.online.state import Anchors

LEVEL = 0.01
"""The probability of reporting any anchor of a run if the ratings of all are right."""
_CLEAR = 3.84
"""One anchor is named alone if leaving it out helps the fit by this much more than leaving out another (95%)."""
_FREE = 1e-4
"""Prior precision of a free anchor, in the link's unit: a standard deviation of 100."""
_Z95 = 1.959963984540054


@dataclass(frozen=True)
class AnchorMisfit:
    """What the matches say against a rating: of `player`, or of its distance from `other` if nothing tells which of
    the two is wrong. `reach`: half the 95% interval of `estimate`.
    """

    player: str
    other: str | None
    stated: float
    estimate: float
    reach: float

    def __str__(self) -> str:
        fit = f"the matches say {self.estimate:.1f} ± {self.reach:.1f}"
        if self.other is None:
            return f"anchor {self.player} is stated at {self.stated:g}; by the other anchors, {fit}"
        return f"anchor {self.player} is stated {self.stated:g} above anchor {self.other}; {fit}"


class _Anchored(Model):
    """A model whose anchors come from no population, and can be freed."""

    def populates(self, player: int) -> bool:
        """Anchors do not."""
        return self.counts.players[player] not in self.anchors

    def hold(self, players: Collection[str]) -> None:
        """Hold these anchors at their ratings and free the others."""
        for player, (_, sd) in self.anchors.items():
            place = self.counts.players.index(player)
            self.precision[place] = self.anchor_precision(sd) if player in players else _FREE


def misfits(
    method: SkillModel,
    counts: Counts,
    anchors: Anchors,
    lineage: Mapping[str, str] | None = None,
    level: float = LEVEL,
) -> tuple[AnchorMisfit, ...]:
    """Returns the anchors that the matches of a game contradict; () if all fit with probability above `level`.

    Anchors are dropped one by one, each time the one without which the others fit best, until the others fit.
    """
    anchors = anchors_that_played(counts, anchors)
    groups = connected_components(len(counts.players), counts.a, counts.b)
    linked = [{counts.players[i] for i in group} & set(anchors) for group in groups]
    if max(map(len, linked), default=0) < 2:
        return ()
    test = _Test(_Anchored(method, counts, lineage or {}, anchors), linked)
    kept, out = set(anchors), list[AnchorMisfit]()
    while test.p_value(kept) < level:
        without = {player: test.statistic(kept - {player}) for player in sorted(kept)}
        worst, second = sorted(without, key=lambda player: (round(without[player], 6), player))[:2]
        kept.remove(worst)
        alike = without[second] - without[worst] < _CLEAR and any({worst, second} <= group for group in linked)
        out.append(test.misfit(worst, second if alike else None, kept))
    return tuple(out)


class _Test:
    """The fits that the test compares. `linked`: groups of anchors that matches link."""

    def __init__(self, model: _Anchored, linked: Collection[Collection[str]]) -> None:
        self._model, self._linked = model, linked
        model.hold(())
        self._free, spread = model.solve()
        self._counts: NDArray[np.float64] = model.counts.n * model.weight(spread)
        self._floor = self._cost(self._fit(()))

    def statistic(self, kept: Collection[str]) -> float:
        """Twice the log likelihood ratio of free anchors and of these held."""
        return max(0.0, self._cost(self._fit(kept)) - self._floor)

    def p_value(self, kept: Collection[str]) -> float:
        """Returns the probability of such a statistic if the ratings are right; 1 if there is nothing to compare."""
        from scipy.special import chdtrc

        freedom = sum(max(0, len(set(group) & set(kept)) - 1) for group in self._linked)
        return float(chdtrc(freedom, self.statistic(kept))) if freedom else 1.0

    def misfit(self, player: str, other: str | None, kept: Set[str]) -> AnchorMisfit:
        """Returns what matches imply for a player, or its distance from another, if the rest of `kept` is fixed."""
        model, at = self._model, self._fit(kept - {other})
        weight = np.zeros(model.design.size)
        weight[model.counts.players.index(player)] = 1.0
        stated, origin = model.anchors[player][0], model.centre
        if other is not None:
            weight[model.counts.players.index(other)] = -1.0
            stated, origin = stated - model.anchors[other][0], 0.0
        unit, sd = model.method.unit, float(weight @ at.covariance @ weight) ** 0.5
        return AnchorMisfit(player, other, stated, origin + unit * float(weight @ at.x), _Z95 * unit * sd)

    def _fit(self, kept: Collection[str]) -> Posterior:
        self._model.hold(kept)
        design, prior = self._model.design, self._model.prior
        return solve(design, self._counts, prior, self._free.x, spread=False, estimate=False)

    def _cost(self, at: Posterior) -> float:
        """Returns -2 log of likelihood and prior, up to a constant."""
        design, prior, x = self._model.design, self._model.prior, at.x
        p = np.maximum(TERMS[design.link](*design.gaps(x)).p, 1e-300)
        pull = (prior.precision * (x - prior.mean) ** 2).sum()
        pull += sum(width.alpha * (width.edges.difference(x) ** 2).sum() for width in prior.widths)
        return float(pull - 2.0 * (self._counts.T * np.log(p)).sum())
