"""A PettingZoo environment that becomes a text game and an AEC environment again passes PettingZoo's tests."""

import contextlib
import io
import warnings

import pytest

import games
from tests.games.pettingzoo.official import api_test, seed_test

NAMES = ["connect_four_v3", "tictactoe_v3", "rps_v2", "leduc_holdem_v4", "texas_holdem_v4", "go_v5(board_size=5)"]
NAMES += ["chess_v6(max_turns=30)", "tests.games.pettingzoo.envs:countdown", "tests.games.pettingzoo.envs:Matching"]
NAMES += ["tests.games.pettingzoo.envs:Spaces"]


@pytest.mark.parametrize("name", NAMES)
def test_api_and_seeds(name):
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # of text spaces, see tests/games/test_aec.py
        api_test(games.to_aec(games.make(f"pettingzoo/{name}")), num_cycles=50)
        seed_test(lambda: games.to_aec(games.make(f"pettingzoo/{name}")), num_cycles=50)
