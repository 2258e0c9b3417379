"""The curriculum `mopps`: solve rates predicted by Beta posteriors, tasks chosen by posterior sampling.

Model Predictive Prompt Selection (Qu et al. 2025, arXiv 2507.04632). A task's solve rate has the posterior Beta(a, b),
with the prior Beta(1, 1). After a step with s right answers of n,
a <- L a + (1 - L) + s and b <- L b + (1 - L) + n - s;
a discount L below 1 forgets what earlier weights answered. Each step draws a rate from every posterior and plays the
tasks whose draws are nearest to the target. (The authors' code computes the update as `sum if n > 1 else 8`, which
drops the posterior for single answers; not so here.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval

from games.randomness import RandomStream
from league.tasks.curricula.base import Curriculum, Pick, PooledTask, StepBudget, TaskResult, nearest

Discount = Annotated[float, Interval(ge=0, le=1)]


class SuccessPosterior:
    """A Beta posterior of the solve rate of each task."""

    def __init__(self, discount: float) -> None:
        self.discount = discount
        self.counts: dict[int, tuple[float, float]] = {}
        """index of a task -> (a, b)"""

    def of(self, index: int) -> tuple[float, float]:
        """Returns the parameters of a task's posterior; (1, 1) if it was never tried."""
        return self.counts.get(index, (1.0, 1.0))

    def observe(self, results: Sequence[TaskResult]) -> None:
        """One update of each task that was answered in a step; others keep their posterior."""
        sums: dict[int, list[float]] = {}
        for result in results:
            if result.rate is not None:
                right, answers = sums.setdefault(result.task.index, [0.0, 0.0])
                solved = result.rate * result.answers
                sums[result.task.index] = [right + solved, answers + result.answers]
        keep = self.discount
        for index, (right, answers) in sums.items():
            a, b = self.of(index)
            self.counts[index] = (keep * a + (1 - keep) + right, keep * b + (1 - keep) + answers - right)

    def mean(self, index: int) -> float:
        """Returns the expected solve rate of a task."""
        a, b = self.of(index)
        return a / (a + b)


class Mopps(Curriculum):
    """Tasks whose solve rate is probably near the target (MoPPS): a Beta posterior for each, posterior sampling.

    target: the solve rate that is wanted. discount: what the posterior keeps of earlier steps; 1: everything.
    candidates: tasks, drawn evenly, from which each task that is played is chosen; 0: the whole pool.
    """

    def __init__(
        self,
        target: Annotated[float, Interval(ge=0, le=1)] = 0.5,
        discount: Discount = 0.5,
        candidates: Annotated[int, Interval(ge=0, le=10_000)] = 0,
    ) -> None:
        self._target, self._candidates = float(target), candidates
        self.posterior = SuccessPosterior(float(discount))

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Yields candidates by the distance of a draw from their posterior to the target; then again with new draws."""
        while True:
            sample = stream.shuffled(tasks)
            if self._candidates:
                sample = sample[: self._candidates * budget.tasks]
            a, b = np.array([self.posterior.of(t.index) for t in sample]).T
            drawn = np.random.default_rng(stream.bits()).beta(a, b)
            for i in nearest(drawn.tolist(), self._target):
                yield Pick(sample[i])

    def predict(self, game: str, task: PooledTask) -> float | None:
        """Returns the posterior's mean."""
        return self.posterior.mean(task.index)

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Update the posteriors of the tasks that were answered."""
        for group in results.values():
            self.posterior.observe(group)

    def state_dict(self) -> dict[str, Any]:
        """Returns the parameters of all posteriors."""
        return {"counts": {str(index): list(pair) for index, pair in self.posterior.counts.items()}}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the posteriors."""
        self.posterior.counts = {int(i): (float(a), float(b)) for i, (a, b) in state.get("counts", {}).items()}
