"""The accuracy of the live policy on suites of tasks, before, during and after a training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import games
from arena.evaluation import Accuracy, Suite, SuiteScore
from arena.evaluation.anchors import Z95
from arena.match import IllegalPolicy
from arena.players import Player
from games import InputError
from league.config.training import EvaluationConfig

FIRST = "suite answers"
"""key of the state: task id -> whether the first measured policy solved it"""


def trained_families(ids: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Returns the sources and families of the tasks in these games. Raises InputError for tasks for measuring."""
    families: set[tuple[str, str]] = set()
    for id in ids:
        source = games.make(id).task_source
        if source is None:
            continue
        if source.split != "train":
            raise InputError(
                f"the game {id} poses tasks of the split {source.split}, which are for measuring; leave out split in "
                "the ids of the games of a training"
            )
        families |= {(source.name, kind.family) for kind in source.kinds}
    return frozenset(families)


class SuiteEvaluator:
    """Measures a policy on the suites of a training, always on the same tasks.

    `trained` holds the task sources and families that the training's games pose: their accuracy is reported apart from
    that of other families.
    """

    def __init__(self, config: EvaluationConfig, trained: frozenset[tuple[str, str]]) -> None:
        self._trained = trained
        self.suites = [Suite(id, config.suite_tasks) for id in config.suite]
        names = [suite.source.name for suite in self.suites]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise InputError(f"evaluation.suite names {twice[0]} twice; write one suite with all families, joined by +")
        self._first: dict[str, bool] = {}

    async def measure(
        self,
        player: Player,
        illegal: IllegalPolicy,
        concurrency: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, float]:
        """Returns the metrics of a policy.

        `accuracy/SOURCE/FAMILY/DIFFICULTY`, `accuracy/trained`, `accuracy/untrained` and `accuracy/all`, each also as
        `accuracy_low`, `accuracy_high` (Wilson, 95%) and `accuracy_constant` (the best constant answer). After the
        first call `accuracy_gain/...` with `_low` and `_high`: the difference to the first policy on the same tasks.
        `progress` gets the number of answered tasks of a suite, and of all.
        """
        scores = [await suite.play(player, illegal, concurrency, progress) for suite in self.suites]
        out: dict[str, float] = {}
        for suite, score in zip(self.suites, scores, strict=True):
            for kind in score.kinds:
                path = f"{suite.source.name}/{kind.family}/{kind.difficulty}"
                out |= _metrics(path, kind.accuracy, kind.constant_rate)
        now = {task: right for score in scores for task, right in score.answers.items()}
        for group, part in self._groups(scores).items():
            tasks = [task for task in now if task.rpartition("/")[0].rpartition("/")[0] in part]
            constant = sum(part[task.rpartition("/")[0].rpartition("/")[0]] for task in tasks) / max(1, len(tasks))
            out |= _metrics(group, Accuracy.of([now[task] for task in tasks]), constant)
            if self._first:
                out |= _gain(group, [(self._first[t], now[t]) for t in tasks if t in self._first])
        self._first = self._first or now
        return out

    def _groups(self, scores: Sequence[SuiteScore]) -> dict[str, dict[str, float]]:
        """trained, untrained, all -> the beginnings of their task ids -> the accuracy of the best constant answer."""
        groups: dict[str, dict[str, float]] = {}
        for suite, score in zip(self.suites, scores, strict=True):
            name = suite.source.name
            for kind in score.kinds:
                group = "trained" if (name, kind.family) in self._trained else "untrained"
                for each in (group, "all"):
                    groups.setdefault(each, {})[f"{name}#{kind.family}/{kind.difficulty}"] = kind.constant_rate
        return groups

    def state_dict(self) -> dict[str, Any]:
        """Returns the results of the first policy, as plain JSON; {} without a suite."""
        return {FIRST: self._first} if self._first else {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        self._first = {task: bool(right) for task, right in state.get(FIRST, {}).items()}


def _metrics(path: str, accuracy: Accuracy, constant: float) -> dict[str, float]:
    return {
        f"accuracy/{path}": accuracy.rate,
        f"accuracy_low/{path}": accuracy.low,
        f"accuracy_high/{path}": accuracy.high,
        f"accuracy_constant/{path}": constant,
    }


def _gain(path: str, pairs: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    gain, low, high = paired_gain(pairs)
    return {f"accuracy_gain/{path}": gain, f"accuracy_gain_low/{path}": low, f"accuracy_gain_high/{path}": high}


def paired_gain(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Returns the difference of two accuracies on the same tasks, and its 95% interval.

    Wald's interval for paired proportions with 1/2 added to each of the four cells (Agresti and Min 2005).
    """
    n = len(pairs)
    gained, lost = sum(b and not a for a, b in pairs), sum(a and not b for a, b in pairs)
    b, c, m = gained + 0.5, lost + 0.5, n + 2.0
    half = Z95 * math.sqrt((b + c) - (b - c) ** 2 / m) / m
    middle = (b - c) / m
    return (gained - lost) / max(1, n), middle - half, middle + half
