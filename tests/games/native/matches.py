"""Matches of native games: started, played message by message, and as the episodes that monitors read."""

import json
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


def recorded(id: str, task: str, seed: int, writes: list[dict[str, str]]) -> dict[str, Any]:
    """Returns a match as JSON: what acting seats read and write on each turn; what all read, and what follows, after
    the last one. golden/transcripts holds one for each game.
    """
    game = started(id, seed, task)
    turns = []
    for texts in writes:
        turns.append({"reads": {seat: game.observe(seat).text for seat in game.acting}, "writes": texts})
        game.apply(texts)
    return {
        "id": id,
        "task": task,
        "seed": seed,
        "turns": turns,
        "acting": list(game.acting),
        "reads": {seat: game.observe(seat).text for seat in game.spec.seats},
        "spectator": game.spectate(),
        "returns": dict(game.returns()),
        "facts": json.loads(json.dumps(game.facts())),
    }
