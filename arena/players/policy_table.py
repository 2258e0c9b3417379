"""Reads a player's complete policy: its probabilities at every decision of a small game."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

import games
from arena.players.legal_probabilities import legal_probabilities
from arena.players.player import Player, View
from games import TextGame
from games.openspiel.tree import DecisionPoint, decisions, key_of, menu, openspiel_game, perfect_information
from roles import Exchange

Table = dict[str, dict[int, float]]
"""information state (or position) -> OpenSpiel's action -> probability"""

_BATCH = 256
"""decisions that are asked concurrently; an engine answers them in a few forward passes"""


class Tabulated(msgspec.Struct, frozen=True):
    """All decisions of a game, computed once for repeated evaluations."""

    game: str
    decisions: tuple[DecisionPoint, ...]
    paths: dict[str, tuple[tuple[DecisionPoint, int], ...]]
    """key -> the seat's earlier decisions and actions; () in games of perfect information"""


def tabulate(game: TextGame) -> Tabulated:
    """List a game's decisions. Raises InputError if it is not an OpenSpiel game, is simultaneous or too large."""
    entries = decisions(game)
    by_key = {d.key: d for d in entries}
    hidden = not perfect_information(openspiel_game(game))
    paths = {d.key: _own_path(d, by_key) if hidden else () for d in entries}
    return Tabulated(game.spec.id, tuple(entries), paths)


def _own_path(decision: DecisionPoint, by_key: Mapping[str, DecisionPoint]) -> tuple[tuple[DecisionPoint, int], ...]:
    """Returns the seat's earlier decisions and actions; with perfect recall, the same in every history of the state."""
    me = decision.state.current_player()
    state = decision.state.get_game().new_initial_state()
    path = []
    for step in decision.state.full_history():
        if step.player == me:
            path.append((by_key[key_of(state)], step.action))
        state.apply_action(step.action)
    return tuple(path)


async def read_table(
    player: Player, tabulated: Tabulated, progress: Callable[[int], None] = lambda answered: None
) -> Table | None:
    """Returns a player's complete policy, or None if the player does not know it.

    The player sees every decision as in a match, with the same texts. `progress` gets the number of decisions answered.
    """
    if player.remembers and not any(tabulated.paths.values()) and len(tabulated.decisions) > 1:
        return None  # its memory depends on the history of a position, which is unknown
    boards = [games.make(tabulated.game) for _ in range(min(_BATCH, len(tabulated.decisions)))]
    table: Table = {}
    numbers = itertools.count(1)
    progress(0)

    async def ask(board: Any, decision: DecisionPoint) -> dict[int, float] | None:
        answer = await _ask(player, board, decision, tabulated.paths[decision.key])
        progress(next(numbers))
        return answer

    for start in range(0, len(tabulated.decisions), _BATCH):
        chunk = tabulated.decisions[start : start + _BATCH]
        asked = (ask(board, decision) for board, decision in zip(boards, chunk, strict=False))
        answers = await asyncio.gather(*asked) if player.waits else [await one for one in asked]
        for decision, answer in zip(chunk, answers, strict=True):
            if answer is None:
                return None
            table[decision.key] = answer
    return table


async def _ask(
    player: Player, board: Any, decision: DecisionPoint, path: Sequence[tuple[DecisionPoint, int]]
) -> dict[int, float] | None:
    exchanges = [_exchange(board, *step) for step in path] if player.remembers else []
    board.place(decision.state)
    seat = decision.seat
    legal: tuple[str, ...] = board.legal(seat)
    answer = await legal_probabilities(player, View(board, seat, board.spec.seats[seat], legal, 0, 0, (), exchanges))
    return None if answer is None else {a: answer[text] for a, text in menu(board, decision.state).items()}


def _exchange(board: Any, decision: DecisionPoint, action: int) -> Exchange:
    board.place(decision.state)
    return Exchange(board.observe(decision.seat), menu(board, decision.state)[action])
