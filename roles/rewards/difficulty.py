"""The reward of a proposer for a task that solvers solve at rate p: a table of published functions.

A row is named like a game or a player, `barely(tau=0.25)`. It is called with the solve rate of the task and, if it
compares tasks, the solve rates of all valid tasks of the batch. An invalid task has no solve rate; its game sets its
price.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games import plugins
from games.errors import UnknownName
from games.naming import parse_name


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A reward for a solve rate. `compares`: it needs the batch, so only `credit_batch` can use it."""

    name: str
    of: Callable[[float, Sequence[float]], float]
    source: str
    compares: bool = False

    def __call__(self, rate: float, batch: Sequence[float] = ()) -> float:
        """Returns the reward of a task solved at `rate`. Raises ValueError for a rate outside 0 to 1 or no batch."""
        if not 0.0 <= rate <= 1.0:
            raise ValueError(f"a solve rate must be from 0 to 1, not {rate!r}")
        if self.compares and not batch:
            raise ValueError(f"difficulty {self.name!r} compares the tasks of a batch but got no batch")
        return self.of(rate, batch)


def one_minus() -> Difficulty:
    """1 - p: largest for a task that nobody solves."""
    return Difficulty("one_minus", lambda p, _: 1.0 - p, "SSP (Lu et al. 2025, arXiv 2510.18821); the term d of MAE")


def zero_at_zero(flat: float = 0.0) -> Difficulty:
    """1 - p for 0 < p < 1, `flat` for p = 0 and p = 1.

    flat is 0 in the paper and -0.5 in the code of the same project (its issue 37).
    """
    source = "Absolute Zero (Zhao et al. 2025, arXiv 2505.03335), equation 4; its code: flat=-0.5"
    return Difficulty("zero_at_zero", lambda p, _: 1.0 - p if 0.0 < p < 1.0 else flat, source)


def tent(scale: float = 1.0) -> Difficulty:
    """scale * min(p, 1 - p): largest if half of the solvers agree. scale=2 is 1 - 2 |p - 1/2|."""
    source = "R-Zero (Huang et al. 2025, arXiv 2508.05004): the paper scale=2, its code scale=1"
    return Difficulty("tent", lambda p, _: scale * min(p, 1.0 - p), source)


def parabola(low: float = 0.0, high: float = 1.0) -> Difficulty:
    """4 (low + p)(high - p) for 0 < p < 1, else 0; 4 p (1 - p) by default."""
    source = "verifiers' proposer-solver (pull request 1939); SSP's option with low and high"
    return Difficulty("parabola", lambda p, _: 4.0 * (low + p) * (high - p) if 0.0 < p < 1.0 else 0.0, source)


def barely(tau: float = 0.25, above: float = 0.0) -> Difficulty:
    """1 for above < p < tau, else 0. `above`, 0 in the paper, is for answers that a guess may solve."""
    return Difficulty(
        "barely", lambda p, _: float(above < p < tau), "STP (Dong and Ma 2025, arXiv 2502.00212): 0 < p < 0.25"
    )


def percentile(share: float = 0.7) -> Difficulty:
    """1 - p if p > 0 and fewer than `share` of the tasks of the batch have a lower solve rate, else 0."""

    def of(p: float, batch: Sequence[float]) -> float:
        below = sum(rate < p for rate in batch)
        return 1.0 - p if p > 0.0 and below < share * len(batch) else 0.0

    return Difficulty("percentile", of, "SGS (Bailey et al. 2026, arXiv 2604.20209): the lowest 70% of the batch", True)


TABLE: dict[str, Callable[..., Difficulty]] = {
    row.__name__: row for row in (barely, one_minus, parabola, percentile, tent, zero_at_zero)
}


def make(id: str) -> Difficulty:
    """Returns the row named by `id`, such as `tent(scale=2)`. Raises InputError for a wrong name or parameter."""
    name = parse_name(id)
    if name.base not in TABLE:
        raise UnknownName("difficulty", name.base, TABLE)
    row: Difficulty = plugins.call("difficulty", name.base, TABLE[name.base], name.params)
    return row
