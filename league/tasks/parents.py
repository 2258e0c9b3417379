"""Which tasks of the pool are shown to a proposer, who makes a new one of them (`TextGame.with_references`).

Each rule is a weight of a task's newest solve rate p; a parent is drawn in proportion to the weights. Tasks that were
never tried have no weight; if no task has one, all tried tasks are equally probable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.randomness import RandomStream
from league.config.training import ParentRule
from league.tasks.curricula import PooledTask

RULES: Mapping[ParentRule, Callable[[float], float]] = {
    "uniform": lambda p: 1.0,
    "eva": lambda p: float(0.0 < p < 1.0),
    "failures": lambda p: float(p == 0.0),
    "socratic": lambda p: 1.0 - p,
}
"""uniform: all evenly. eva: the informativeness of eva (Ye et al. 2024, arXiv 2411.00062), the largest reward of the
samples minus the smallest. failures: tasks that nobody solved (WebRL, Qi et al. 2024, arXiv 2411.02337). socratic: one
share for each failed answer (Socratic-Zero, Wang et al. 2025, arXiv 2509.24726)."""


def draw_parent(rule: ParentRule, tasks: Sequence[PooledTask], stream: RandomStream) -> PooledTask | None:
    """Returns a parent; None if no task was ever tried."""
    tried = [(task, task.rate) for task in tasks if task.rate is not None]
    if not tried:
        return None
    weights = [RULES[rule](rate) for _, rate in tried]
    if not any(weights):
        weights = [1.0] * len(tried)
    return tried[stream.weighted(weights)][0]
