"""The curriculum `sec`: a bandit over categories of tasks, paid by absolute advantages.

Self-Evolving Curriculum (Chen et al. 2025, arXiv 2505.14970): the reward r of a category in a step is the mean absolute
advantage of its answers (equation 4), its value follows Q <- a r + (1 - a) Q (TD(0), equation 3), and a category is
drawn with probability softmax(Q / T) (equation 2), then one of its tasks evenly. With binary rewards the absolute
advantage is largest at a solve rate of 1/2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from annotated_types import Interval

from games.randomness import RandomStream
from league.tasks.curricula.base import Curriculum, Pick, PooledTask, StepBudget, TaskResult

BANDS = (0.0, 0.25, 0.5, 0.75)
"""Upper ends of bands 0 to 3 of the newest solve rate. Band 4 ends below 1, band 5 is 1, and -1 is an untried task."""
Rate = Annotated[float, Interval(gt=0, le=1)]
Temperature = Annotated[float, Interval(gt=0, le=1000)]


class Sec(Curriculum):
    """Categories of tasks with the largest absolute advantages are played most (Self-Evolving Curriculum).

    arms: kind: a category is a family and a difficulty of a task source, and tasks without one are divided by their
    solve rate; band: all tasks are divided by their newest solve rate. rate: step size of a category's value.
    temperature: of the draw of a category; towards 0 always the one with the largest value.
    """

    def __init__(
        self, arms: Literal["kind", "band"] = "kind", rate: Rate = 0.5, temperature: Temperature = 0.1
    ) -> None:
        self._arms, self._rate, self._temperature = arms, float(rate), float(temperature)
        self.values: dict[str, dict[str, float]] = {}
        """game -> category -> Q"""

    def arm(self, task: PooledTask) -> str:
        """Returns the category of a task."""
        return task.task.kind if self._arms == "kind" and task.task.kind else str(band(task.rate))

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Draw a category, then one of its tasks, again and again."""
        by_arm: dict[str, list[PooledTask]] = {}
        for task in tasks:
            by_arm.setdefault(self.arm(task), []).append(task)
        arms = sorted(by_arm)
        weights = self._weights(game, arms)
        while True:
            yield Pick(stream.choice(by_arm[arms[stream.weighted(weights)]]))

    def _weights(self, game: str, arms: Sequence[str]) -> list[float]:
        values = self.values.get(game, {})
        best = max(values.values(), default=0.0)
        scores = [(values.get(arm, 0.0) - best) / self._temperature for arm in arms]
        top = max(scores)
        return [math.exp(score - top) for score in scores]

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Update the value of each category that was played with the mean of its gains."""
        for game, group in sorted(results.items()):
            gains: dict[str, list[float]] = {}
            for result in group:
                if result.pooled and result.gain is not None:
                    gains.setdefault(self.arm(result.task), []).append(result.gain)
            arms = self.values.setdefault(game, {})
            for arm, values in sorted(gains.items()):
                old = arms.get(arm, 0.0)
                arms[arm] = old + self._rate * (math.fsum(values) / len(values) - old)

    def metrics(self) -> Mapping[str, float]:
        """Returns the value of each category."""
        return {
            f"pool_gain/{arm.replace('/', ' ')}/{game}": value
            for game, arms in self.values.items()
            for arm, value in arms.items()
        }

    def state_dict(self) -> dict[str, Any]:
        """Returns the values by game and category."""
        return {game: dict(arms) for game, arms in self.values.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the values."""
        self.values = {game: {arm: float(q) for arm, q in arms.items()} for game, arms in state.items()}


def band(rate: float | None) -> int:
    """Returns the band of a solve rate: -1 if the task was never tried, 0 if never solved, 5 if always."""
    if rate is None:
        return -1
    if rate >= 1.0:
        return len(BANDS) + 1
    return next((i for i, end in enumerate(BANDS) if rate <= end), len(BANDS))
