"""Short, different labels for the columns of games."""

from __future__ import annotations

import re
from collections.abc import Sequence

from league.board.cells import clean, fit

LABEL_MAX = 13
"""cells"""


def game_labels(games: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Returns two header lines for each game: `kuhn` over `poker`, or `kuhn_poker` over `players=3`."""
    shorts = {g: _short(g) for g in games}
    labels: dict[str, tuple[str, str]] = {}
    for game in games:
        base, params = shorts[game]
        clash = [g for g in games if shorts[g] == shorts[game]]
        if params:
            label = base, params
        elif len(clash) > 1:
            label = game.partition("/")[0], base
        else:
            label = _halves(base)
        labels[game] = fit(label[0], LABEL_MAX), fit(label[1], LABEL_MAX)
    return labels


def one_line_labels(games: Sequence[str], most: int) -> dict[str, str]:
    """Returns a short, different label for each game in at most `most` cells."""
    shorts = {game: _short(game) for game in games}
    labels = {}
    for game, (base, params) in shorts.items():
        clash = sum(other == (base, params) for other in shorts.values()) > 1
        labels[game] = fit(f"{game.partition('/')[0]}/{base}" if clash else f"{base} {params}".rstrip(), most)
    return labels


def _short(game: str) -> tuple[str, str]:
    """Returns the name without namespace and version, and the parameters."""
    head, _, params = clean(game).partition("(")
    return re.sub(r"[-_]v\d+$", "", head.rpartition("/")[2]) or head, params.removesuffix(")")


def _halves(name: str) -> tuple[str, str]:
    """Returns a long name in two lines, split at the underscore or hyphen nearest to its middle."""
    cuts = [m.start() for m in re.finditer(r"[_-]", name)]
    if len(name) <= 7 or not cuts:
        return "", name
    cut = min(cuts, key=lambda i: abs(i - len(name) / 2))
    return name[:cut], name[cut + 1 :]
