"""PettingZoo's classic environments: where they are, and the text interface of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from annotated_types import Ge, Interval


class ClassicEnvironment(NamedTuple):
    """The module that holds `raw_env`, and the interface as `module:class`."""

    module: str
    interface: str
    parallel: bool = False
    """both seats act at once, although the environment is written as AEC"""
    parameters: Mapping[str, Any] = {}
    """types of parameters that the environment does not check itself"""


_CLASSIC = "pettingzoo.classic"
_OURS = "games.pettingzoo"
# RLCard also deals to one player, and then the match never ends; 23 players use 51 of the 52 cards.
_HOLDEM = {"num_players": Annotated[int, Interval(ge=2, le=23)]}

# hanabi_v5 is left out: it needs shimmy, whose wrapper drops parameters; play openspiel/hanabi instead.
CLASSIC: dict[str, ClassicEnvironment] = {
    "chess_v6": ClassicEnvironment(f"{_CLASSIC}.chess.chess", f"{_OURS}.chess:Chess"),
    "connect_four_v3": ClassicEnvironment(f"{_CLASSIC}.connect_four.connect_four", f"{_OURS}.connect_four:ConnectFour"),
    "go_v5": ClassicEnvironment(
        f"{_CLASSIC}.go.go", f"{_OURS}.go:Go", parameters={"board_size": Annotated[int, Interval(ge=1, le=25)]}
    ),
    "leduc_holdem_v4": ClassicEnvironment(f"{_CLASSIC}.rlcard_envs.leduc_holdem", f"{_OURS}.poker:Leduc"),
    "rps_v2": ClassicEnvironment(
        f"{_CLASSIC}.rps.rps", f"{_OURS}.rps:RockPaperScissors", True, {"max_cycles": Annotated[int, Ge(1)]}
    ),
    "texas_holdem_no_limit_v6": ClassicEnvironment(
        f"{_CLASSIC}.rlcard_envs.texas_holdem_no_limit", f"{_OURS}.poker:NoLimit", parameters=_HOLDEM
    ),
    "texas_holdem_v4": ClassicEnvironment(
        f"{_CLASSIC}.rlcard_envs.texas_holdem", f"{_OURS}.poker:Limit", parameters=_HOLDEM
    ),
    "tictactoe_v3": ClassicEnvironment(f"{_CLASSIC}.tictactoe.tictactoe", f"{_OURS}.tictactoe:TicTacToe"),
}

# What to type if the packages of a family are missing; the default names PettingZoo's own extra.
INSTALL = {"classic": "'selfplay-arena[classic]'", "hanabi": "'shimmy[openspiel]'"}
