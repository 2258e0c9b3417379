"""Ranges of wordings in a training file: `veil(of=ID, words=1..30)` stands for thirty games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_RANGE = re.compile(r"(veil(?:-v\d+)?\(.*\bwords\s*=\s*)(\d+)\.\.(\d+)(.*\))", re.DOTALL)
MOST = 1000
"""wordings of one entry"""


def each_wording(game: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns a game of a file, or one for each wording of its range, which share its weight. Raises ValueError."""
    parts = _RANGE.fullmatch(str(game.get("id", "")))
    if parts is None:
        return [game]
    before, first, last, after = parts.groups()
    count = int(last) - int(first) + 1
    if not 1 <= count <= MOST:
        raise ValueError(f"words={first}..{last} names {max(count, 0):,} wordings; write 1 to {MOST:,}, such as 1..30")
    weight = game.get("weight", 1.0)
    share = weight / count if isinstance(weight, int | float) else weight
    return [{**game, "id": f"{before}{n}{after}", "weight": share} for n in range(int(first), int(last) + 1)]
