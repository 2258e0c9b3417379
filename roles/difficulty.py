"""What a task is worth to whoever proposed it, by the rate p at which solvers solve it: one table, rows with sources.

A row is named like anything else, `barely(tau=0.25)`. It is called with the task's solve rate and, where it needs them,
the solve rates of all valid tasks of the batch. An invalid task has no solve rate and is not asked for here: what it
costs is said where it is known to be invalid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games import InputError, plugins
from games.errors import UnknownName
from games.naming import parse_name


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A reward for a solve rate. `compares`: it needs the batch, so only `credit_batch` can give it."""

    name: str
    of: Callable[[float, Sequence[float]], float]
    source: str
    compares: bool = False

    def __call__(self, rate: float, batch: Sequence[float] = ()) -> float:
        """The reward of a task solved at `rate`. Raises ValueError for a rate outside 0 to 1 or a missing batch."""
        if not 0.0 <= rate <= 1.0:
            raise ValueError(f"a solve rate lies between 0 and 1, not {rate!r}")
        if self.compares and not batch:
            raise ValueError(f"difficulty {self.name!r} compares the tasks of a batch and was given none")
        return self.of(rate, batch)


def one_minus() -> Difficulty:
    """1 - p: largest for what nobody can solve."""
    return Difficulty("one_minus", lambda p, _: 1.0 - p, "SSP (Lu et al. 2025, arXiv 2510.18821); the term d of MAE")


def zero_at_zero(flat: float = 0.0) -> Difficulty:
    """1 - p, and nothing for what nobody can solve; `flat` replaces every 0, at p = 0 and at p = 1.

    The paper has 0 there, the code of the same project -0.5 (its issue 37).
    """
    flat = _number("zero_at_zero", "flat", flat)
    source = "Absolute Zero (Zhao et al. 2025, arXiv 2505.03335), equation 4; its code: flat=-0.5"
    return Difficulty("zero_at_zero", lambda p, _: 1.0 - p if 0.0 < p < 1.0 else flat, source)


def tent(scale: float = 1.0) -> Difficulty:
    """scale * min(p, 1 - p): largest where half the solvers agree. scale=2 is 1 - 2 |p - 1/2|."""
    scale = _number("tent", "scale", scale)
    source = "R-Zero (Huang et al. 2025, arXiv 2508.05004): the paper scale=2, its code scale=1"
    return Difficulty("tent", lambda p, _: scale * min(p, 1.0 - p), source)


def parabola(low: float = 0.0, high: float = 1.0) -> Difficulty:
    """4 (low + p)(high - p) strictly between 0 and 1, else 0; 4 p (1 - p) as it stands."""
    low, high = _number("parabola", "low", low), _number("parabola", "high", high)
    source = "verifiers' proposer-solver (pull request 1939); SSP's option with low and high"
    return Difficulty("parabola", lambda p, _: 4.0 * (low + p) * (high - p) if 0.0 < p < 1.0 else 0.0, source)


def barely(tau: float = 0.25) -> Difficulty:
    """1 for what is solved, and solved less often than tau."""
    tau = _number("barely", "tau", tau)
    return Difficulty(
        "barely", lambda p, _: float(0.0 < p < tau), "STP (Dong and Ma 2025, arXiv 2502.00212): 0 < p < 0.25"
    )


def percentile(share: float = 0.7) -> Difficulty:
    """1 - p for what is solved and belongs to the `share` of the batch that is solved least often, else 0.

    It belongs there where less than that share of the batch is solved less often than it is: ties are in together.
    """
    share = _number("percentile", "share", share)

    def of(p: float, batch: Sequence[float]) -> float:
        below = sum(rate < p for rate in batch)
        return 1.0 - p if p > 0.0 and below < share * len(batch) else 0.0

    return Difficulty("percentile", of, "SGS (Bailey et al. 2026, arXiv 2604.20209): the lowest 70% of the batch", True)


def gap() -> Difficulty:
    """1 where some solve it and some do not: the largest reward among the samples minus the smallest."""
    return Difficulty(
        "gap", lambda p, _: float(0.0 < p < 1.0), "eva (Ye et al. 2024, arXiv 2411.00062), rewards of 0, 1"
    )


TABLE: dict[str, Callable[..., Difficulty]] = {
    "barely": barely,
    "gap": gap,
    "one_minus": one_minus,
    "parabola": parabola,
    "percentile": percentile,
    "tent": tent,
    "zero_at_zero": zero_at_zero,
}


def make(id: str) -> Difficulty:
    """The row named by `id`, such as `tent(scale=2)`. Raises InputError for another name or a wrong parameter."""
    name = parse_name(id)
    if name.base not in TABLE:
        raise UnknownName("difficulty", name.base, TABLE)
    found: Difficulty = plugins.call("difficulty", name.base, TABLE[name.base], name.params)
    return found


def _number(row: str, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"difficulty {row}: {name} is a number, not {value!r}")
    return float(value)
