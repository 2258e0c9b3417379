"""The classic environments we know more of than their spaces: where they are and which kit speaks for them."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """An environment with a kit: the module that holds its `raw_env` and the kit as `module:class`."""

    module: str
    kit: str
    parallel: bool = False
    """both seats act at once, although the environment is written as AEC"""


_CLASSIC = "pettingzoo.classic"
_KITS = "games.pettingzoo"

# hanabi_v5 is left out: it needs shimmy, whose wrapper drops parameters; play openspiel/hanabi instead.
CLASSIC: dict[str, Known] = {
    "chess_v6": Known(f"{_CLASSIC}.chess.chess", f"{_KITS}.chess:Chess"),
    "connect_four_v3": Known(f"{_CLASSIC}.connect_four.connect_four", f"{_KITS}.connect_four:ConnectFour"),
    "go_v5": Known(f"{_CLASSIC}.go.go", f"{_KITS}.go:Go"),
    "leduc_holdem_v4": Known(f"{_CLASSIC}.rlcard_envs.leduc_holdem", f"{_KITS}.poker:Leduc"),
    "rps_v2": Known(f"{_CLASSIC}.rps.rps", f"{_KITS}.rps:RockPaperScissors", parallel=True),
    "texas_holdem_no_limit_v6": Known(f"{_CLASSIC}.rlcard_envs.texas_holdem_no_limit", f"{_KITS}.poker:NoLimit"),
    "texas_holdem_v4": Known(f"{_CLASSIC}.rlcard_envs.texas_holdem", f"{_KITS}.poker:Limit"),
    "tictactoe_v3": Known(f"{_CLASSIC}.tictactoe.tictactoe", f"{_KITS}.tictactoe:TicTacToe"),
}

# What to type where the packages of a family are missing; the default names PettingZoo's own extra.
INSTALL = {"classic": "'selfplay-arena[classic]'", "hanabi": "'shimmy[openspiel]'"}
