"""Finds out whether the seed of a match has any effect in a game."""

from __future__ import annotations

from dataclasses import replace

from games.game import GameSpec, TextGame
from games.randomness import RandomStream

SEEDS = 8
"""tried with a game that does not declare `chance`"""
MAX_TURNS = 40
"""of each of these matches"""


def has_chance(game: TextGame) -> bool:
    """Returns whether the game has chance: `game.spec.chance` if declared, else found out by playing.

    The matches use several seeds and the same choices; the game has chance if any observation, legal action or return
    differs. This resets the game. A blocking game is not played and counts as one with chance.
    """
    if game.spec.chance is not None:
        return game.spec.chance
    if game.blocking:
        return True
    try:
        seeds = range(1, SEEDS)
        return any(_transcript(game, seed, line) != _transcript(game, 0, line) for line in (1, 2) for seed in seeds)
    except Exception:  # noqa: BLE001  an error of a plugin; `arena check` reports it
        return True


def spec_with_chance(game: TextGame) -> GameSpec:
    """Returns the game's spec with `chance` filled in."""
    return replace(game.spec, chance=has_chance(game))


def _transcript(game: TextGame, seed: int, line: int) -> list[object]:
    """Returns everything a match shows if its choices depend on `line` alone."""
    game.load_task("")
    game.reset(seed)
    stream, views = RandomStream(line), list[object]()
    for _ in range(MAX_TURNS):
        seats = list(game.spec.seats)
        views.append([(game.observe(seat).text, game.legal(seat), game.examples(seat)) for seat in seats])
        choices = {seat: game.examples(seat) for seat in game.acting}
        if not choices or not all(choices.values()):
            break
        game.apply({seat: stream.choice(texts) for seat, texts in choices.items()})
    return [*views, dict(game.returns())]
