"""What happens to an answer that is no action, the same for every game. What it then pays: games.forfeit."""

from __future__ import annotations

from typing import Literal

import msgspec


class IllegalPolicy(msgspec.Struct, frozen=True):
    """`retries` further attempts with the reason told, then `then`.

    forfeit: the match ends, `forfeit_returns`. random: a random legal action is played and recorded as substituted;
    on a free-text turn one of the game's examples.
    """

    retries: int = 2
    then: Literal["forfeit", "random"] = "forfeit"
    timeout: float | None = None
    """seconds a waiting player has for one attempt; later counts as a failed attempt (`timeout`)"""
