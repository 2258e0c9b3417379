"""The rule for answers that are not legal actions, the same for all games."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arena.settings import Settings


class IllegalPolicy(Settings):
    """What happens after a failed attempt.

    forfeit: the match ends with the returns of `games.forfeit.forfeit_returns`. random: a random legal action is played
    and the turn is recorded as substituted; on a free-text turn one of the game's examples is played.
    """

    retries: int = Field(default=2, ge=0, le=20)
    """Further attempts, each with the reason of the failure."""
    then: Literal["forfeit", "random"] = "forfeit"
    """After the last attempt: lose the match, or play a random legal action (recorded as substituted)."""
