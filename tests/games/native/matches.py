"""Matches of native games: started, played message by message, and as the episodes that monitors read."""

from collections.abc import Callable
from typing import Any

import games
from arena.match import Episode
from games import TextGame


def started(id: str, seed: int = 0, task: str = "") -> TextGame:
    """Returns a game at the start of a match."""
    game = games.make(id)
    game.load_task(task)
    game.reset(seed)
    return game


def starter(game: Callable[..., TextGame]) -> Callable[..., TextGame]:
    """Returns a function that starts a match of a game with a seed and parameters."""

    def started(seed: int = 0, **params: Any) -> TextGame:
        made = game(**params)
        made.reset(seed)
        return made

    return started


def play(game: TextGame, *moves: str | list[str] | tuple[str, ...]) -> TextGame:
    """Plays moves: one message for each acting seat, or the same for all."""
    for move in moves:
        texts = [move] * len(game.acting) if isinstance(move, str) else move
        game.apply(dict(zip(game.acting, texts, strict=True)))
    return game


def observations(game: TextGame) -> str:
    """Returns what every seat reads."""
    return "\n\n".join(f"{seat}:\n{game.observe(seat).text}" for seat in game.spec.seats)


def episode_of(game: TextGame) -> Episode:
    """Returns the episode of a finished match."""
    roles, returns = dict(game.spec.seats), dict(game.returns())
    return Episode("m", game.spec.id, 0, roles, roles, (), returns, "finished", facts=dict(game.facts()))
