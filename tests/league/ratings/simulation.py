"""A league in memory: true skills, matches played by TrueSkill's model, pairings chosen by what a fit says."""

from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from league.ratings import SkillModel
from league.ratings.comparisons import Counts

BETA = 25.0 / 6.0
MARGIN = 0.1


def names(n):
    return tuple(f"p{i:03d}" for i in range(n))


def play(rng, skill, first, second, edge=0.0):
    """0 win, 1 draw, 2 loss of `first`; skills and the first seat's edge in beta."""
    gap = (skill[first] - skill[second] + edge) / 2**0.5
    luck = rng.random(len(gap))
    win, loss = ndtr(gap - MARGIN), ndtr(-gap - MARGIN)
    return np.where(luck < win, 0, np.where(luck < 1.0 - loss, 1, 2))


def random_pairs(rng, n, matches):
    first = rng.integers(0, n, matches)
    return first, (first + rng.integers(1, n, matches)) % n


def adaptive_pairs(rng, policy, fit, met, flying=32):
    """(first, second): a batch in which nobody plays twice (thompson: may), seats at random."""
    mu, sd = fit.ratings, fit.sd
    n = len(mu)
    if policy == "thompson":
        draws = mu + sd * rng.standard_normal((2, flying, n))
        one = draws[0].argmax(1)
        draws[1][np.arange(flying), one] = -np.inf
        other = draws[1].argmax(1)
    else:
        c2 = 2.0 * BETA**2 + sd[:, None] ** 2 + sd**2
        value = np.exp(-((mu[:, None] - mu) ** 2) / (2.0 * c2)) / np.sqrt(c2)
        if policy == "uncertainty":
            value = value * (sd[:, None] + sd) / (1.0 + met)
        value = value * (1.0 + 1e-9 * rng.random((n, n)))
        np.fill_diagonal(value, -1.0)
        one, other = np.empty(flying, np.int64), np.empty(flying, np.int64)
        for i in range(flying):
            one[i], other[i] = divmod(int(value.argmax()), n)
            value[[one[i], other[i]]] = value[:, [one[i], other[i]]] = -1.0
    swap = rng.random(flying) < 0.5
    return np.where(swap, other, one), np.where(swap, one, other)


def league(policy, spread, matches, seed, n=64, method=None):
    """The true skills in beta (centred), and the fit after so many matches."""
    rng = np.random.default_rng(seed)
    method = method or SkillModel()
    pairing = replace(method, groups=1)  # a fit with groups takes longer, and the pairings need none
    skill = rng.normal(0.0, spread, n)
    skill -= skill.mean()
    first, second, outcome = (np.zeros(0, np.int64) for _ in range(3))
    met, fit = np.zeros((n, n)), None
    while len(first) < matches:
        if policy == "random":
            a, b = random_pairs(rng, n, matches)
        elif fit is None:
            order = rng.permutation(n)
            a, b = order[: n // 2], order[n // 2 :]
        else:
            a, b = adaptive_pairs(rng, policy, fit, met)
        outcome = np.append(outcome, play(rng, skill, a, b))
        first, second = np.append(first, a), np.append(second, b)
        np.add.at(met, (a, b), 1.0)
        np.add.at(met, (b, a), 1.0)
        counts = Counts.of_matches(names(n), first, second, outcome)
        fit = (pairing if len(first) < matches else method).fit(counts, start=fit)
    return skill, fit


def covered(skill, fit):
    low, high = fit.interval()
    truth = 25.0 + BETA * skill
    return float(((low <= truth) & (truth <= high)).mean())
