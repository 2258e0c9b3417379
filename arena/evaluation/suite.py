"""Accuracy on tasks with known answers, by family and difficulty, with intervals and the best constant answer.

A suite is a task source with the split `test` (or `dev`): games that train pose tasks of the split `train`, and no
question belongs to two splits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

import games.tasks
from arena.evaluation.anchors import wilson
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.players.player import Player
from arena.runner.local import LocalRunner
from games.naming import Name
from games.randomness import derive
from games.tasks import SourceTask, TaskKind, TaskSource

_DRAWS = 4
"""draws per wanted task: questions of small families repeat"""
_CONSTANTS = 3
"""the most frequent reference answers that are tried as a constant answer"""


class Accuracy(msgspec.Struct, frozen=True):
    """How many tasks were solved. The interval is Wilson's, at 95%: every task is another question, asked once."""

    tasks: int
    right: int
    rate: float
    low: float
    high: float

    @staticmethod
    def of(right: Sequence[bool]) -> Accuracy:
        """Returns the accuracy of graded answers; a rate of 0 without any."""
        n, hits = len(right), sum(right)
        rate = hits / n if n else 0.0
        low, high = wilson(hits, n)
        return Accuracy(n, hits, rate, min(low, rate), max(high, rate))  # rounding can leave 0 outside


class KindScore(msgspec.Struct, frozen=True):
    """The result on the tasks of one family and difficulty."""

    family: str
    difficulty: str
    accuracy: Accuracy
    unread: float
    """share of the answers that could not be read"""
    constant: str
    """the best constant answer to these tasks"""
    constant_rate: float
    """its accuracy, chosen with the tasks in hand: an upper bound of what guessing one answer earns"""


class SuiteScore(msgspec.Struct, frozen=True):
    """The result of a player on a suite."""

    player: str
    suite: str
    seed: int
    kinds: tuple[KindScore, ...]
    all: Accuracy
    constant_rate: float
    """the accuracy of a player that gives each kind its best constant answer"""
    void: int
    """tasks without a result because of a failure that was not the player's"""
    answers: dict[str, bool]
    """task id -> whether it was solved"""


class Suite:
    """The tasks of a suite: up to `per_kind` different questions of each kind, drawn from `seed`.

    Raises InputError for a source of training tasks.
    """

    def __init__(self, id: str, per_kind: int = 50, seed: int = 0) -> None:
        self.source, self.seed = games.tasks.suite(id), seed
        self.tasks = {kind: _distinct(self.source, kind, per_kind, seed) for kind in self.source.kinds}
        self.constants = {kind: best_constant(self.source, tasks) for kind, tasks in self.tasks.items()}

    def plans(self) -> list[MatchPlan]:
        """Returns one match per task; the match seed also decides the sampling of the player."""
        game = str(Name("solve-v1", {"tasks": self.source.id}))
        return [
            MatchPlan(task.id, game, derive(self.seed, "suite", task.id), {"solver_0": "player"}, task.id)
            for tasks in self.tasks.values()
            for task in tasks
        ]

    async def play(
        self,
        player: Player,
        illegal: IllegalPolicy | None = None,
        concurrency: int = 64,
        progress: Callable[[int, int], None] | None = None,
    ) -> SuiteScore:
        """Pose every task once. `progress` is called with the number of answered tasks, and of all."""
        episodes = await LocalRunner({"player": player}, illegal, concurrency).play_all(self.plans(), progress)
        return self.score(player.name, episodes)

    def score(self, player: str, episodes: Sequence[Episode]) -> SuiteScore:
        """Returns the result of played matches."""
        verdicts = {e.task: _verdict(e) for e in episodes if e.status != "void"}
        kinds = [self._kind(kind, verdicts) for kind in self.tasks]
        right = {task: verdict == "pass" for task, verdict in sorted(verdicts.items())}
        asked = sum(map(len, self.tasks.values()))
        constant = sum(len(self.tasks[kind]) * rate for kind, (_, rate) in self.constants.items()) / max(1, asked)
        void = asked - len(verdicts)
        whole = Accuracy.of(list(right.values()))
        return SuiteScore(player, self.source.id, self.seed, tuple(kinds), whole, constant, void, right)

    def _kind(self, kind: TaskKind, verdicts: Mapping[str, str]) -> KindScore:
        grades = [verdicts[task.id] for task in self.tasks[kind] if task.id in verdicts]
        constant, rate = self.constants[kind]
        unread = sum(verdict == "invalid" for verdict in grades) / max(1, len(grades))
        return KindScore(*kind, Accuracy.of([verdict == "pass" for verdict in grades]), unread, constant, rate)


def _distinct(source: TaskSource, kind: TaskKind, n: int, seed: int) -> tuple[SourceTask, ...]:
    tasks: dict[str, SourceTask] = {}
    for draw in range(_DRAWS * n):
        task = source.draw(derive(seed, "suite", str(kind), draw), kind)
        tasks.setdefault(task.question, task)
        if len(tasks) == n:
            break
    return tuple(tasks.values())


def best_constant(source: TaskSource, tasks: Sequence[SourceTask]) -> tuple[str, float]:
    """Returns the answer that is right for the most tasks, among frequent reference answers, and its accuracy."""
    likely = [answer for answer, _ in Counter(task.answer for task in tasks).most_common(_CONSTANTS)]
    rates = {answer: sum(source.verdict(task, answer).ok for task in tasks) / len(tasks) for answer in likely}
    best = max(rates, key=lambda answer: rates[answer])
    return best, rates[best]


def _verdict(episode: Episode) -> str:
    """Returns the verdict on the answer; `invalid` for a forfeit."""
    return str(episode.facts.get("verdicts", {}).get("solver_0", "invalid"))


def suite_lines(score: SuiteScore) -> list[str]:
    """Returns a result as text."""
    lines = [
        f"{score.player} on {score.suite}, seed {score.seed}",
        f"{'family':<28} {'difficulty':<10} {'tasks':>5} {'accuracy':>8}  {'95%':<14} {'constant':>8} {'unread':>6}",
    ]
    for kind in score.kinds:
        lines.append(_line(kind.family, kind.difficulty, kind.accuracy, kind.constant_rate, f"{kind.unread:>6.0%}"))
    if len(score.kinds) > 1:
        lines.append(_line("all", "", score.all, score.constant_rate, ""))
    if score.void:
        lines.append(f"{score.void} tasks have no result: their matches were void")
    return lines


def _line(family: str, difficulty: str, accuracy: Accuracy, constant: float, unread: str) -> str:
    interval = f"[{accuracy.low:.3f}, {accuracy.high:.3f}]"
    return (
        f"{family:<28.28} {difficulty:<10.10} {accuracy.tasks:>5,} {accuracy.rate:>8.3f}  {interval:<14} "
        f"{constant:>8.3f} {unread}"
    ).rstrip()
