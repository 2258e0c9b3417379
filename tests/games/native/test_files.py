"""The example files of the dialogue games are valid and name existing games with native roles."""

import importlib.util
from pathlib import Path

import pytest

import games
import roles
from league.config.tournament import load_tournament
from league.config.training import load_training
from roles.native.tagged import TaggedRole

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
NAMES = ["taboo", "redteam", "spy", "critic", "debate", "forum", "bargain_coach", "efg", "pragmatic", "search", "tax"]


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_valid(name):
    if name == "efg" and importlib.util.find_spec("pygambit") is None:
        pytest.skip("pygambit is not installed")
    if name == "search":
        pytest.importorskip("bm25s")
    tournament, training = load_tournament(SCRIPTS / f"{name}.toml"), load_training(SCRIPTS / f"{name}_train.toml")
    for id in (*tournament.games, *(g.id for g in training.games)):
        game = games.make(id)
        assert game.spec.id == id
        spoken = {role: roles.make(role) for role in game.spec.seats.values()}
        assert all(isinstance(r, TaggedRole) or name in ("seller", "buyer") for name, r in spoken.items())
    if training.policy.decode == "choice":
        game.reset(0)
        assert all(game.legal(seat) for seat in game.acting)
