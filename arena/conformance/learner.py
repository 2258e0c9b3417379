"""The checks that `arena check` runs on advantage estimators; those of losses are in `arena.conformance.losses`."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from arena.conformance.generators import global_generators
from arena.conformance.state_reload import reloaded
from arena.learner.advantages import ESTIMATORS, Estimator, Returns
from arena.learner.advantages.base import in_kind, problem_with_advantages
from arena.learner.credit import Credit
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_checks
from games.randomness import RandomStream

SIZES = (0, 1, 2, 7, 64)
_PLAIN = "the advantage is the reward itself, as with `none`"


def credits(n: int, seed: int = 0, reward: Callable[[RandomStream], float] | None = None) -> list[Credit]:
    """Returns N credits of two games, two roles and groups of four; a positive reward is right."""
    stream = RandomStream(seed)
    draw = reward or (lambda s: s.random() * 2 - 1)
    return [
        Credit(
            game=f"game-v{i // 8 % 2}", role=("seller", "buyer")[i % 2], phase="", seat=f"seat_{i % 2}", player="live",
            match=f"m{i // 2}", group=f"g{i // 8}", reward=earned, score=float(earned > 0),
        )
        for i, earned in enumerate(draw(stream) for _ in range(n))
    ]  # fmt: skip


def check_advantage(id: str) -> Report:
    """Check an advantage estimator by its id. Raises InputError if it cannot be made."""
    ESTIMATORS.make(id)
    return run_checks(id, partial(ESTIMATORS.make, id), ADVANTAGE_CHECKS)


Make = Callable[[], Estimator]


def _advantages(estimator: Estimator, batch: Sequence[Credit]) -> tuple[np.ndarray[Any, Any], str]:
    result: object = estimator.advantages(in_kind(estimator, batch))
    values = np.asarray(result)
    return values, problem_with_advantages(result, values, len(batch))


def _base(make: Make) -> Findings:
    """It derives from Returns, and computes something itself."""
    kind = type(make())
    if not issubclass(kind, Returns):
        derive = f"derive it from arena.learner.advantages: class {kind.__name__}(Returns), or (Grouped)"
        yield Finding(
            "base", f"{kind.__name__} does not derive from Returns, which has what a training calls; {derive}"
        )
    elif kind is not Returns and kind.advantages is Returns.advantages and not hasattr(kind, "turn_advantages"):
        near = difflib.get_close_matches("advantages", vars(kind), 1, 0.8)
        hint = f"it has {near[0]!r}, which nothing calls; did you mean 'advantages'?" if near else _PLAIN
        yield Finding(
            "base", f"{kind.__name__} overrides no advantages(self, credits); {hint}", "error" if near else "note"
        )
    yield Check("base", 1, "classes")


def _shape(make: Make) -> Findings:
    """N finite numbers for N credits, also for no credits and for equal rewards."""
    cases = 0
    kinds: tuple[Callable[[RandomStream], float] | None, ...] = (None, lambda s: 1.0, lambda s: 0.0, lambda s: 1e6)
    for reward in kinds:
        estimator = make()
        for n in (*SIZES, *SIZES):
            _, problem = _advantages(estimator, credits(n, n, reward))
            cases += 1
            if problem:
                yield Finding("shape", problem)
                break
    yield Check("shape", cases, "batches")


def _turns(make: Make) -> Findings:
    """If it has `turn_advantages`: finite numbers for each credit, at least one, whether or not turns have rewards."""
    if not hasattr(make(), "turn_advantages"):
        yield Check("turns", skipped="it has one advantage for all turns of a credit")
        return
    for n in SIZES:
        batch = [dataclasses.replace(c, turns=(0.5,) * (i % 3) if i % 4 else None) for i, c in enumerate(credits(n, n))]
        advantages = [np.asarray(turns, dtype=np.float64) for turns in make().turn_advantages(in_kind(make(), batch))]  # type: ignore[attr-defined]
        if len(advantages) != n or not all(len(turns) and np.isfinite(turns).all() for turns in advantages):
            yield Finding("turns", f"turn_advantages must return {n} sequences of finite numbers for {n} credits")
            break
    yield Check("turns", len(SIZES), "batches")


def _direction(make: Make) -> Findings:
    """Of two credits that differ only in their reward, the higher reward has the higher advantage."""
    compared = 0
    for high, low in ((1.0, -1.0), (0.5, -0.5), (20.0, -20.0)):
        one = credits(1)[0]
        pair = [
            dataclasses.replace(one, reward=r, score=float(r > 0), match=f"m{i}") for i, r in enumerate((high, low))
        ]
        values, problem = _advantages(make(), pair)
        compared += not problem
        if not problem and not values[0] > values[1]:
            figures = f"rewards {high:g} and {low:g} have the advantages {values[0]:g} and {values[1]:g}"
            yield Finding("direction", f"{figures}; the higher reward must have the higher advantage")
    yield Check("direction", compared, "pairs", lacks="it gave no advantages for two credits")


def _state(make: Make) -> Findings:
    """`state_dict` is JSON, and an estimator that loads it continues exactly."""
    first, batches = make(), [credits(8, seed) for seed in range(4)]
    for batch in batches[:3]:
        first.advantages(in_kind(first, batch))
    second, problem = reloaded(first, make)
    if problem:
        yield Finding("state", problem)
    if second is None:
        return
    a, b = (np.asarray(each.advantages(in_kind(each, batches[3]))) for each in (first, second))
    if a.shape != b.shape or not np.array_equal(a, b):
        yield Finding("state", "advantages differ after load_state_dict, so a resumed run would not continue exactly")
    yield Check("state", 4, "batches")


def _repeats(make: Make) -> Findings:
    """Two new estimators return the same advantages, and no global random generator is used."""
    used: set[str] = set()
    results = []
    for _ in range(2):
        estimator = make()
        with global_generators(used):
            results.append(
                [np.asarray(estimator.advantages(in_kind(estimator, credits(16, seed)))) for seed in range(3)]
            )
    if not all(a.shape == b.shape and np.array_equal(a, b) for a, b in zip(*results, strict=True)):
        yield Finding("repeats", "two new estimators return different advantages for the same credits")
    yield from (Finding("repeats", f"it draws from the global generator {name}") for name in sorted(used))
    yield Check("repeats", 3, "batches")


ADVANTAGE_CHECKS = {
    "base": _base,
    "shape": _shape,
    "turns": _turns,
    "direction": _direction,
    "state": _state,
    "repeats": _repeats,
}
