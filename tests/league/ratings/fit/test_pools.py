"""Pools of players that hardly met: their gap rests on the matches between them, not on the spread within each."""

import numpy as np
import pytest

from league.ratings import SkillModel
from league.ratings.comparisons import Counts
from league.ratings.fit.model import Model
from league.ratings.fit.pools import pools
from tests.league.ratings.simulation import BETA, names, play, random_pairs

MODEL = SkillModel()


def pooled(seed, apart, sizes=(4, 4), within=80, across=1):
    """Skills and counts of pools that follow each other, each with so many matches, and so many with the next one."""
    rng, starts = np.random.default_rng(seed), np.cumsum([0, *sizes])
    skill = np.concatenate([apart * k + rng.normal(0.0, 0.5, size) for k, size in enumerate(sizes)])
    pairs = [start + np.array(random_pairs(rng, size, within)) for start, size in zip(starts, sizes, strict=False)]
    pairs += [
        np.array([rng.integers(starts[k], starts[k + 1], across), rng.integers(starts[k + 1], starts[k + 2], across)])
        for k in range(len(sizes) - 1)
    ]
    first, second = np.concatenate(pairs, 1)
    return skill, Counts.of_matches(names(len(skill)), first, second, play(rng, skill, first, second))


def parts(counts):
    """The pools, as lists of players."""
    share = pools(Model(MODEL, counts, {}, {}))
    return None if share is None else sorted(np.flatnonzero(column == 1.0).tolist() for column in share.T)


def test_pools_are_parts_that_few_comparisons_join():
    for seed in range(5):
        assert parts(pooled(seed, 0.0)[1]) == [[0, 1, 2, 3], [4, 5, 6, 7]]
        assert parts(pooled(seed, 0.0, sizes=(4, 5, 2))[1]) == [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9, 10]]
        assert parts(pooled(seed, 0.0, across=40)[1]) is None
        assert parts(pooled(seed, 0.0, sizes=(7, 1), within=0, across=5)[1]) is None  # a newcomer is no pool


@pytest.mark.parametrize("matches", [1, 2, 4, 10, 40])
def test_a_field_that_meets_at_random_is_one_pool(matches):
    for seed in range(8):
        first, second = random_pairs(np.random.default_rng(seed), 24, 12 * matches)
        counts = Counts.of_matches(names(24), first, second, np.zeros(len(first), np.int64))
        assert parts(counts) is None


def test_two_pools_joined_by_one_match_are_as_uncertain_as_it_leaves_them():
    """Pools 3 beta apart: 2% of true ratings were in their intervals."""
    inside = []
    for seed in range(8):
        skill, counts = pooled(seed, 3.0)
        fit = MODEL.fit(counts)
        low, high = fit.interval()
        truth = BETA * skill - BETA * skill.mean() + fit.ratings.mean()
        inside.append(((low <= truth) & (truth <= high)).mean())
        again = MODEL.fit(counts, start=fit)
        assert again.ratings == pytest.approx(fit.ratings, abs=0.1 * fit.sd.min())
    assert np.mean(inside) > 0.75  # by one match and a prior of the gap: of 30 leagues .91
