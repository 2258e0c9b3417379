"""Groups of players: a prior for leagues whose skills are not one normal population.

A player belongs to one of K groups; skill - mean of its group ~ N(0, width^2), with one width for all groups. The means
are unknowns of the fit with a wide prior, so the gap between two groups that seldom met is as uncertain as the matches
leave it. A single normal population would determine it from the prior (the difference of the means of two sets of 32
players, to a quarter of the width). Group membership is estimated too, as each player's share in each group
(variational Bayes for a finite mixture; Attias 1999, "Inferring parameters and structure of latent variable models by
variational Bayes"), with a uniform prior on the groups' sizes, which is integrated out.
"""

from __future__ import annotations

from dataclasses import replace
from math import lgamma

import numpy as np

from league.ratings.fit.links import Array
from league.ratings.fit.prior import Width


class Groups:
    """Shares (F, K) of F players in K groups; `width` is that of the edges from players to group means, player by
    player and group by group. Without `estimate` the shares stay.
    """

    def __init__(self, width: Width, share: Array, estimate: bool = True) -> None:
        self.width, self.estimate = width, estimate
        self.set(share)

    def set(self, share: Array) -> None:
        """Set the shares."""
        self.share = share
        self.width.edges = replace(self.width.edges, share=share.ravel())

    def step(self, x: Array, covariance: Array) -> float:
        """Update the shares, given the skills. Returns the largest change of a share."""
        if not self.estimate:
            return 0.0
        edges = self.width.edges
        gap = edges.difference(x)
        variances = np.diag(covariance)
        variance = variances[edges.child] + variances[edges.parent] - 2.0 * covariance[edges.child, edges.parent]
        distance = (gap * gap + variance).reshape(self.share.shape)
        others = self.share.sum(0) - self.share
        score = np.log1p(others) - 0.5 * self.width.alpha * distance
        share = np.exp(score - score.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        change = float(np.abs(share - self.share).max())
        self.set(share)
        return change

    def evidence(self) -> float:
        """Returns log prior of the membership plus the entropy of the shares, for all numberings of the groups."""
        if not self.estimate:
            return 0.0
        players, number = self.share.shape
        prior = lgamma(number) - lgamma(players + number) + sum(lgamma(n + 1.0) for n in self.share.sum(0))
        entropy = -float((self.share * np.log(np.maximum(self.share, 1e-300))).sum())
        return prior + entropy + lgamma(number + 1.0)


def partitions(values: Array) -> list[list[int]]:
    """Ways to cut sorted `values` (n,) into two or three groups, as lists of the places at which a group starts: the
    two and the three groups with the least squares within (Fisher 1958), and the two on either side of the widest gap
    (such as one outlier). Two groups come first; no way is listed twice.
    """
    n = len(values)
    cost = _within(values)
    two = [min(range(1, n), key=lambda i: (cost[0, i] + cost[i, n], i))]
    gap = [int(np.argmax(np.diff(values))) + 1]
    ways = [two] if two == gap else [two, gap]
    if n > 3:
        cuts = np.arange(1, n)
        three = cost[0, cuts][:, None] + cost[1:n, 1:n] + cost[cuts, n]
        three[np.tril_indices(n - 1)] = np.inf
        ways.append([int(i) + 1 for i in np.unravel_index(int(np.argmin(three)), three.shape)])
    return ways


def _within(values: Array) -> Array:
    """Returns (n + 1, n + 1): the sum of squares around their mean of values[i:j]."""
    sums, squares = (np.concatenate([[0.0], np.cumsum(v)]) for v in (values, values * values))
    length = np.maximum(np.arange(len(sums)) - np.arange(len(sums))[:, None], 1)
    total = sums - sums[:, None]
    out: Array = squares - squares[:, None] - total * total / length
    return out


def shares(values: Array, starts: list[int]) -> Array:
    """Returns (n, K): shares close to 1 in the group that contains the player's place in sorted `values` (n,).

    All others together have one share at most in a group of one player: with a tenth each, a single outlier among 64
    players disappeared in its own group, and the fit ended with groups that were equal.
    """
    other = min(0.1, 1.0 / len(values))
    group = np.empty(len(values), np.intp)
    group[np.argsort(values, kind="stable")] = np.searchsorted(starts, np.arange(len(values)), side="right")
    number = len(starts) + 1
    return np.where(group[:, None] == np.arange(number), 1.0 - other, other / (number - 1))
