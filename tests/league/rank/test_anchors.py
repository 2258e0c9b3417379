"""The ratings of anchors were measured in the games of today."""

import importlib
import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from league.rank import suite

BENCH = Path(__file__).parents[3] / "scripts" / "bench"
SLOW = ("openspiel/tic_tac_toe", "openspiel/breakthrough(columns=5,rows=5)")


@pytest.mark.parametrize(
    "game", [pytest.param(game, id=game.name, marks=[pytest.mark.slow] * (game.id in SLOW)) for game in suite().games]
)
def test_the_same_matches_are_played_as_those_that_were_recorded(game, monkeypatch):
    """ask and bargain had changed, and their anchors were rated by matches of the games before."""
    monkeypatch.syspath_prepend(str(BENCH))
    before = set(sys.modules)
    bench = importlib.import_module("rank_anchors")
    stored = json.loads((files("league.rank") / "anchors.json").read_text())
    digest, turns, _ = bench.measure(suite(), game, bench.ROUNDS)
    assert (digest, turns) == (stored["matches"][game.id], stored["turns"][game.id])
    for module in set(sys.modules) - before:  # the scripts' modules have short names
        if module in ("rank_anchors", "_bench"):
            monkeypatch.delitem(sys.modules, module)
