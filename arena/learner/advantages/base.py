"""The interface of advantage estimators, their registry, and the check of what a plugin returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arena.learner.credit import Credit, scored
from games.plugins import Registry
from roles.reward_kind import NeededKind


@runtime_checkable
class Estimator(Protocol):
    """Computes advantages from rewards. Its state, if any, is plain JSON and is saved in checkpoints.

    An estimator may also have `turn_advantages(credits)`, which returns one sequence per credit: the advantage at each
    turn of the seat, in order. Later turns have the last one. `advantages` then only feeds the metrics. With
    `compares = True` a training makes sure that there are groups of two or more. With `needs_kind = "verdict"` the
    rewards are 1 (right or won), 0 (wrong or lost) or 1/2 (a draw), with `"preference"` shares of wins from 0 to 1.
    `needs_range` is the lowest and the highest reward that it takes; a training refuses games whose returns go beyond.
    """

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages of N credits, in order; updates the state."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the result of `state_dict`."""
        ...


ESTIMATORS = Registry(
    "advantage estimator",
    "arena.advantages",
    Estimator,  # type: ignore[type-abstract]
    {
        "none": "arena.learner.advantages.base:Returns",
        "rae": "arena.learner.advantages.baselines:RoleConditioned",
        "global": "arena.learner.advantages.baselines:GlobalBaseline",
        "grpo": "arena.learner.advantages.groups:GroupRelative",
        "whiten": "arena.learner.advantages.groups:Whitened",
        "psr-nsr": "arena.learner.advantages.asymmetric:SignedReward",
        "ngrpo": "arena.learner.advantages.asymmetric:VirtualBest",
        "bnpo": "arena.learner.advantages.normalised:BetaNormalised",
        "seed": "arena.learner.advantages.normalised:UncertaintyWeighted",
        "hapo": "arena.learner.advantages.normalised:TokenWeighted",
        "dcpo": "arena.learner.advantages.cumulative:CumulativeStandard",
        "turn-level": "arena.learner.advantages.turn_level:TurnLevel",
        "spo": "arena.learner.advantages.groups:WinShare",
        "rloo": "arena.learner.advantages.groups:LeaveOneOut",
        "best": "arena.learner.advantages.groups:BestOfGroup",
    },
)

ids = ESTIMATORS.ids
register = ESTIMATORS.register
estimator = ESTIMATORS.make


class Returns:
    """The reward itself, without a baseline. Has no state."""

    needs_kind: NeededKind | None = None
    """the kind of reward it needs; None: it takes any number"""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) A = R."""
        return rewards_of(credits)

    def state_dict(self) -> dict[str, Any]:
        """Returns an empty dict."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Does nothing."""


def comparable(rewards: Iterable[float]) -> NDArray[np.float64]:
    """Returns rewards to 12 digits, so that 0.3 and 0.1 + 0.2 are equal and their difference is not scaled up."""
    return np.array([float(f"{reward:.12g}") for reward in rewards], dtype=np.float64)


def rewards_of(credits: Sequence[Credit]) -> NDArray[np.float64]:
    """Returns (N,) the rewards of N credits."""
    return np.array([c.reward for c in credits], dtype=np.float64)


def checked_advantages(id: str, estimator: Estimator, credits: Sequence[Credit]) -> list[float]:
    """Returns (N,) advantages of N credits. Raises PluginError if a plugin fails or returns other than N numbers."""
    credits = in_kind(estimator, credits)
    with ESTIMATORS.blamed(id, "advantages"):
        result: object = estimator.advantages(credits)
        values = np.asarray(result)
    if ESTIMATORS.is_plugin(id) and (problem := problem_with_advantages(result, values, len(credits))):
        raise ESTIMATORS.broken(id, problem)
    return [float(value) for value in values]


def checked_turn_advantages(
    id: str, estimator: Estimator, credits: Sequence[Credit]
) -> Sequence[Sequence[float]] | None:
    """Returns the advantages of the turns of each credit, or None if the estimator has one for all turns of a credit.

    Raises PluginError if a plugin fails or returns anything but finite numbers.
    """
    by_turn = getattr(estimator, "turn_advantages", None)
    if by_turn is None:
        return None
    credits = in_kind(estimator, credits)
    with ESTIMATORS.blamed(id, "turn_advantages"):
        advantages = [[float(a) for a in turns] for turns in by_turn(credits)]
    if len(advantages) != len(credits) or not all(turns and np.isfinite(turns).all() for turns in advantages):
        requirement = f"it must return {len(credits)} sequences of finite numbers, one for each credit, in order"
        raise ESTIMATORS.broken(id, f"turn_advantages returned {advantages!r:.80}; {requirement}")
    return advantages


def in_kind(estimator: Estimator, credits: Sequence[Credit]) -> Sequence[Credit]:
    """Returns the credits with rewards of the kind that the estimator needs."""
    return scored(credits) if getattr(estimator, "needs_kind", None) else credits


def problem_with_advantages(result: object, values: np.ndarray[Any, Any], count: int) -> str:
    """Returns why `result`, as the array `values`, is not a list of `count` finite numbers; "" if it is."""
    requirement = f"it must return {count} finite numbers, one for each credit, in order"
    if values.dtype.kind not in "fiu":
        return f"advantages returned {result!r:.80}; {requirement}"
    if values.shape != (count,):
        return f"advantages returned an array of shape {values.shape} for {count} credits; {requirement}"
    if invalid := np.flatnonzero(~np.isfinite(values)).tolist():
        return f"advantages returned {values[invalid[0]]} at index {invalid[0]}; {requirement}"
    return ""
