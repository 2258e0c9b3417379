"""The baseline of role-conditioned advantage estimation (RAE)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Key = tuple[str, ...]
"""(game, role) or (game, role, phase)"""

# Rewards per vectorised block: decay**-256 is within the range of a float for every decay above 0.1.
_CHUNK = 256


class RoleBaseline:
    """An exponential moving average of the reward of each (game, role[, phase]).

    The advantage is A = R - b, where b is read before the reward updates it (as in the code of SPIRAL, arXiv
    2506.24119; the paper's Algorithm 1 updates first, which only scales A by `decay`). `debias` divides the average by
    1 - decay**n (Adam, arXiv 1412.6980, section 3), so that b is a weighted mean of the n rewards seen and not biased
    towards 0. Before the first reward b is 0.
    """

    def __init__(self, decay: float = 0.95, debias: bool = True) -> None:
        if not 0.0 <= decay < 1.0:
            raise ValueError(f"decay is {decay}; it must be at least 0 and below 1")
        self.decay, self.debias = decay, debias
        self._mean: dict[Key, float] = {}
        self._count: dict[Key, int] = {}

    def value(self, key: Key) -> float:
        """Returns the current baseline of a key."""
        count = self._count.get(key, 0)
        if count == 0:
            return 0.0
        return self._mean[key] / (1.0 - self.decay**count) if self.debias else self._mean[key]

    def count(self, key: Key) -> int:
        """Returns the number of rewards of a key."""
        return self._count.get(key, 0)

    def keys(self) -> tuple[Key, ...]:
        """Returns all keys, oldest first."""
        return tuple(self._mean)

    def advantage(self, key: Key, reward: float) -> float:
        """Returns the advantage of a reward; then updates the baseline with it."""
        advantage = reward - self.value(key)
        self._mean[key] = self.decay * self._mean.get(key, 0.0) + (1.0 - self.decay) * reward
        self._count[key] = self._count.get(key, 0) + 1
        return advantage

    def advantages(
        self, keys: Sequence[Key], rewards: Sequence[float], matches: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """Returns (N,) advantages of N rewards, which then update the baselines in order; vectorised per key.

        `matches` names the match of each reward: all rewards of a match are compared with the baseline before the
        match. Without it every reward is its own match, which equals `advantage` for each up to float rounding.
        """
        if len(keys) != len(rewards) or (matches is not None and len(matches) != len(rewards)):
            raise ValueError(f"{len(keys)} keys and {len(matches or keys)} matches for {len(rewards)} rewards")
        r = np.asarray(rewards, dtype=np.float64)
        before = np.empty(len(keys))
        places: dict[Key, list[int]] = {}
        for i, key in enumerate(keys):
            places.setdefault(key, []).append(i)
        for key, where in places.items():
            for start in range(0, len(where), _CHUNK):
                at = where[start : start + _CHUNK]
                before[at] = self._update(key, r[at])
        if matches is None:
            return r - before
        first: dict[tuple[Key, Hashable], int] = {}
        return r - before[[first.setdefault(place, i) for i, place in enumerate(zip(keys, matches, strict=True))]]

    def _update(self, key: Key, r: NDArray[np.float64]) -> NDArray[np.float64]:
        """Update one key with rewards (k,). Returns (k,) the baseline before each.

        The average after j rewards is m_j = d^j m_0 + (1-d) sum_{i<=j} d^(j-i) r_i.
        """
        d, n, k = self.decay, self.count(key), len(r)
        if d < 0.1 or k == 1:  # powers of 1/d would overflow
            before = np.empty(k)
            for i, x in enumerate(r.tolist()):
                before[i] = self.value(key)
                self.advantage(key, x)
            return before
        powers = d ** np.arange(k + 1)
        sums = np.concatenate([[0.0], np.cumsum(r / powers[1:])])
        means = powers * (self._mean.get(key, 0.0) + (1.0 - d) * sums)  # (k+1,) the average before each reward
        before = means[:-1].copy()
        if self.debias:
            weight = 1.0 - d ** (n + np.arange(k))
            before = np.divide(before, weight, out=np.zeros(k), where=weight > 0)
        self._mean[key], self._count[key] = float(means[-1]), n + k
        return before

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        rows = [[list(key), self._mean[key], self._count[key]] for key in self._mean]
        return {"decay": self.decay, "debias": self.debias, "baselines": rows}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the result of `state_dict` exactly."""
        self.decay, self.debias = float(state["decay"]), bool(state["debias"])
        self._mean = {tuple(key): float(mean) for key, mean, _ in state["baselines"]}
        self._count = {tuple(key): int(count) for key, _, count in state["baselines"]}
