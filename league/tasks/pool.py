"""The pool of tasks that players set for each other, and which of them is played next.

A game stays a pure function of its seed: the league takes a task from here and writes it into the match plan. A game
that takes tasks (`TextGame.pools`) records the facts `task`, `verdict` ("pass" for a valid task), `solve_rate`, and
`pooled` if the task came from the plan; also, if it has them, `canonical` (the same for other wordings), `kind`,
`question`, `answers` and `right` by seat, `parents` (the tasks it was made from), and `tried` (other tasks that were
answered, with the same keys). A task that the pool already holds, in any wording, is not added again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.match import Episode, Turn
from games.randomness import RandomStream
from games.tasks.canonical import canonical_of, canonical_text
from league.config.training import ParentRule, TasksConfig
from league.store.tasks import StoredTask, Trial
from league.tasks.curricula import Pick, PooledTask, StepBudget, TaskResult, make, picks_of
from league.tasks.posed import answers_to, posed_tasks, solve_rate

"""number of newest tasks that a new one is compared with by BLEU"""


class PoolChange(NamedTuple):
    """What a step's matches added to the pool."""

    new: list[StoredTask]
    trials: list[Trial]
    results: dict[str, list[TaskResult]]
    """by game; `task.rate` is the rate before the step"""


class TaskPool:
    """The tasks of one run. What it gives depends only on what was added, the curriculum's state and the stream."""

    def __init__(self, config: TasksConfig, tasks: Sequence[StoredTask] = (), trials: Sequence[Trial] = ()) -> None:
        self.config, self.curriculum = config, make(config.curriculum)
        self._tasks: dict[str, list[PooledTask]] = {}
        self._by_key: dict[tuple[str, str], PooledTask] = {}
        """game and canonical text -> task"""
        self._by_text: dict[tuple[str, str], PooledTask] = {}
        self._size = 0
        self._generations: dict[int, int] = {}
        by_index = {task.index: self._append(task) for task in tasks}
        for trial in trials:
            by_index[trial.index].rate = trial.rate

    def __len__(self) -> int:
        return self._size

    def order(self, game: str, budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Returns the tasks of a game to play in a step, best first, without end; nothing if there are none."""
        tasks = self._usable(game)
        return picks_of(self.curriculum, game, tasks, budget, stream) if tasks else iter(())

    def references(self, game: str, n: int, stream: RandomStream) -> list[str]:
        """Returns up to `n` different tasks of a game, of the newest `size`: drawn as `parents` says, or evenly."""
        tasks, rule = self._usable(game), self.config.parents
        if rule is not None:
            drawn = [task for _ in range(n) if (task := draw_parent(rule, tasks, stream)) is not None]
        else:
            drawn = [stream.choice(tasks) for _ in range(n)] if tasks else []
        return list(dict.fromkeys(task.task.text for task in drawn))

    def _usable(self, game: str) -> list[PooledTask]:
        """Returns the newest `size` tasks of a game, without those that are outgrown."""
        tasks, limit = self._tasks.get(game, [])[-self.config.size :], self.config.outgrown
        return tasks if limit is None else [task for task in tasks if task.rate is None or task.rate < limit]

    def generation(self, task: StoredTask) -> int:
        """Returns how many times a task was made from another: 0 without parents."""
        return self._generations[task.index]

    def find(self, game: str, text: str) -> PooledTask | None:
        """Returns the task of a game with this text."""
        return self._by_text.get((game, canonical_text(text)))

    def add(self, episodes: Iterable[Episode], step: int, gains: Mapping[str, float] | None = None) -> PoolChange:
        """Add the valid tasks of a step's matches, and let the curriculum learn from all results.

        `gains`: match -> mean absolute advantage.
        """
        change, match_gains = PoolChange([], [], {}), gains or {}
        rates: list[tuple[PooledTask, float]] = []
        for episode, facts in posed_tasks(episodes):
            rate = solve_rate(episode, facts)
            pooled = self._by_key.get((episode.game, canonical_of(facts)))
            if pooled is None and rate is not None and not facts.get("pooled"):
                pooled = self._added(episode, facts, rate, step, change.new)
            if pooled is None:
                continue
            result = _result(episode, facts, pooled, rate, match_gains.get(episode.match))
            change.results.setdefault(episode.game, []).append(result)
            if rate is not None:
                rates.append((pooled, rate))
                place = len(change.trials)
                change.trials.append(Trial(pooled.index, episode.match, step, place, rate, result.answers))
        self.curriculum.observe(step, change.results)
        for task, rate in rates:
            task.rate = rate
        return change

    def state_dict(self) -> dict[str, Any]:
        """Returns the part of the state that the store does not hold, as plain JSON: that of the curriculum."""
        return self.curriculum.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        self.curriculum.load_state_dict(state)

    def _added(
        self, episode: Episode, facts: Mapping[str, Any], rate: float, step: int, new: list[StoredTask]
    ) -> PooledTask | None:
        """Add a task of a match unless the settings refuse it."""
        if not self.config.low <= rate <= self.config.high:
            return None
        task = self._task_of(episode, facts, step)
        new.append(task)
        return self._append(task)

    def _task_of(self, episode: Episode, facts: Mapping[str, Any], step: int) -> StoredTask:
        proposal = _proposal(episode, facts)
        version = proposal.sample.version if proposal.sample is not None else 0
        text = facts["task"]
        parents = (self.find(episode.game, str(parent)) for parent in facts.get("parents", ()))
        return StoredTask(
            self._size,
            episode.game,
            canonical_of(facts),
            text,
            proposal.player,
            version,
            episode.match,
            step,
            kind=str(facts.get("kind") or ""),
            question=str(facts.get("question") or ""),
            parents=tuple(parent.index for parent in parents if parent is not None),
        )

    def _append(self, task: StoredTask) -> PooledTask:
        made = self._by_key[task.game, task.key] = PooledTask(task)
        self._by_text[task.game, canonical_text(task.text)] = made
        self._tasks.setdefault(task.game, []).append(made)
        self._size = max(self._size, task.index + 1)
        self._generations[task.index] = max((self._generations[i] + 1 for i in task.parents), default=0)
        return made


def _proposal(episode: Episode, facts: Mapping[str, Any]) -> Turn:
    """Returns the turn that set a task: that of a seat that was asked nothing, if the facts say so, else the first."""
    asked = episode.facts.get("asked")
    if facts is not episode.facts or not isinstance(asked, Mapping):
        return episode.turns[0]
    return next((turn for turn in episode.turns if turn.seat not in asked), episode.turns[0])


def _result(
    episode: Episode, facts: Mapping[str, Any], task: PooledTask, rate: float | None, gain: float | None
) -> TaskResult:
    """Returns what a match showed."""
    right = facts.get("right")
    solvers = {seat for seat, ok in right.items() if ok is True} if isinstance(right, Mapping) else set()
    actions = {turn.seat: turn.action for turn in episode.turns}
    texts = tuple(actions[seat] for seat in episode.seats if seat in solvers and seat in actions)
    return TaskResult(task, rate, answers_to(facts), texts, gain, bool(facts.get("pooled")))


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
    """Returns the task that is shown to a proposer, who makes a new one of it (`TextGame.with_references`).

    A parent is drawn in proportion to the rule's weight of its newest solve rate p; if no task has one, all tried tasks
    are equally probable. None if no task was ever tried.
    """
    tried = [(task, task.rate) for task in tasks if task.rate is not None]
    if not tried:
        return None
    weights = [RULES[rule](rate) for _, rate in tried]
    if not any(weights):
        weights = [1.0] * len(tried)
    return tried[stream.weighted(weights)][0]
