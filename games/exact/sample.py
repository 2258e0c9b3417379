"""Samples the texts of a game, from which its disguise is made."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.errors import InputError
from games.game import TextGame
from games.randomness import RandomStream, derive

_MATCHES, _TURNS, _MENU = 8, 30, 100
_NOTATION = re.compile(r"(?:[A-Za-z0-9?]+/){7}")
_CARD_PICTURES = re.compile("[\U0001f0a0-\U0001f0ff]")


class GameTexts(NamedTuple):
    """Texts of some random matches; the same in every process."""

    rules: str
    texts: tuple[str, ...]
    actions: tuple[str, ...]


def sample(game: TextGame) -> GameTexts:
    """Returns the texts of a game. Raises InputError if its boards are drawn in a way that no table renames."""
    texts: dict[str, None] = dict.fromkeys(game.spec.seats.values())
    actions: dict[str, None] = {}
    for seed in range(_MATCHES):
        game.reset(seed)
        stream = RandomStream(derive(seed, "veil"))
        for _ in range(_TURNS):
            for seat in game.spec.seats:
                texts[game.observe(seat).text] = None
                texts[game.phase(seat)] = None
            menus = {seat: game.legal(seat) or () for seat in game.acting}
            actions |= dict.fromkeys(text for menu in menus.values() for text in menu[:_MENU])
            if not menus:
                break
            game.apply({seat: stream.choice(menu) for seat, menu in menus.items()})
    written = "\n".join(texts)
    if _NOTATION.search(written):
        raise InputError("its board is written in letters and digits (FEN), whose geometry is in its letters")
    if _CARD_PICTURES.search(written):
        raise InputError("its cards are drawn as pictures")
    return GameTexts(game.spec.rules, (game.spec.rules, *texts, *actions), tuple(actions))
