"""Batch ratings: TrueSkill's model fitted to all matches at once, from count tables, with the full covariance.

The model: a comparison of a and b in game g is won with probability F(skill a - skill b + seat a - seat b - margin g),
lost and drawn accordingly (`_link`). F is the normal curve: the probability that the better of two performances with
standard deviation beta wins by more than the draw margin, which is the model that TrueSkill updates match by match.

Skills come from one normal population or from a few (`_groups`), whose widths are estimated from the matches
(empirical Bayes, `_prior`); checkpoints hang on the one they were trained from, better by a drift that is estimated
too. Fits with one, two and three groups are averaged by their evidence (`_average`; Hoeting et al. 1999).

Intervals are of the posterior at the observed information, widened for the uncertainty of the prior's width (Kass and
Steffey 1989) and for matches of a pairing that are not independent (`_robust`). A posterior needs no correction for
pairings that were chosen by earlier results (likelihood principle), but this holds only as far as model and prior are
true: where the matches leave a gap to the prior, as between two groups that seldom meet, so is its interval.
`Fit.loosest` is the gap that the matches tell least of, and `Fit.prior_decides` whether that is too little.

Scale: that of TrueSkill, so that numbers on the board stay comparable. `beta` is the standard deviation of a
performance; a difference of ratings of sqrt(2) beta is one standard deviation of the difference of two performances.
The logit link takes 1.64 logits for that standard deviation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from league.ratings._average import average
from league.ratings._model import Constants, Intervals, Model
from league.ratings.counts import Counts
from league.ratings.fitted import Fit


@dataclass(frozen=True)
class SkillModel(Constants):
    """TrueSkill's model with its constants; `fit` is a pure function of the counts."""

    def fit(
        self,
        counts: Counts,
        lineage: Mapping[str, str] | None = None,
        anchors: Mapping[str, float | tuple[float, float]] | None = None,
        start: Fit | None = None,
    ) -> Fit:
        """Ratings of all of `counts.players`.

        `lineage`: checkpoint -> the one it was trained from; players that are not in `counts` are passed over.
        `anchors`: player -> its rating, or (rating, standard deviation) for a loose one. `start`: an earlier fit of
        nearly the same matches; it saves most of the time and moves the result by less than 0.02 points, which a fit
        that is kept should not depend on. Raises InputError for a lineage that runs in a circle.
        """
        return average(Model(self, counts, lineage or {}, anchors or {}), start)


__all__ = ["Intervals", "SkillModel"]
