"""The curriculum `pcl`: a value model predicts solve rates from the task's text.

Prompt Curriculum Learning (Gao et al. 2025, arXiv 2510.01135). Of k m candidates, drawn evenly, the m whose predicted
value V(x) is nearest to the target are played; then V is fitted to their mean rewards r by gradient steps on
(V(x) - r)^2. The paper's V is a language model of the policy's size. Here it is logistic: V = 1 / (1 + exp(-w f(x))),
where f counts hashed words, pairs and triples of words of the question. It predicts tasks that were never tried.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from games.randomness import RandomStream
from league.tasks.curricula.base import Curriculum, Pick, PooledTask, StepBudget, TaskResult, nearest

_WORDS = re.compile(r"\w+|[^\w\s]")
_MOST_WORDS = 400
_SIZE = 4096
"""number of weights; feature 0 is constant"""


class Pcl(Curriculum):
    """Tasks that a value model predicts to be solved at the target rate (Prompt Curriculum Learning).

    target: the predicted solve rate that is wanted. candidates: tasks drawn evenly for each task that is played (k).
    rate: step size of the value model. epochs: its passes over the tasks of a step.
    """

    def __init__(
        self,
        target: Annotated[float, Interval(ge=0, le=1)] = 0.5,
        candidates: Annotated[int, Interval(ge=1, le=10_000)] = 4,
        rate: Annotated[float, Interval(gt=0, le=100)] = 2.0,
        epochs: Annotated[int, Interval(ge=1, le=100)] = 2,
    ) -> None:
        self._target, self._candidates, self._rate, self._epochs = float(target), candidates, float(rate), epochs
        self._weights: dict[str, dict[int, float]] = {}
        """game -> feature -> weight; 0 if it is missing"""
        self._features: dict[str, tuple[int, ...]] = {}

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Yields the best tasks of a step's candidates; then those of new candidates."""
        while True:
            sample = stream.shuffled(tasks)[: self._candidates * budget.tasks]
            values = [self._value(game, task) for task in sample]
            for i in nearest(values, self._target)[: budget.tasks]:
                yield Pick(sample[i])

    def predict(self, game: str, task: PooledTask) -> float | None:
        """Returns V(x)."""
        return self._value(game, task)

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Fit V to the mean solve rate of each task of the step."""
        for game, group in sorted(results.items()):
            rates: dict[int, list[float]] = {}
            tasks = {result.task.index: result.task for result in group}
            for result in group:
                if result.rate is not None:
                    rates.setdefault(result.task.index, []).append(result.rate)
            for _ in range(self._epochs):
                for index, solve_rates in rates.items():
                    self._fit(game, tasks[index], sum(solve_rates) / len(solve_rates))

    def _fit(self, game: str, task: PooledTask, rate: float) -> None:
        weights, value, features = self._weights.setdefault(game, {}), self._value(game, task), self._of(task)
        change = self._rate * 2 * (value - rate) * value * (1 - value) / math.sqrt(len(features))
        for feature in features:
            weights[feature] = weights.get(feature, 0.0) - change

    def _value(self, game: str, task: PooledTask) -> float:
        weights, features = self._weights.get(game, {}), self._of(task)
        score = sum(weights.get(feature, 0.0) for feature in features) / math.sqrt(len(features))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    def _of(self, task: PooledTask) -> tuple[int, ...]:
        text = f"{task.task.kind} {task.task.question or task.task.text}"
        if text not in self._features:
            self._features[text] = features_of(text)
        return self._features[text]

    def state_dict(self) -> dict[str, Any]:
        """Returns the weights of the value model by game."""
        return {game: {str(f): w for f, w in weights.items()} for game, weights in self._weights.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the weights."""
        self._weights = {game: {int(f): float(w) for f, w in weights.items()} for game, weights in state.items()}


def features_of(text: str) -> tuple[int, ...]:
    """Returns the features of a text: a constant and its words, pairs and triples of words, hashed and sorted."""
    words = _WORDS.findall(text.casefold())[:_MOST_WORDS]
    grams = {" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    return tuple(sorted({0} | {1 + _hash(gram) % (_SIZE - 1) for gram in grams}))


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())
