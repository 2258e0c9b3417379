"""Whether the seed of a match decides anything in a game."""

from __future__ import annotations

from dataclasses import replace

from games.game import GameSpec, TextGame
from games.randomness import Stream

SEEDS = 8
"""seeds that an undeclared game is played with"""
MOVES = 40
"""turns of such a match"""


def has_chance(game: TextGame) -> bool:
    """What `game.spec.chance` declares. An undeclared game is played from several seeds with the same choices, and has
    chance if any seat's view, legal actions or return differ. The game is reset.

    A game that waits for something outside the process is not played: it counts as one with chance.
    """
    if game.spec.chance is not None:
        return game.spec.chance
    if game.blocking:
        return True
    try:
        return any(_transcript(game, seed, line) != _transcript(game, 0, line) for line in (1, 2) for seed in _seeds())
    except Exception:  # noqa: BLE001  a plugin's own fault; `arena check` reports it
        return True


def settled(game: TextGame) -> GameSpec:
    """The game's spec with `chance` decided."""
    return replace(game.spec, chance=has_chance(game))


def _seeds() -> range:
    return range(1, SEEDS)


def _transcript(game: TextGame, seed: int, line: int) -> list[object]:
    """All that a match showed, its choices drawn from `line` alone."""
    game.given("")
    game.reset(seed)
    stream, shown = Stream(line), list[object]()
    for _ in range(MOVES):
        seats = list(game.spec.seats)
        shown.append([(game.observe(seat).text, game.legal(seat), game.examples(seat)) for seat in seats])
        choices = {seat: game.examples(seat) for seat in game.acting}
        if not choices or not all(choices.values()):
            break
        game.apply({seat: stream.choice(texts) for seat, texts in choices.items()})
    return [*shown, dict(game.returns())]
