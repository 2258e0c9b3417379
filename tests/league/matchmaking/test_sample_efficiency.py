"""The measurement of pairings judges players without a match as in any order, and its match quality plays everybody."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest


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
