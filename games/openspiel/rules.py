"""The rules text of every OpenSpiel game: hand-written for common games, from the game's type for the others."""

from __future__ import annotations

from typing import Any

from games.openspiel.rules_board import BOARD_RULES, Rules
from games.openspiel.rules_cards import CARD_RULES, matrix
from games.openspiel.rules_extensive import extensive
from games.openspiel.rules_social import SOCIAL_RULES

RULES: dict[str, Rules | str] = {**BOARD_RULES, **CARD_RULES, **SOCIAL_RULES, "efg_game": extensive}


def rules_of(name: str, game: Any) -> str:
    """Returns the rules text of the loaded `pyspiel.Game` called `name`."""
    write = RULES.get(name)
    if write is None and name.startswith("matrix_"):
        write = matrix
    if write is None:
        return generic(game)
    if isinstance(write, str):
        return write
    return write(game, {**dict(game.get_type().parameter_specification), **game.get_parameters()})


def generic(game: Any) -> str:
    """Returns rules from a game's type, for games without a hand-written text."""
    kind = game.get_type()
    n = game.num_players()
    turns = "All players act at the same time." if kind.dynamics.name == "SIMULTANEOUS" else "Players take turns."
    luck = "" if kind.chance_mode.name == "DETERMINISTIC" else " It involves chance."
    hidden = " Some information is hidden from you." if kind.information.name == "IMPERFECT_INFORMATION" else ""
    goal = {
        "ZERO_SUM": "One player's gain is the others' loss.",
        "CONSTANT_SUM": "The returns of all players always have the same sum.",
        "IDENTICAL": "All players get the same return.",
        "GENERAL_SUM": "Each player has their own return.",
    }[kind.utility.name]
    values = ", ".join(f"{k}={v}" for k, v in game.get_parameters().items() if isinstance(v, (bool, int, float)))
    settings = f" Settings: {values}." if values else ""
    people = "one player" if n == 1 else f"{n} players"
    return (
        f"{kind.long_name}, for {people}. {turns}{luck}{hidden} {goal} Returns lie between {game.min_utility():g} and "
        f"{game.max_utility():g}; a higher one is better.{settings}\n"
        "An action is one of the legal actions, exactly as printed."
    )
