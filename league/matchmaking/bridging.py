"""Matches that test the gaps which the results so far hardly test: those between groups that seldom meet, say.

A pairing that looks for even matches stops testing the gap of two groups as soon as it is sure that one is stronger;
how much stronger then rests on the prior. Bridging matches are chosen as if there were almost no prior: each is the one
that is expected to shrink the summed variance of all gaps most (A-optimal design; Atkinson, Donev and Tobias, "Optimum
experimental designs", 2007), with skills known from the results alone.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from league.matchmaking._arrays import Array, Generator
from league.matchmaking.groups import Group, best_group
from league.matchmaking.posterior import Posterior, information

SHARE = 0.2
"""Of the pairings, by default. scripts/stress.py measures what it gains in odd fields, scripts/simulate.py what it
costs in ordinary ones; both are in scripts/RESULTS.md."""


def due(share: float, round: int, pairings: int) -> int:
    """How many of a round's pairings are bridging ones, that share of all so far, rounded down."""
    before, after = (int(share * pairings * k + 1e-9) for k in (round, round + 1))
    return after - before


def bridges(wins: Array, pairings: int, seats: int, told: float, rng: Generator) -> list[Group]:
    """So many groups of `seats` players, as places in `wins` (n, n). Nobody sits in more of them than an even share,
    rounded up, so that no gap is tested by one player alone.

    `told`: what a pairing tells about each two of its players, in matches.
    """
    posterior, n = fit_wide(wins), len(wins)
    used, share = np.zeros(n), float(np.ceil(pairings * seats / n))
    groups: list[Group] = []
    for _ in range(pairings):
        share += float((used < share).sum() < seats)
        worth = _gain(posterior, told) * rng.uniform(1.0, 1.0 + 1e-9, (n, n))  # lots among equals
        group = best_group(np.minimum(worth, worth.T), used < share, seats)
        expected = information(posterior)
        for i, j in combinations(group, 2):
            posterior = posterior.seen(i, j, told * float(expected[i, j]))
        used[list(group)] += 1
        groups.append(group)
    return groups


def _gain(posterior: Posterior, told: float) -> Array:
    """By how much the sum of the variances of all gaps is expected to shrink with a pairing of each two, (n, n)."""
    centred = posterior.covariance - posterior.covariance.mean(0)
    moved = centred.T @ centred
    own = np.diag(moved)
    _, spread = posterior.gaps()
    known = told * information(posterior)
    gain = np.maximum(np.add.outer(own, own) - 2.0 * moved, 0.0) * known / (1.0 + known * spread)
    return np.asarray(gain, np.float64)


def fit_wide(wins: Array) -> Posterior:
    """Skills by the results alone, in units of beta. `wins` (n, n): as for `posterior.fit`."""
    from league.ratings.dependence import WIDTH, without_prior

    n = len(wins)
    a, b = np.nonzero(np.triu(wins + wins.T, 1))
    counts = np.stack([wins[a, b], np.zeros(len(a)), wins[b, a]])
    found, unit = without_prior(n, a, b, counts), 2.0**0.5
    return Posterior(found.mean * unit, found.covariance * unit * unit, WIDTH)
