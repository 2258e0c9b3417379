"""The curriculum `knapsack`: more matches for tasks on which they are worth more.

Knapsack RL (Li et al. 2025, arXiv 2509.25849). With the solve rate p, N answers to a task give a gradient other than 0
with probability 1 - p^N - (1 - p)^N, and the gain of an update is about p (1 - p)^2. The product is the value of N
answers. The numbers of a step maximise the sum of values under the step's budget.

A value is concave in N, so that giving one match after another to the task that gains most is optimal: the paper's
dynamic program finds the same. p is the rate of the step that played the task last, kept within [floor, 1 - floor],
because the value is 0 for every N at p = 0 and p = 1; an untried task has p = 1/2.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import InputError
from games.randomness import RandomStream
from league.tasks.curricula.base import Curriculum, Pick, PooledTask, StepBudget, TaskResult

Count = Annotated[int, Interval(ge=1, le=1024)]


def value(rate: float, answers: int) -> float:
    """Returns the worth of a number of answers to a task: Pr(some are right and some wrong) p (1 - p)^2; 0 for none."""
    return (1 - rate**answers - (1 - rate) ** answers) * rate * (1 - rate) ** 2 if answers else 0.0


def allocate(tasks: Sequence[tuple[float, int]], low: int, high: int, budget: int) -> list[int]:
    """Returns the number of matches of each task (solve rate, answers), `low` to `high`, worth most in all.

    Their sum is `budget` as far as the limits allow.
    """
    matches = [low] * len(tasks)
    gains = [(-_gain(task, low), i) for i, task in enumerate(tasks) if low < high]
    heapq.heapify(gains)
    for _ in range(budget - low * len(tasks)):
        if not gains:
            break
        _, i = heapq.heappop(gains)
        matches[i] += 1
        if matches[i] < high:
            heapq.heappush(gains, (-_gain(tasks[i], matches[i]), i))
    return matches


def _gain(task: tuple[float, int], matches: int) -> float:
    rate, answers = task
    return value(rate, (matches + 1) * answers) - value(rate, matches * answers)


class Knapsack(Curriculum):
    """Tasks drawn evenly, with unequal numbers of matches that are worth most in all (Knapsack RL).

    A step plays as many tasks as without it, and `group` matches on each on average. The advantage estimator has to
    accept groups of unequal size, as grpo and rloo do. low, high: the limits of the matches on a task. floor: the
    distance that a solve rate keeps from 0 and 1.
    """

    def __init__(
        self, low: Count = 2, high: Count = 16, floor: Annotated[float, Interval(gt=0, le=0.5)] = 0.05
    ) -> None:
        if low > high:
            raise InputError(f"knapsack: low is {low} and high {high}; low must be at most high")
        self._low, self._high, self._floor = low, high, float(floor)
        self.most_matches = high
        self._last: dict[int, tuple[float, int]] = {}
        """index of a task -> solve rate in the step that played it last, answers of a match"""

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Yields the tasks of a step in random order, with their matches; then those of another step."""
        while True:
            sample = stream.shuffled(tasks)[: budget.tasks]
            rates = [(self._rate(task), self._last.get(task.index, (0.5, 1))[1]) for task in sample]
            low = min(self._low, budget.group)
            matches = allocate(rates, low, self._high, budget.group * len(sample))
            yield from map(Pick, sample, matches)

    def _rate(self, task: PooledTask) -> float:
        return min(1 - self._floor, max(self._floor, self._last.get(task.index, (0.5, 1))[0]))

    def predict(self, game: str, task: PooledTask) -> float | None:
        """Returns the rate that decides the task's matches."""
        return self._rate(task)

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Keep the solve rate of each task of the step over all its answers."""
        by_task: dict[int, list[TaskResult]] = {}
        for result in (r for each in results.values() for r in each if r.rate is not None):
            by_task.setdefault(result.task.index, []).append(result)
        for index, trials in by_task.items():
            answers = sum(r.answers for r in trials)
            self._last[index] = sum((r.rate or 0.0) * r.answers for r in trials) / answers, trials[-1].answers

    def state_dict(self) -> dict[str, Any]:
        """Returns the rates and answers of all tasks that were played."""
        return {str(index): list(pair) for index, pair in self._last.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore them."""
        self._last = {int(index): (float(rate), int(answers)) for index, (rate, answers) in state.items()}
