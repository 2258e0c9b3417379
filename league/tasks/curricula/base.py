"""The contract of curricula, the two simplest ones, and the table of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any, NamedTuple

from annotated_types import Interval

from games.errors import PluginError
from games.plugins import Registry, defined_at
from games.randomness import RandomStream
from league.config.training import TasksConfig
from league.store.tasks import StoredTask


@dataclass(slots=True)
class PooledTask:
    """A task of the pool and its newest solve rate; None: it was never tried."""

    task: StoredTask
    rate: float | None = None

    @property
    def index(self) -> int:
        """Its index in the pool."""
        return self.task.index


class TaskResult(NamedTuple):
    """What one match on a task showed. `task.rate` is still the rate before the match."""

    task: PooledTask
    rate: float | None
    """share of right answers; None: the match gave none"""
    answers: int
    """the number of answers that `rate` is of"""
    right: tuple[str, ...] = ()
    """the messages of the solvers that were right"""
    gain: float | None = None
    """mean absolute advantage of the match's credits; None: nobody learned from it"""
    pooled: bool = True
    """False: the task was set in this match"""


class StepBudget(NamedTuple):
    """What a step has for the pool's tasks of a game."""

    matches: int
    """the expected number of matches"""
    group: int
    """matches that a task usually gets"""

    @property
    def tasks(self) -> int:
        """The expected number of tasks, at least 1."""
        return max(1, -(-self.matches // self.group))


class Pick(NamedTuple):
    """A task to play, and the number of matches on it; 0: as many as usual."""

    task: PooledTask
    matches: int = 0


class Curriculum:
    """Chooses tasks of the pool. All randomness comes from the stream, all memory is in the state.

    The training asks `order` once per step and game and takes as many picks as it needs. After the step `observe` gets
    its results. `state_dict` must be plain JSON and hold everything that later choices depend on, so that a resumed
    training chooses the same. Texts of tasks are untrusted.
    """

    most_matches: int = 0
    """the maximum of `Pick.matches` if the curriculum sets it; 0: it does not"""
    temperatures: Sequence[float] = ()
    """the sampling temperatures that `temperature` may return; empty: the policy keeps its own"""

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Returns the tasks to play in a step, best first, without end. `tasks` has at least one task, oldest first."""
        raise PluginError(
            f"curriculum {type(self).__name__} has no method order; write "
            "`def order(self, game, tasks, budget, stream)`, which yields Pick(task)"
        )

    def predict(self, game: str, task: PooledTask) -> float | None:
        """Returns the expected solve rate of a task; None if the curriculum predicts none."""
        return None

    def observe(self, step: int, results: Mapping[str, Sequence[TaskResult]]) -> None:
        """Learn from the results of a step by game, in plan order. New tasks are among them."""

    def temperature(self, step: int) -> float | None:
        """Returns the sampling temperature of the policy in a step; None: its own."""
        return None

    def metrics(self) -> Mapping[str, float]:
        """Returns what the board shows of the state, by name."""
        return {}

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned; {}: the beginning."""


def picks_of(
    curriculum: Curriculum, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream
) -> Iterator[Pick]:
    """Yields what `order` gives. Raises PluginError for anything else than a Pick."""
    picks: Iterator[object] = curriculum.order(game, tasks, budget, stream)
    for pick in picks:
        if not isinstance(pick, Pick):
            what = f"curriculum {type(curriculum).__name__}: order gave a {type(pick).__name__}"
            raise PluginError(f"{what}; write `yield Pick(task)`{defined_at(curriculum.order)}")
        yield pick


def predicted(curriculum: Curriculum, game: str, task: PooledTask) -> float | None:
    """Returns what `predict` returns. Raises PluginError for anything else than a number or None."""
    rate: object = curriculum.predict(game, task)
    if rate is None:
        return None
    if isinstance(rate, Real):
        return float(rate)
    what = f"curriculum {type(curriculum).__name__}: predict returned {rate!r:.40}"
    raise PluginError(f"{what}; return a solve rate from 0 to 1, or None{defined_at(curriculum.predict)}")


def nearest(scores: Sequence[float], target: float) -> list[int]:
    """Returns indices by the distance of their score from the target, nearest first; equal ones in their order."""
    return sorted(range(len(scores)), key=lambda i: (abs(scores[i] - target), i))


CURRICULA = Registry(
    "curriculum",
    "arena.curricula",
    Curriculum,
    {
        "b-star": "league.tasks.curricula.b_star:BStar",
        "knapsack": "league.tasks.curricula.knapsack:Knapsack",
        "mopps": "league.tasks.curricula.mopps:Mopps",
        "newest": "league.tasks.curricula.base:Newest",
        "pcl": "league.tasks.curricula.pcl:Pcl",
        "sec": "league.tasks.curricula.sec:Sec",
        "uniform": "league.tasks.curricula.base:Uniform",
    },
)

ids = CURRICULA.ids
make = CURRICULA.make
register = CURRICULA.register


def most_copies(config: TasksConfig, group: int) -> int:
    """Returns the maximum number of matches on one task, and so of copies of the live policy."""
    most = make(config.curriculum).most_matches if config.share > 0 else 0
    return max(group, most)


class Uniform(Curriculum):
    """Every task of the pool is equally probable: the control of the other curricula."""

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Yields tasks drawn evenly, with repetition."""
        while True:
            yield Pick(stream.choice(tasks))


class Newest(Uniform):
    """The newest tasks are equally probable, older ones are not played (Absolute Zero's max_new).

    tasks: how many.
    """

    def __init__(self, tasks: Annotated[int, Interval(ge=1, le=1_000_000)] = 128) -> None:
        self._tasks = tasks

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Returns tasks drawn evenly from the newest ones, with repetition."""
        return super().order(game, tasks[-self._tasks :], budget, stream)
