"""Advantage estimators by name: what is subtracted from a reward before it weighs a gradient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arena.learner.baseline import Key, RoleBaseline
from arena.learner.credit import Credit
from games import InputError
from games.registries import Registry


@runtime_checkable
class Estimator(Protocol):
    """From rewards to advantages. State, if any, is plain JSON and goes into the checkpoint."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages of N credits, in order; state takes them in."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        ...


ESTIMATORS = Registry(
    "advantage estimator",
    "arena.advantages",
    Estimator,  # type: ignore[type-abstract]
    {
        "none": "arena.learner.advantage:Returns",
        "rae": "arena.learner.advantage:RoleConditioned",
        "global": "arena.learner.advantage:Global",
        "grpo": "arena.learner.advantage:GroupRelative",
        "rloo": "arena.learner.advantage:LeaveOneOut",
        "rating-rae": "arena.learner.advantage:RatingRelative",
    },
)

ids = ESTIMATORS.ids
estimator = ESTIMATORS.make


class Returns:
    """The reward itself: no baseline."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) A = R."""
        return _rewards(credits)

    def state_dict(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Nothing to restore."""


class RoleConditioned:
    """RAE: reward minus the running mean of its (game, role), or (game, role, phase) with `by_phase`."""

    def __init__(self, decay: float = 0.95, debias: bool = True, by_phase: bool = False) -> None:
        try:
            self.baseline = RoleBaseline(decay, debias)
        except ValueError as error:
            raise InputError(str(error)) from None
        self.by_phase = by_phase

    def key(self, credit: Credit) -> Key:
        """Which baseline a credit belongs to."""
        whole = (credit.game, credit.role, credit.phase)
        return whole if self.by_phase else whole[:2]

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) A = R - b, each b read before any reward of the same match enters."""
        return self._against_baseline(credits, _rewards(credits))

    def _against_baseline(self, credits: Sequence[Credit], values: NDArray[np.float64]) -> NDArray[np.float64]:
        keys = [self.key(c) for c in credits]
        return self.baseline.advantages(keys, values.tolist(), _matches(credits))

    def state_dict(self) -> dict[str, Any]:
        """The baselines."""
        return self.baseline.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the baselines."""
        self.baseline.load_state_dict(state)


class Global(RoleConditioned):
    """One running mean for all roles of a game: what RAE is compared with."""

    def __init__(self, decay: float = 0.95, debias: bool = True) -> None:
        super().__init__(decay, debias)

    def key(self, credit: Credit) -> Key:
        """The game alone."""
        return (credit.game,)


class RatingRelative(RoleConditioned):
    """RAE of what the rating model did not expect: A = (R - E[R | players, seats]) - b."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages; a credit without an expectation counts as expecting 0."""
        surprise = _rewards(credits) - np.array([c.expected or 0.0 for c in credits])
        return self._against_baseline(credits, surprise)


class GroupRelative(Returns):
    """GRPO (arXiv 2402.03300, eq. 21): reward minus its group's mean, over the group's deviation.

    A group is the credits of one (game, role, phase, group). `scale=false` leaves the deviation out (Dr. GRPO, arXiv
    2503.20783). A group of one, or of equal rewards, has no advantage.
    """

    def __init__(self, scale: bool = True, eps: float = 1e-6) -> None:
        if not 0 <= eps < float("inf"):
            raise InputError(f"grpo(eps={eps}): eps must be at least 0")
        self.scale, self.eps = scale, eps

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages within groups."""
        rewards = _rewards(credits)
        out = np.zeros(len(credits))
        for at in _groups(credits):
            if np.ptp(rewards[at]) == 0:  # else their rounded mean is all that there is to see, over an `eps` of 0
                continue
            centred = rewards[at] - rewards[at].mean()
            out[at] = centred / (rewards[at].std() + self.eps) if self.scale else centred
        return out


class LeaveOneOut(Returns):
    """RLOO (arXiv 2402.14740): reward minus the mean of the others of its group; a group of one has none."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """(N,) advantages within groups; A = n / (n - 1) (R - mean)."""
        rewards = _rewards(credits)
        out = np.zeros(len(credits))
        for at in _groups(credits):
            if len(at) > 1:
                out[at] = (rewards[at] - rewards[at].mean()) * (len(at) / (len(at) - 1))
        return out


def _rewards(credits: Sequence[Credit]) -> NDArray[np.float64]:
    return np.array([c.reward for c in credits], dtype=np.float64)


def _matches(credits: Sequence[Credit]) -> list[tuple[str, int]]:
    """The match of each credit; a seat that is credited again for the same phase was in another match."""
    times: Counter[tuple[str, str, str]] = Counter()
    out = []
    for c in credits:
        out.append((c.match, times[c.match, c.seat, c.phase]))
        times[c.match, c.seat, c.phase] += 1
    return out


def _groups(credits: Sequence[Credit]) -> list[list[int]]:
    """The places of the credits that are compared with each other."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, c in enumerate(credits):
        groups.setdefault((c.game, c.role, c.phase, c.group), []).append(i)
    return list(groups.values())
