"""The probabilities that a player names, checked: the player may be a plugin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from inspect import isawaitable
from numbers import Real

from arena.players.player import Player, View
from games.errors import PluginError

_TOLERANCE = 0.01
"""by how much the sum may miss 1; models compute in bfloat16"""


async def legal_probabilities(player: Player, view: View) -> dict[str, float] | None:
    """Returns the probability of each legal action, or None if the player does not know its policy.

    Raises PluginError if the answer is no mapping from legal actions to numbers with the sum 1.
    """
    asked: object = player.probabilities(view)
    if not isawaitable(asked):
        raise PluginError(
            f"{type(player).__name__}.probabilities is no `async def`; write `async def probabilities(self, view)`"
        )
    answer: object = await asked
    if answer is None:
        return None
    legal = view.legal or ()
    if isinstance(answer, Mapping):
        shares = {action: answer.get(action, 0.0) for action in legal}
        if all(_is_share(share) for share in shares.values()) and abs(sum(shares.values()) - 1) <= _TOLERANCE:
            return {action: float(share) for action, share in shares.items()}
    raise PluginError(
        f"{type(player).__name__}.probabilities returned {answer!r:.100} for the legal actions {legal!r:.100}; it must "
        "return a mapping from them to numbers with the sum 1, or None"
    )


def _is_share(share: object) -> bool:
    return isinstance(share, Real) and math.isfinite(share) and float(share) >= 0
