"""Bridging matches test gaps that few results test, such as the gap between groups of players that seldom meet.

A matchmaker that looks for even matches stops testing the gap between two groups once it knows which is stronger. The
size of the gap then depends on the prior. Bridging matches are chosen almost without a prior: each is the one that is
expected to reduce the summed variance of all gaps most, given skills fitted to the results alone (A-optimal design;
Atkinson, Donev and Tobias, "Optimum experimental designs", 2007).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from league.matchmaking.arrays import Array, Generator
from league.matchmaking.groups import Group, best_group
from league.matchmaking.skill_belief import SkillBelief, information

SHARE = 0.2
"""Default share of pairings. scripts/bench/stress.py measures its gain in unusual fields, scripts/bench/simulate.py its
cost in ordinary ones."""


def bridging_count(share: float, round: int, pairings: int) -> int:
    """Returns how many of a round's `pairings` are bridging ones, so that `share` of all so far are, rounded down."""
    before, after = (int(share * pairings * k + 1e-9) for k in (round, round + 1))
    return after - before


def bridges(wins: Array, pairings: int, seats: int, evidence: float, rng: Generator) -> list[Group]:
    """Returns the groups of the bridging pairings: `pairings` groups of `seats` indices into `wins` (n, n).

    Nobody is in more groups than an even share, rounded up, so that no gap is tested by one player alone. `evidence` is
    how much a pairing says about two of its players, in matches.
    """
    belief, n = fit_wide(wins), len(wins)
    used, most = np.zeros(n), float(np.ceil(pairings * seats / n))
    groups: list[Group] = []
    for _ in range(pairings):
        most += float((used < most).sum() < seats)
        value = _gain(belief, evidence) * rng.uniform(1.0, 1.0 + 1e-9, (n, n))  # random order of equals
        group = best_group(np.minimum(value, value.T), used < most, seats)
        expected = information(belief)
        for i, j in combinations(group, 2):
            belief = belief.after_match(i, j, evidence * float(expected[i, j]))
        used[list(group)] += 1
        groups.append(group)
    return groups


def _gain(belief: SkillBelief, evidence: float) -> Array:
    """Returns the expected reduction of the summed variance of all gaps by a pairing of each two players, (n, n)."""
    centred = belief.covariance - belief.covariance.mean(0)
    moved = centred.T @ centred
    variances = np.diag(moved)
    _, variance = belief.gaps()
    informed = evidence * information(belief)
    gain = np.maximum(np.add.outer(variances, variances) - 2.0 * moved, 0.0) * informed / (1.0 + informed * variance)
    return np.asarray(gain, np.float64)


def fit_wide(wins: Array) -> SkillBelief:
    """Returns skills fitted to the results alone, in units of beta. `wins` (n, n): as for `skill_belief.fit`."""
    from league.ratings.fit.prior_sensitivity import WIDTH, without_prior

    n = len(wins)
    a, b = np.nonzero(np.triu(wins + wins.T, 1))
    counts = np.stack([wins[a, b], np.zeros(len(a)), wins[b, a]])
    posterior, unit = without_prior(n, a, b, counts), 2.0**0.5
    return SkillBelief(posterior.mean * unit, posterior.covariance * unit * unit, WIDTH)
