"""Ranges in the game ids of a file: `veil(of=ID, words=1..30)` and `gen(seed=1..30, size=3)` stand for thirty games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_RANGE = re.compile(r"\b(\w+\s*=\s*)(\d+)\.\.(\d+)(?=\s*[,)])")
MOST = 1000
"""games of one range"""


def ids_of(id: str) -> list[str]:
    """Returns an id, or one for each number of its range. Raises ValueError."""
    parts = _RANGE.search(id)
    if parts is None:
        return [id]
    first, last = int(parts[2]), int(parts[3])
    count = last - first + 1
    if not 1 <= count <= MOST:
        raise ValueError(f"{parts[0]} names {max(count, 0):,} games; write 1 to {MOST:,}, such as {parts[1]}1..30")
    return [f"{id[: parts.start()]}{parts[1]}{n}{id[parts.end() :]}" for n in range(first, last + 1)]


def each_game(game: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns a game of a file, or those of its range, which share its weight. Raises ValueError."""
    ids = ids_of(str(game.get("id", "")))
    if ids == [game.get("id")] or "id" not in game:
        return [game]
    weight = game.get("weight", 1.0)
    share = weight / len(ids) if isinstance(weight, int | float) else weight
    return [{**game, "id": id, "weight": share} for id in ids]
