"""The measurement of pairings judges players without a match as in any order, and its match quality plays everybody."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from arena.match import MatchPlan
from league.records.matches import PlannedMatch


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "scripts" / "bench"))
    yield
    for name in ("sample_efficiency", "stress", "_bench", "_claims"):
        sys.modules.pop(name, None)


def test_equal_ratings_are_half_wrong_and_match_quality_leaves_nobody_out(bench):
    import sample_efficiency as one

    skill = np.array([3.0, 2.0, 1.0])
    shares = [one._judge(skill, np.array(rating))["wrong"] for rating in ([2, 1, 0], [0, 1, 2], [0, 0, 0], [1, 0, 0])]
    assert shares == pytest.approx([0.0, 1.0, 0.5, 1 / 6])
    _, field, rounds = one.league(one.Setting("normal 0.5", 12, one.IDS["quality"], 4, 2), 1)
    played = Counter(seat.player for _ in range(9) for result in next(rounds) for seat in result.seats)
    assert {played[name] for name in field.players} == {3}


def test_a_match_of_a_player_has_the_same_luck_whoever_it_meets(bench):
    import stress

    world = stress.World(np.zeros(3), 0.0, np.zeros((3, 3)))
    plans = [PlannedMatch(0, 0, "q", MatchPlan("m", stress.GAME, 0, {"a": "p0", "b": f"p{i}"})) for i in (1, 2)]
    place = {f"p{i}": i for i in range(3)}

    def scores(plan, seed):
        luck = [np.random.default_rng([seed, player]) for player in (0, 1, 1)]
        return [seat.score for seat in stress._result(plan, place, world, luck).seats]

    results = [[scores(plan, seed) for seed in range(40)] for plan in plans]
    assert results[0] == results[1]
    assert [1.0, -1.0] in results[0]
    assert [-1.0, 1.0] in results[0]


def test_a_difference_counts_as_decided_beside_all_others(bench):
    import sample_efficiency as one

    clear, chance = one.Gain(1.0, 0.2, 50), one.Gain(1.0, 0.45, 50)  # p of 1e-5 and .03
    assert one.decided([chance]) == [True]
    assert one.decided([chance, one.Gain(0.0, 1.0, 50), clear]) == [False, False, True]
    assert chance.reach(1) < 1.0 < chance.reach(3)
    assert one.Gain.of([1.0, 1.0], [1.0, 1.0]).p == 1.0
