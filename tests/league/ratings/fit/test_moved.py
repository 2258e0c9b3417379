"""A live fit that a few matches move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from league.ratings import Counts, SkillModel
from league.ratings.fit.skill_draws import LIVE
from tests.league.ratings.simulation import names, play, random_pairs

MODEL = SkillModel(groups=1)


def counted(pairs, outcome):
    return Counts.of_matches(names(9), *pairs, outcome)


@pytest.fixture(scope="module")
def log():
    """332 matches of eight players; the ninth waits."""
    rng = np.random.default_rng(4)
    skill, pairs = rng.normal(0.0, 1.5, 9), np.array(random_pairs(rng, 8, 332))
    return pairs, play(rng, skill, *pairs)


@pytest.fixture(scope="module")
def start(log):
    pairs, outcome = log
    return replace(MODEL.fit(counted(pairs[:, :320], outcome[:320])), number=LIVE)


def test_a_few_matches_move_ratings_and_draws_as_a_whole_fit_does(log, start):
    """In two steps: the second starts from the same whole fit, so that errors do not add up."""
    pairs, outcome = log
    half = MODEL.fit(counted(pairs[:, :326], outcome[:326]), start=start, rough=True)
    rough = MODEL.fit(counted(*log), start=half, rough=True)
    whole = MODEL.fit(counted(*log))
    assert rough.ready is not None
    assert np.abs(whole.ratings - start.ratings)[:8].max() > 0.25
    assert (np.abs(rough.ratings - whole.ratings)[:8] < 0.1 * whole.sd[:8]).all()
    moved, before = rough.posterior.skills.mean(1), start.posterior.skills.mean(1)
    assert moved - before == pytest.approx(rough.ratings - start.ratings)
    assert np.stack(rough.posterior.errors()) == pytest.approx(np.stack(start.posterior.errors()))
    assert MODEL.fit(counted(*log), start=start, rough=True).ratings == pytest.approx(rough.ratings)


def test_a_new_player_and_many_matches_need_a_whole_fit(log, start):
    pairs, outcome = log
    joined = MODEL.fit(counted(np.append(pairs, [[8], [0]], 1), np.append(outcome, 0)), start=start, rough=True)
    assert joined.ready is None
    assert joined.played.all()
    often = np.append(pairs[:, :320], np.repeat(pairs[:, :1], 20, 1), 1)
    assert MODEL.fit(counted(often, np.append(outcome[:320], np.zeros(20, int))), start=start, rough=True).ready is None
