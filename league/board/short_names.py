"""Shortens names of players so that all of them stay different."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

from league.board.cells import ELLIPSIS, clean, fit

LEAST = 12
"""cells; the table drops columns before it cuts names below this width"""


def shortened(names: Sequence[str], room: int) -> list[str]:
    """Returns each name in at most `room` cells. Different names stay different if `room` allows it.

    Names that fit stay whole. The others lose their middle. If two of them then look alike, all of them lose their
    common start instead, or their common start and end, or everything except the part that differs from the most
    similar names.

    >>> shortened(["quickstart-train", "quickstart-train@12", "quickstart-train@13"], 12)
    ['quick…-train', 'quick…ain@12', 'quick…ain@13']
    >>> shortened(["a-long-common-prefix-17-of-many", "a-long-common-prefix-18-of-many"], 10)
    ['…7-of-many', '…8-of-many']
    """
    long = [name for name in dict.fromkeys(names) if cell_len(name) > room]
    if not long:
        return list(names)
    taken = {name for name in names if cell_len(name) <= room}
    best: dict[str, str] = {}
    fewest = 0
    for shorten in (_middle, _without_start, _without_ends, _window):
        candidates = {name: fit(short, room) for name, short in shorten(long, room).items()}
        alike = len(candidates) - len(set(candidates.values()) - taken)
        if not best or alike < fewest:
            best, fewest = candidates, alike
        if not fewest:
            break
    return [best.get(name, name) for name in names]


def needed(names: Sequence[str], most: int) -> int:
    """Returns the fewest cells, from LEAST to `most`, in which all names stay different."""
    different = len(set(names))
    for room in range(LEAST, most):
        if len(set(shortened(names, room))) == different:
            return room
    return most


def _cut(name: str, room: int) -> str:
    """Returns a name without its middle."""
    if len(name) <= room or room < 3:
        return name
    tail = room // 2
    return f"{name[: room - tail - 1]}{ELLIPSIS}{name[-tail:]}"


def _middle(names: Sequence[str], room: int) -> dict[str, str]:
    return {name: _cut(name, room) for name in names}


def _without_start(names: Sequence[str], room: int) -> dict[str, str]:
    start = _shared(names)
    return {name: _cut(ELLIPSIS + name[start:], room) for name in names}


def _without_ends(names: Sequence[str], room: int) -> dict[str, str]:
    start = _shared(names)
    end = _shared([name[start:][::-1] for name in names])
    return {name: _cut(f"{ELLIPSIS}{name[start : len(name) - end]}{ELLIPSIS if end else ''}", room) for name in names}


def _window(names: Sequence[str], room: int) -> dict[str, str]:
    """Returns the part of each name around the place where it differs from both of its alphabetical neighbours."""
    ordered = sorted(names)
    out = {}
    for i, name in enumerate(ordered):
        neighbours = ordered[max(0, i - 1) : i] + ordered[i + 1 : i + 2]
        differs = max((_shared([name, other]) for other in neighbours), default=0)
        start = max(0, min(differs - 2, len(name) - room + 1))
        piece = name[start : start + room - 2]
        out[name] = f"{ELLIPSIS if start else ''}{piece}{ELLIPSIS if start + room - 2 < len(name) else ''}"
    return out


def _shared(names: Sequence[str]) -> int:
    """Returns the length of the common start of all names."""
    low, high = min(names), max(names)
    return next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))


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
