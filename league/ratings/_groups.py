"""Groups of players: a prior for leagues whose skills are not one normal population.

A player belongs to one of K groups; skill - mean of its group ~ N(0, width^2), one width for all groups. The means are
unknowns of the fit with a wide prior, so the gap between two groups that seldom met is as uncertain as the matches
leave it; a single normal population would claim to know it (the mean of 32 of its players from that of 32 others, to
a quarter of its width). Who belongs where is estimated along, as a share of each group (variational Bayes for a finite
mixture; Attias 1999, "Inferring parameters and structure of latent variable models by variational Bayes"), with a
uniform prior on the groups' sizes, which is integrated out.
"""

from __future__ import annotations

from dataclasses import replace
from math import lgamma

import numpy as np

from league.ratings._link import Array
from league.ratings._prior import Width


class Groups:
    """Shares (F, K) of F players in K groups; `width` is that of the edges from players to group means, player by
    player and group by group.
    """

    def __init__(self, width: Width, share: Array) -> None:
        self.width = width
        self.set(share)

    def set(self, share: Array) -> None:
        """Take over shares."""
        self.share = share
        self.width.edges = replace(self.width.edges, share=share.ravel())

    def step(self, x: Array, covariance: Array) -> float:
        """New shares, given the skills; the largest change of one."""
        edges = self.width.edges
        gap = edges.difference(x)
        own = np.diag(covariance)
        variance = own[edges.child] + own[edges.parent] - 2.0 * covariance[edges.child, edges.parent]
        distance = (gap * gap + variance).reshape(self.share.shape)
        others = self.share.sum(0) - self.share
        score = np.log1p(others) - 0.5 * self.width.alpha * distance
        share = np.exp(score - score.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        change = float(np.abs(share - self.share).max())
        self.set(share)
        return change

    def evidence(self) -> float:
        """Log prior of who belongs where plus the entropy of the shares, for any numbering of the groups."""
        players, number = self.share.shape
        prior = lgamma(number) - lgamma(players + number) + sum(lgamma(n + 1.0) for n in self.share.sum(0))
        entropy = -float((self.share * np.log(np.maximum(self.share, 1e-300))).sum())
        return prior + entropy + lgamma(number + 1.0)


def partitions(values: Array) -> list[list[int]]:
    """Ways to cut sorted `values` (n,) into two or three groups that may be populations of their own, as lists of
    places at which a group starts: the two and the three groups with the least squares within (Fisher 1958), and the
    two on either side of the widest gap (one outlier, say). Each once, in this order.
    """
    n = len(values)
    cost = _within(values)
    two = [min(range(1, n), key=lambda i: (cost[0, i] + cost[i, n], i))]
    gap = [int(np.argmax(np.diff(values))) + 1]
    found = [two] if two == gap else [two, gap]
    if n > 3:
        cuts = np.arange(1, n)
        three = cost[0, cuts][:, None] + cost[1:n, 1:n] + cost[cuts, n]
        three[np.tril_indices(n - 1)] = np.inf
        found.append([int(i) + 1 for i in np.unravel_index(int(np.argmin(three)), three.shape)])
    return found


def _within(values: Array) -> Array:
    """(n + 1, n + 1): the sum of squares around their mean of values[i:j]."""
    sums, squares = (np.concatenate([[0.0], np.cumsum(v)]) for v in (values, values * values))
    length = np.maximum(np.arange(len(sums)) - np.arange(len(sums))[:, None], 1)
    total = sums - sums[:, None]
    out: Array = squares - squares[:, None] - total * total / length
    return out


def shares(values: Array, starts: list[int]) -> Array:
    """(n, K): nearly all of each player in the group that its place in sorted `values` (n,) falls in."""
    group = np.empty(len(values), np.intp)
    group[np.argsort(values, kind="stable")] = np.searchsorted(starts, np.arange(len(values)), side="right")
    number = len(starts) + 1
    return np.where(group[:, None] == np.arange(number), 0.9, 0.1 / (number - 1))
