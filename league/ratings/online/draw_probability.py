"""The probability that two equal players draw a game. TrueSkill needs it per game: a wrong one distorts every win."""

from __future__ import annotations

import re

from games.naming import parse_name
from league.config.tournament import RatingConfig
from league.ratings.online.trueskill import TrueSkill

DEFAULT = 0.1
"""For a game that is not in the table; also the default of the `trueskill` package."""

CANNOT_DRAW = 1e-3
"""Used for drawn results in games whose draw probability is 0.

They exist: a match cut off at its turn limit, or two equal scores of a general-sum game. The update then means "equal
performances" and hardly depends on this number; 0 itself would be an error.
"""

# The share of draws between two random players, 600 matches each with OpenSpiel 2.0.2 (0 if the rules allow no draw).
# In games rated by pairing: the share of drawn pairings of two independent random players. * marks games in which
# strong players draw more (tic-tac-toe 0.8) or less (chess); the value lies between the two.
TABLE = {
    "bargaining": 0.5,
    "battleship": 0.38,
    "blotto": 0.32,
    "breakthrough": 0.0,
    "checkers": 0.12,
    "chess": 0.4,  # *
    "clobber": 0.0,
    "connect_four": 0.01,
    "dark_hex": 0.0,
    "dots_and_boxes": 0.15,
    "gin_rummy": 0.9,
    "goofspiel": 0.08,
    "havannah": 0.005,
    "hex": 0.0,
    "kuhn_poker": 0.36,
    "leduc_holdem": 0.22,
    "leduc_poker": 0.15,
    "liars_dice": 0.0,
    "lines_of_action": 0.2,
    "maedn": 0.6,
    "mancala": 0.06,
    "matrix_brps": 0.17,
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
    "python_block_dominoes": 0.1,
    "python_kuhn_poker": 0.36,
    "quoridor": 0.38,
    "repeated_leduc_poker": 0.09,
    "rps": 0.09,
    "sheriff": 0.07,
    "texas_holdem": 0.21,
    "texas_holdem_no_limit": 0.18,
    "tic_tac_toe": 0.4,  # *
    "tictactoe": 0.4,  # *
    "ultimate_tic_tac_toe": 0.25,
    "universal_poker": 0.26,
    "y": 0.0,
}

_VERSION = re.compile(r"[_-]v\d+$")


def names(game: str) -> tuple[str, ...]:
    """Returns the names of a game in settings and in the table, the most exact first.

    >>> names("openspiel/hex(board_size=5)")
    ('openspiel/hex(board_size=5)', 'openspiel/hex', 'hex')
    >>> names("pettingzoo/connect_four_v3")
    ('pettingzoo/connect_four_v3', 'connect_four_v3', 'connect_four')

    A game in another wording has the names of that game too:

    >>> names("veil-v1(of=openspiel/hex,words=3)")
    ('veil-v1(of=openspiel/hex,words=3)', 'veil-v1', 'veil', 'openspiel/hex', 'hex')
    """
    name = parse_name(game)
    bare = name.base.rsplit("/", 1)[-1]
    inner = names(str(of)) if (of := name.params.get("of")) else ()
    return tuple(dict.fromkeys((game, name.base, bare, _VERSION.sub("", bare), *inner)))


def draw_probability(game: str, config: RatingConfig) -> float:
    """Returns the draw probability of a game: the setting for the most exact of its `names`, else the table's value.

    >>> draw_probability("openspiel/hex(board_size=5)", RatingConfig())
    0.0
    """
    forms = names(game)
    setting = next((name for name in forms if name in config.draw_probability), None)
    return TABLE.get(forms[-1], DEFAULT) if setting is None else config.draw_probability[setting]


def environment(game: str, config: RatingConfig) -> TrueSkill:
    """Returns the TrueSkill environment of a game."""
    return TrueSkill(config.mu, config.sigma, config.beta, config.tau, draw_probability(game, config))


def level_environment(rules: TrueSkill) -> TrueSkill:
    """Returns the environment for drawn results: `rules`, or one with `CANNOT_DRAW` if its draw probability is 0."""
    if rules.draw_probability > 0.0:
        return rules
    return TrueSkill(rules.mu, rules.sigma, rules.beta, rules.tau, CANNOT_DRAW)
