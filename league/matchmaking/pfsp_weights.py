"""Prioritised fictitious self-play: how often to meet each opponent, given the win rates against them.

Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning", Nature 2019, methods
and the pseudocode published with it. x is the win rate against an opponent; its weight is

    variance x (1 - x)    linear 1 - x    linear-capped min(1/2, 1 - x)    squared (1 - x)^2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from games import UnknownName
from league.config.opponents import PfspKind

if TYPE_CHECKING:
    from league.matchmaking.arrays import Array

Kind = PfspKind
KINDS: tuple[Kind, ...] = get_args(Kind)

VANISHING = 1e-10
"""If the weights sum to less (every opponent is always beaten), all opponents are equally likely."""


def weights(win_rates: Array | Sequence[float], kind: Kind | str = "squared") -> Array:
    """Returns probabilities over opponents: (n,) floats that sum to 1, never NaN; empty without opponents.

    `win_rates`: (n,) in [0, 1]; a draw counts half. Raises ValueError for a rate outside of that range or NaN, and
    UnknownName for an unknown kind.
    """
    import numpy as np

    x = np.asarray(win_rates, dtype=float)
    if x.ndim != 1 or not np.all((x >= 0.0) & (x <= 1.0)):
        raise ValueError(f"win rates must be a list of numbers from 0 to 1, got {win_rates!r}")
    if kind == "variance":
        f = x * (1.0 - x)
    elif kind == "linear":
        f = 1.0 - x
    elif kind == "linear-capped":
        f = np.minimum(0.5, 1.0 - x)
    elif kind == "squared":
        f = (1.0 - x) ** 2
    elif kind == "uniform":
        f = np.ones_like(x)
    else:
        raise UnknownName("PFSP weighting", kind, KINDS)
    total = float(f.sum())
    if total < VANISHING:
        return np.full(x.shape, 1.0 / max(1, x.size))
    p: Array = f / total
    return p
