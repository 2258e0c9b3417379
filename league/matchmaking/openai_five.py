"""OpenAI Five's opponents: the newest self four times in five, else a past one by how hard it still is to beat.

Berner et al., "Dota 2 with large scale deep reinforcement learning", 2019, appendix N. Past opponents have a quality
each and are drawn by softmax; beating one takes eta / (N p) off its quality, losing to it changes nothing, and a new
one enters with the best quality there is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from games.randomness import Stream
from league.matchmaking._arrays import Array

ETA = 0.01
LATEST = 0.8
"""share of matches against the newest self"""


def probabilities(qualities: Sequence[float]) -> Array:
    """Softmax, (n,) summing to 1; empty for no opponents. Raises ValueError for a quality that is not finite."""
    q = np.asarray(qualities, dtype=float)
    if not np.isfinite(q).all():
        raise ValueError(f"qualities must be finite; seen: {list(qualities)}")
    if not q.size:
        return q
    e = np.exp(q - q.max())
    p: Array = e / e.sum()
    return p


def beaten(qualities: Sequence[float], i: int, eta: float = ETA) -> list[float]:
    """The qualities after the current agent beat opponent `i`, which was drawn by them."""
    p = probabilities(qualities)
    out = list(qualities)
    out[i] -= eta / (len(out) * float(p[i]))
    return out


def admitted(qualities: Sequence[float]) -> list[float]:
    """The qualities once a new past opponent is added at the end."""
    return [*qualities, max(qualities, default=0.0)]


def opponent(qualities: Sequence[float], rng: Stream, latest: float = LATEST) -> int | None:
    """The place of a past opponent to meet, or None for the newest self (always where there is no past)."""
    if not qualities or rng.random() < latest:
        return None
    return rng.weighted(probabilities(qualities).tolist())
