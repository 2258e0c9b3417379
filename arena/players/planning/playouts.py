"""Plays positions to their end to estimate what an action is worth."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import games
from arena.players.bots.random import RandomPlayer
from arena.players.composite import ask
from arena.players.player import Player, View
from arena.players.worlds import Worlds
from games.randomness import RandomStream, derive

LONGEST = 2000
"""moves after which a playout ends with the returns so far"""


async def estimate(
    view: View,
    worlds: Worlds,
    actions: Sequence[int],
    critic: Player,
    rollouts: int,
    lead: Player | None = None,
    plies: int = 0,
) -> Mapping[int, float]:
    """Returns the mean return of the acting seat after each action: ProAct's Monte-Carlo critic (2602.05327).

    All actions are tried in the same `rollouts` positions. `lead` plays the first `plies` moves of all seats, `critic`
    the others.
    """
    positions = [worlds.draw() for _ in range(rollouts)]
    seeds = [derive(view.seed, "playout", i) for i in range(rollouts)]
    jobs = [
        _playout(view, state.child(action), critic, seed, lead, plies)
        for action in actions
        for state, seed in zip(positions, seeds, strict=True)
    ]
    me = positions[0].current_player()
    if critic.waits or (lead is not None and plies and lead.waits):
        ends = await asyncio.gather(*jobs)
    else:
        ends = [await job for job in jobs]
    values = [end[me] for end in ends]
    return {a: sum(values[i * rollouts : (i + 1) * rollouts]) / rollouts for i, a in enumerate(actions)}


async def _playout(
    view: View, state: Any, critic: Player, seed: int, lead: Player | None, plies: int
) -> Sequence[float]:
    """Returns the returns of all players at the end. Changes `state`."""
    stream, moves = RandomStream(seed), 0
    board: Any = None
    while not state.is_terminal() and moves < LONGEST:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[stream.weighted([p for _, p in outcomes])][0])
            continue
        player = lead if lead is not None and moves < plies else critic
        if type(player) is RandomPlayer:
            action = stream.choice(state.legal_actions())
        else:
            board = board or games.make(view.game.spec.id)
            action = await _move(board, state, player, seed, moves, stream)
        state.apply_action(action)
        moves += 1
    return list(state.returns())


async def _move(board: Any, state: Any, player: Player, seed: int, moves: int, stream: RandomStream) -> int:
    """Returns the player's action in a position; a random one if it fails to give a legal action."""
    board.place(state)
    (seat,) = board.acting
    legal = board.legal(seat)
    decision = await ask(player, View(board, seat, board.spec.seats[seat], legal, seed, moves))
    numbers: list[int] = state.legal_actions()
    return numbers[legal.index(decision.action)] if decision.action in legal else stream.choice(numbers)
