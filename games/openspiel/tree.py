"""Walks the game tree of an OpenSpiel game, for exact evaluation and solving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.errors import InputError
from games.game import Seat, TextGame

# Limit on the states of a tree (hidden information) or positions (perfect information). Leduc poker has 9,457 states,
# tic-tac-toe 5,478 positions, liar's dice with three sides 33,000 states.
LARGEST = 60_000


class DecisionPoint(NamedTuple):
    """One decision: its information state, and one state with that information."""

    key: str
    """the information state, or the position if nothing is hidden"""
    seat: Seat
    state: Any
    """a `pyspiel.State`; `OpenSpielGame.place` continues from it"""
    actions: tuple[int, ...]
    """OpenSpiel's numbers; `menu` names their texts"""


def perfect_information(game: Any) -> bool:
    """Returns whether nothing is hidden in a `pyspiel.Game`."""
    return bool(game.get_type().information.name == "PERFECT_INFORMATION")


def pays_early(game: Any) -> bool:
    """Returns whether a `pyspiel.Game` pays during a match: a position then does not tell what was paid before it."""
    return bool(game.get_type().reward_model.name != "TERMINAL")


def key_of(state: Any) -> str:
    """Returns what the acting player knows: its information state, or the position if nothing is hidden."""
    if perfect_information(state.get_game()):
        return str(state)
    return str(state.information_state_string(state.current_player()))


def openspiel_game(game: TextGame) -> Any:
    """Returns the `pyspiel.Game` of a game. Raises InputError if exact evaluation cannot enumerate it."""
    game.reset(0)
    state: Any = game.openspiel_state()
    if state is None or type(game).place is TextGame.place:
        raise InputError(f"{game.spec.id} cannot be evaluated exactly: it is not a game of OpenSpiel")
    kind = state.get_game().get_type()
    if kind.dynamics.name != "SEQUENTIAL":
        raise InputError(f"{game.spec.id} cannot be evaluated exactly: its moves are simultaneous")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise InputError(f"{game.spec.id} cannot be evaluated exactly: its chance events cannot be enumerated")
    if perfect_information(state.get_game()) and pays_early(state.get_game()):
        raise InputError(f"{game.spec.id} cannot be evaluated exactly: it pays during the match")
    return state.get_game()


def decisions(game: TextGame, largest: int = LARGEST) -> list[DecisionPoint]:
    """Returns every decision of a turn-based game, once each, in depth-first order.

    Raises InputError if the game is not from OpenSpiel, has simultaneous moves, or has more than `largest` states.
    """
    root = openspiel_game(game).new_initial_state()
    seats = tuple(game.spec.seats)
    points: dict[str, DecisionPoint] = {}
    for count, state in enumerate(states(root)):
        if count >= largest:
            raise InputError(f"{game.spec.id} cannot be evaluated exactly: it has more than {largest:,} positions")
        if state.is_terminal() or state.is_chance_node():
            continue
        key = key_of(state)
        if key not in points:
            player = state.current_player()
            points[key] = DecisionPoint(key, seats[player], state, tuple(state.legal_actions()))
    return list(points.values())


def menu(game: TextGame, state: Any) -> dict[int, str]:
    """Returns the legal texts of the acting seat by OpenSpiel's numbers; a game may list its texts in any order."""
    player = state.current_player()
    return {number: game.from_openspiel(state.action_to_string(player, number)) for number in state.legal_actions()}


def states(root: Any) -> Iterator[Any]:
    """Yields every state of the tree, or every position if nothing is hidden."""
    perfect = perfect_information(root.get_game())
    positions: set[str] = set()
    stack = [root]
    while stack:
        state = stack.pop()
        if perfect:
            position = str(state)
            if position in positions:
                continue
            positions.add(position)
        yield state
        if not state.is_terminal():
            stack += [state.child(action) for action in reversed(state.legal_actions())]
