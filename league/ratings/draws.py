"""How often equal players draw a game: TrueSkill needs it per game, and a wrong one misjudges every win."""

from __future__ import annotations

import re

from games.naming import parse_name
from league.config import RatingConfig
from league.ratings.trueskill import TrueSkill

DEFAULT = 0.1
"""For a game the table does not know; also the default of the `trueskill` package."""

CANNOT_DRAW = 1e-3
"""Used for level results where the draw probability is 0.

They exist: a match cut off at its turn limit, or two equal scores of a general-sum game. The update then says "equal
performances", almost independent of this number; 0 itself would be an error.
"""

# The share of level results between two random players, 600 matches each with OpenSpiel 2.0.2 (0 where the rules
# cannot end level); * marks games whose strong play draws more (tic-tac-toe 0.8) or less (chess), set between.
TABLE = {
    "battleship": 0.5,
    "bargaining": 0.5,
    "blotto": 0.32,
    "breakthrough": 0.0,
    "checkers": 0.12,
    "chess": 0.4,  # *
    "clobber": 0.0,
    "connect_four": 0.01,
    "dark_hex": 0.0,
    "dots_and_boxes": 0.15,
    "goofspiel": 0.08,
    "havannah": 0.005,
    "hex": 0.0,
    "kuhn_poker": 0.0,
    "leduc_holdem": 0.07,
    "leduc_poker": 0.07,
    "liars_dice": 0.0,
    "lines_of_action": 0.2,
    "mancala": 0.06,
    "matrix_pd": 0.48,
    "matrix_rps": 0.35,
    "mnk": 0.45,
    "negotiation": 0.5,
    "nim": 0.0,
    "nine_mens_morris": 0.3,
    "oshi_zumo": 0.17,
    "othello": 0.02,
    "oware": 0.06,
    "pentago": 0.1,
    "phantom_ttt": 0.14,
    "pig": 0.0,
    "quoridor": 0.38,
    "rps": 0.33,
    "sheriff": 0.07,
    "tic_tac_toe": 0.4,  # *
    "tictactoe": 0.4,  # *
    "ultimate_tic_tac_toe": 0.25,
    "y": 0.0,
}

_VERSION = re.compile(r"[_-]v\d+$")


def draw_probability(game: str, config: RatingConfig) -> float:
    """Of a game id: the config's entry for the whole id, then for the id without parameters, then the table's.

    >>> draw_probability("openspiel/kuhn_poker(players=3)", RatingConfig())
    0.0
    """
    base = parse_name(game).base
    for key in (game, base):
        if key in config.draw_probability:
            return config.draw_probability[key]
    bare = _VERSION.sub("", base.rsplit("/", 1)[-1])
    return TABLE.get(bare, DEFAULT)


def environment(game: str, config: RatingConfig) -> TrueSkill:
    """The TrueSkill environment of a game."""
    return TrueSkill(config.mu, config.sigma, config.beta, config.tau, draw_probability(game, config))


def level_environment(rules: TrueSkill) -> TrueSkill:
    """The environment for level results of a game: `rules`, unless it says there are none."""
    if rules.draw_probability > 0.0:
        return rules
    return TrueSkill(rules.mu, rules.sigma, rules.beta, rules.tau, CANNOT_DRAW)
