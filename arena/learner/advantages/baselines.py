"""Estimators that subtract a running mean of earlier rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.learner.advantages.base import Returns, rewards_of
from arena.learner.baseline import Key, RoleBaseline
from arena.learner.credit import Credit
from games import InputError


class RoleConditioned(Returns):
    """RAE: the reward minus the running mean of its (game, role), or of its (game, role, phase) with `by_phase`.

    decay: of the running mean; near 1 it remembers more.
    debias: correct the mean for its start at 0.
    """

    def __init__(self, decay: float = 0.95, debias: bool = True, by_phase: bool = False) -> None:
        try:
            self.baseline = RoleBaseline(decay, debias)
        except ValueError as error:
            raise InputError(str(error)) from None
        self.by_phase = by_phase

    def key(self, credit: Credit) -> Key:
        """Returns the baseline that a credit is compared with."""
        whole = (credit.game, credit.role, credit.phase)
        return whole if self.by_phase else whole[:2]

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) A = R - b; b is read before any reward of the same match updates it."""
        keys = [self.key(c) for c in credits]
        return self.baseline.advantages(keys, rewards_of(credits).tolist(), _matches(credits))

    def state_dict(self) -> dict[str, Any]:
        """Returns the baselines."""
        return self.baseline.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the baselines."""
        self.baseline.load_state_dict(state)


class GlobalBaseline(RoleConditioned):
    """One running mean for all roles of a game: the ablation that RAE is compared with."""

    def __init__(self, decay: float = 0.95, debias: bool = True) -> None:
        super().__init__(decay, debias)

    def key(self, credit: Credit) -> Key:
        """Returns the game alone."""
        return (credit.game,)


def _matches(credits: Sequence[Credit]) -> list[tuple[str, int]]:
    """Returns the match of each credit. A second credit of the same match, seat and phase counts as another match."""
    times: Counter[tuple[str, str, str]] = Counter()
    out = []
    for c in credits:
        out.append((c.match, times[c.match, c.seat, c.phase]))
        times[c.match, c.seat, c.phase] += 1
    return out
