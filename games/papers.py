"""The papers that games come from, for `arena games` and `arena info`. READMEs say what differs."""

from __future__ import annotations

import re

from games.naming import parse_name
from games.native import PAPERS

_COLLECTIONS: dict[str, tuple[str, ...]] = {
    "openspiel": ("OpenSpiel, 1908.09453",),
    "pettingzoo": ("PettingZoo, 2009.14471",),
    "textarena": ("TextArena, 2504.11442",),
}


def papers_of_game(id: str) -> tuple[str, ...]:
    """Returns name and arXiv id of each paper that a game comes from; of a collection's game, the collection's.

    () for a game without a paper, or of a plugin.
    """
    collection, slash, _ = id.partition("/")
    if slash:
        return _COLLECTIONS.get(collection, ())
    return PAPERS.get(re.sub(r"-v\d+$", "", parse_name(id).base), ())
