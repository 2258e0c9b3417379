"""The exact probability of right answers to tasks of a game's source, for a policy whose probabilities are known."""

from __future__ import annotations

import asyncio

import games
from arena.players import Player
from arena.players.legal_probabilities import legal_probabilities
from arena.players.player import View
from games import InputError, TextGame
from games.randomness import derive
from games.tasks import SourceTask

_BATCH = 128
"""questions that are asked concurrently; an engine answers them in a few forward passes"""


async def solve_rates(player: Player, game: TextGame, tasks: int, seed: int) -> dict[str, dict[str, float]]:
    """Returns kind -> task -> the probability that the first seat that is asked answers right.

    Every kind of the game's source has `tasks` draws from `seed`; equal ones count once. Raises InputError if it has no
    source or the player has no probabilities.
    """
    source = game.task_source
    if source is None:
        raise InputError(f"{game.spec.id} has no task source; write tasks=...")
    rates: dict[str, dict[str, float]] = {str(kind): {} for kind in source.kinds}
    questions: list[tuple[dict[str, float], SourceTask]] = []
    for kind in source.kinds:
        drawn = {(task := source.draw(derive(seed, "solve rate", i), kind)).question: task for i in range(tasks)}
        questions += [(rates[str(kind)], task) for task in drawn.values()]
    boards = [games.make(game.spec.id) for _ in range(min(_BATCH, len(questions)) if player.waits else 1)]
    for start in range(0, len(questions), len(boards)):
        chunk = questions[start : start + len(boards)]
        rights = (_right(player, board, task) for board, (_, task) in zip(boards, chunk, strict=False))
        for (of_kind, task), right in zip(chunk, await asyncio.gather(*rights), strict=True):
            of_kind[task.id] = right
    return rates


async def _right(player: Player, game: TextGame, task: SourceTask) -> float:
    game.load_task(task.id)
    game.reset(0)
    seat, source = game.acting[0], game.task_source
    view = View(game, seat, game.spec.seats[seat], game.legal(seat) or (), 0, 0)
    shares = await legal_probabilities(player, view)
    if shares is None or source is None:
        raise InputError(f"{player.name} does not choose among listed answers in {game.spec.id}; set decode = choice")
    return sum(share for answer, share in shares.items() if source.verdict(task, answer).ok)
