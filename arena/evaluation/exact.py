"""Exact exploitability: reads a player's policy at every decision of a game and computes the best responses to it.

NashConv (Lanctot et al. 2017, "A unified game-theoretic approach to multiagent reinforcement learning") is the sum
over seats of what a best response gains over the policy itself: sum_i max_s' u_i(s', s_-i) - u_i(s). It is 0 at an
equilibrium; exploitability is NashConv divided by the number of seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games import InputError, TextGame
from games.openspiel.tree import key_of, openspiel_game, perfect_information, states


class Exact(msgspec.Struct, frozen=True):
    """The values of a policy against itself and against its best responses."""

    nash_conv: float
    exploitability: float
    values: dict[str, float]
    """seat -> return if all seats play the policy"""
    best_responses: dict[str, float]
    """seat -> return of the best response in that seat, with the policy in all others"""
    decisions: int
    """number of decisions at which the policy was read"""


def evaluate(game: TextGame, table: Mapping[str, Mapping[int, float]]) -> Exact:
    """Returns NashConv of a complete policy. Raises InputError if a position can repeat."""
    loaded = openspiel_game(game)
    seats = tuple(game.spec.seats)
    if perfect_information(loaded):
        values, best = _by_position(loaded, table)
    else:
        values, best = _by_information(loaded, table)
    nash_conv = sum(b - v for b, v in zip(best, values, strict=True))
    return Exact(
        nash_conv=nash_conv,
        exploitability=nash_conv / len(seats),
        values=dict(zip(seats, values, strict=True)),
        best_responses=dict(zip(seats, best, strict=True)),
        decisions=len(table),
    )


def response_actions(game: TextGame, table: Mapping[str, Mapping[int, float]]) -> dict[str, dict[str, int]]:
    """Returns seat -> key -> action of the best response to a complete policy. Raises as `evaluate`.

    States that no best response reaches may lack.
    """
    import pyspiel

    loaded = openspiel_game(game)
    seats = tuple(game.spec.seats)
    if perfect_information(loaded):
        return _actions_by_position(loaded, table, seats)
    policy = pyspiel.TabularPolicy({key: list(row.items()) for key, row in table.items()})
    out = {}
    for i, seat in enumerate(seats):
        response = pyspiel.TabularBestResponse(loaded, i, policy)
        response.value("")
        out[seat] = dict(response.get_best_response_actions())
    return out


def _by_information(loaded: Any, table: Mapping[str, Mapping[int, float]]) -> tuple[list[float], list[float]]:
    """Returns OpenSpiel's own best response over information states."""
    import pyspiel

    policy = pyspiel.TabularPolicy({key: list(row.items()) for key, row in table.items()})
    root = loaded.new_initial_state()
    values = list(_expected(root, table))
    best = [pyspiel.TabularBestResponse(loaded, i, policy).value("") for i in range(loaded.num_players())]
    return values, best


def _expected(state: Any, table: Mapping[str, Mapping[int, float]]) -> Sequence[float]:
    """Returns every player's expected return if all play the table."""
    if state.is_terminal():
        return list(state.returns())
    if state.is_chance_node():
        steps: Sequence[tuple[int, float]] = state.chance_outcomes()
    else:
        steps = list(table[key_of(state)].items())
    total = [0.0] * state.num_players()
    for action, p in steps:
        if p > 0.0:
            total = [t + p * v for t, v in zip(total, _expected(state.child(action), table), strict=True)]
    return total


def _by_position(loaded: Any, table: Mapping[str, Mapping[int, float]]) -> tuple[list[float], list[float]]:
    """Returns the values of the table and of each player's best response."""
    top = _position_values(loaded, table)[str(loaded.new_initial_state())]
    return top[0], [top[i + 1][i] for i in range(loaded.num_players())]


def _actions_by_position(
    loaded: Any, table: Mapping[str, Mapping[int, float]], seats: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Returns each seat's best action at every position."""
    values = _position_values(loaded, table)
    out: dict[str, dict[str, int]] = {seat: {} for seat in seats}
    for state in states(loaded.new_initial_state()):
        if state.is_terminal() or state.is_chance_node():
            continue
        me = state.current_player()
        worth = {action: values[str(state.child(action))][me + 1][me] for action in state.legal_actions()}
        out[seats[me]][str(state)] = max(worth, key=lambda action: worth[action])
    return out


def _position_values(loaded: Any, table: Mapping[str, Mapping[int, float]]) -> dict[str, list[list[float]]]:
    """Returns position -> rows (values, best response of 0, 1, ...) x players, by backward induction."""
    n = loaded.num_players()
    values: dict[str, list[list[float]]] = {}
    open_: set[str] = set()
    stack = [loaded.new_initial_state()]
    while stack:
        state = stack[-1]
        key = str(state)
        if key in values:
            stack.pop()
        elif state.is_terminal():
            values[key] = [list(state.returns())] * (n + 1)
        elif key not in open_:
            open_.add(key)
            children = [state.child(a) for a in state.legal_actions()]
            if any(str(c) in open_ and str(c) not in values for c in children):
                raise InputError(f"{loaded} cannot be evaluated exactly: a position can repeat")
            stack += children
        else:
            values[key] = _backed_up(state, table, values, n)
    return values


def _backed_up(
    state: Any, table: Mapping[str, Mapping[int, float]], values: Mapping[str, list[list[float]]], n: int
) -> list[list[float]]:
    """Returns the rows of a position from those of the positions after it."""
    chance = state.is_chance_node()
    steps = list(state.chance_outcomes()) if chance else list(table[str(state)].items())
    after = [(p, values[str(state.child(a))]) for a, p in steps]
    mean = [[sum(p * rows[r][i] for p, rows in after) for i in range(n)] for r in range(n + 1)]
    if not chance:
        me = state.current_player()
        mean[me + 1] = max((rows[me + 1] for _, rows in after), key=lambda row: row[me])
    return mean
