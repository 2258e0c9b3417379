"""OpenAI Five's past opponents: drawn by how hard each still is to beat.

Berner et al., "Dota 2 with large scale deep reinforcement learning", 2019, appendix N. Past opponents have a quality
each and are drawn by softmax; beating one takes eta / (N p) off its quality, losing to it changes nothing. There, four
matches in five are against the newest self, and a new past one enters with the best quality there is; in a tournament
self-play says nothing, and all are there from the start.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from league.matchmaking._arrays import Array

ETA = 0.01


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
