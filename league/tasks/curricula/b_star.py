"""The curriculum `b-star`: the sampling temperature that balances exploration and exploitation.

B-STaR (Zeng et al. 2024, arXiv 2412.17256, equation 2). The balance score of a task with n answers, n' of which are
right and different, is min(n' / n*, 1) n' / n: it wants n* different right answers, and few wrong ones. Of the listed
temperatures the one with the highest mean score over tasks is used; a task without a right answer counts 0.

The paper measures each setting on a probe set before an iteration. Here the first steps of every `every` steps are
played with one temperature each, and the rest with the best of them. Its reward threshold has no counterpart:
verifiers say right or wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import InputError
from league.tasks.curricula.base import TaskResult, Uniform


def balance(right: int, answers: int, target: int) -> float:
    """Returns min(n' / n*, 1) n' / n, for n' different right answers of n; 0 without answers."""
    return min(right / target, 1.0) * right / answers if answers else 0.0


class BStar(Uniform):
    """Tasks drawn evenly, at the temperature with the best balance of different and of right answers (B-STaR).

    temperatures: those to compare, joined by +. every: steps after which they are compared again, one step each.
    target: the number of different right answers to a task that is enough (n*).
    """

    def __init__(
        self,
        temperatures: str = "0.7+1.0+1.3",
        every: Annotated[int, Interval(ge=1, le=1_000_000)] = 20,
        target: Annotated[int, Interval(ge=1, le=1024)] = 8,
    ) -> None:
        self.temperatures = _read(temperatures)
        if every <= len(self.temperatures):
            raise InputError(
                f"b-star: every is {every}, but comparing {len(self.temperatures)} temperatures takes as many steps; "
                "every must be above that"
            )
        self._every, self._target = every, target
        self._scores: list[float | None] = [None] * len(self.temperatures)

    def temperature(self, step: int) -> float | None:
        """Returns the temperature that is measured in this step, or the best one."""
        place = step % self._every
        if place < len(self.temperatures):
            return self.temperatures[place]
        scores = [(score, -i) for i, score in enumerate(self._scores) if score is not None]
        return self.temperatures[-max(scores)[1]] if scores else None

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Keep the mean balance score of a step that measures a temperature."""
        place = step % self._every
        if place < len(self.temperatures):
            scores = self._balances([r for group in results.values() for r in group if r.rate is not None])
            self._scores[place] = sum(scores) / len(scores) if scores else None

    def _balances(self, results: Sequence[TaskResult]) -> list[float]:
        totals: dict[int, tuple[set[str], int]] = {}
        for result in results:
            texts, answers = totals.get(result.task.index, (set(), 0))
            totals[result.task.index] = (texts | set(result.right), answers + result.answers)
        return [balance(_count(texts), answers, self._target) for texts, answers in totals.values()]

    def metrics(self) -> Mapping[str, float]:
        """Returns the newest score of each temperature."""
        pairs = zip(self.temperatures, self._scores, strict=True)
        return {f"pool_balance/{temperature}": score for temperature, score in pairs if score is not None}

    def state_dict(self) -> dict[str, Any]:
        """Returns the newest scores."""
        return {"scores": self._scores}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the scores."""
        self._scores = list(state.get("scores", self._scores))


def _count(texts: Collection[str]) -> int:
    return len({" ".join(text.split()) for text in texts})


def _read(text: str) -> tuple[float, ...]:
    try:
        temperatures = tuple(float(part) for part in text.split("+"))
    except ValueError:
        temperatures = ()
    if (
        not temperatures
        or len(set(temperatures)) < len(temperatures)
        or not all(0.0 < value <= 10.0 for value in temperatures)
    ):
        raise InputError(
            f'b-star: temperatures is {text[:60]!r}; write different numbers above 0 and at most 10, as "0.7+1.0"'
        )
    return temperatures
