"""The task pool of a training: asked when a step is planned, extended after the step was learned from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import games
from arena.learner import Credit
from arena.match import Episode
from games import InputError, TextGame
from games.randomness import RandomStream
from league.config.training import TasksConfig
from league.store import Run, Store
from league.tasks import curricula
from league.tasks.curricula import Pick, StepBudget
from league.tasks.ladder import Ladder
from league.tasks.pool import TaskPool


class PlannedTask(NamedTuple):
    """The task of a pairing; "": the game sets one. `matches` 0: as many as usual."""

    text: str = ""
    matches: int = 0


class TaskSampler:
    """Gives one policy the tasks of one step."""

    def __init__(
        self,
        config: TasksConfig,
        pool: TaskPool,
        games_with_tasks: Mapping[str, TextGame],
        ladders: Mapping[str, Ladder],
    ) -> None:
        self._config, self._pool, self._games, self._ladders = config, pool, games_with_tasks, ladders
        self._orders: dict[str, Iterator[Pick]] = {}

    def task(self, game: str, budget: StepBudget, stream: RandomStream) -> PlannedTask:
        """Returns the next task of a game; "" if it takes none, or has none yet."""
        if game not in self._games:
            return PlannedTask()
        if game in self._ladders:
            return PlannedTask(self._ladders[game].task(stream))
        order = self._orders.setdefault(game, self._pool.order(game, budget, stream))
        pick = next(order, None)
        return PlannedTask() if pick is None else PlannedTask(pick.task.task.text, pick.matches)

    def references(self, game: str, stream: RandomStream) -> PlannedTask:
        """Returns what the proposer of a new task is shown; "" if the settings or the game say nothing."""
        count = self._config.references or int(self._config.parents is not None)
        if game not in self._games:
            return PlannedTask()
        if not count and game in self._ladders and self._ladders[game].has_parents:
            texts = [self._ladders[game].task(stream)]
        else:
            texts = self._pool.references(game, count, stream) if count else []
        return PlannedTask(self._games[game].with_references(texts) if texts else "")


class RunTaskPool:
    """The pool of a run, in memory and in the store.

    The store keeps tasks and trials with the step they came from, a checkpoint the curriculum's state. A run that
    resumes from a checkpoint deletes what later steps added, so it continues as if it had never stopped.
    """

    def __init__(self, config: TasksConfig, store: Store, run: Run, games_played: Collection[str]) -> None:
        self._config, self._store, self._run = config, store, run
        used = config.share > 0 or config.references or config.parents or config.ladder
        made = {id: games.make(id) for id in games_played if used}
        self._games = {id: game for id, game in made.items() if game.pools}
        with_source = {id: game for id, game in self._games.items() if game.task_source is not None}
        self._ladders = {id: Ladder(config.ladder, game) for id, game in with_source.items() if config.ladder}
        if config.ladder and not self._ladders:
            raise InputError(
                f"no game of this training draws tasks of a source, so ladder = {config.ladder!r} does nothing; "
                "name a source, such as solve(tasks=arithmetic), or leave out ladder"
            )
        self.pool = TaskPool(config)

    def resume(self, step: int, state: Mapping[str, Any]) -> None:
        """Restore the pool as it was after `step` steps."""
        if self._games:
            self._store.forget_tasks(self._run, step - 1)
            self.pool = TaskPool(self._config, *self._store.tasks(self._run))
            self.pool.load_state_dict(state.get("curriculum", {}))
            for id, ladder in self._ladders.items():
                ladder.load_state_dict(state.get("ladders", {}).get(id, {}))

    def sampler(self) -> TaskSampler:
        """Returns the source of one policy's tasks in one step."""
        return TaskSampler(self._config, self.pool, self._games, self._ladders)

    def oracles(self, step: int) -> list[Ladder]:
        """Returns the ladders that measure the live policy before this step."""
        return [ladder for ladder in self._ladders.values() if ladder.measures(step)]

    def temperature(self, step: int) -> float | None:
        """Returns the sampling temperature of the policy in a step; None: its own."""
        return self.pool.curriculum.temperature(step) if self._games else None

    def add(
        self, episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float], step: int
    ) -> dict[str, float]:
        """Record the matches of `step` (from 0): new tasks, trials, the curriculum's state. Returns metrics."""
        posed = [e for e in episodes if e.game in self._games]
        if not posed:
            return {}
        curriculum, before = self.pool.curriculum, len(self.pool)
        predicted = calibration(self.pool, posed)
        change = self.pool.add(posed, step, _gains(credits, advantages))
        self._store.add_tasks(self._run, change.new, change.trials)
        proposed = sum(not e.facts.get("pooled") and e.facts.get("verdict") == "pass" for e in posed)
        new = len(self.pool) - before
        repeats = {"pool_repeats": 1 - new / proposed} if proposed else {}
        generations = [self.pool.generation(task) for task in change.new if self._config.parents]
        grown = {"pool_generation": sum(generations) / len(generations)} if generations else {}
        rungs: dict[str, float] = {}
        for id, ladder in self._ladders.items():
            rungs |= ladder.observe(e for e in posed if e.game == id)
        metrics = {"pool": len(self.pool), "pool_new": new} | repeats | grown | predicted
        return metrics | dict(curriculum.metrics()) | rungs

    def state_dict(self) -> dict[str, Any]:
        """Returns the part of the state that the store does not hold: that of the curriculum and of the ladders."""
        ladders = {id: ladder.state_dict() for id, ladder in self._ladders.items()}
        return {"curriculum": self.pool.state_dict(), "ladders": ladders}


def _gains(credits: Sequence[Credit], advantages: Sequence[float]) -> dict[str, float]:
    """Returns match -> mean absolute advantage of its credits."""
    sizes: dict[str, list[float]] = {}
    for credit, advantage in zip(credits, advantages, strict=True):
        sizes.setdefault(credit.match, []).append(abs(advantage))
    return {match: sum(values) / len(values) for match, values in sizes.items()}


def calibration(pool: TaskPool, episodes: Sequence[Episode]) -> dict[str, float]:
    """Per game, over the tasks of the pool that a step played: mean predicted and mean observed solve rate, the mean
    squared error, and Spearman's rank correlation if there are three tasks or more that differ. Empty without
    predictions.
    """
    observations: dict[str, dict[int, list[float]]] = {}
    predicted: dict[str, dict[int, float]] = {}
    for episode in episodes:
        rate, task = episode.facts.get("solve_rate"), pool.find(episode.game, str(episode.facts.get("task", "")))
        if task is None or rate is None or not episode.facts.get("pooled"):
            continue
        expected = curricula.predicted(pool.curriculum, episode.game, task)
        if expected is not None:
            predicted.setdefault(episode.game, {})[task.index] = expected
            observations.setdefault(episode.game, {}).setdefault(task.index, []).append(float(rate))
    out: dict[str, float] = {}
    for game, rates in sorted(observations.items()):
        observed = [sum(values) / len(values) for values in rates.values()]
        expected_rates = [predicted[game][index] for index in rates]
        out |= {f"{name}/{game}": value for name, value in _compared(expected_rates, observed).items()}
    return out


def _compared(predicted: Sequence[float], observed: Sequence[float]) -> dict[str, float]:
    n = len(predicted)
    out = {
        "pool_predicted": sum(predicted) / n,
        "pool_solved": sum(observed) / n,
        "pool_error": sum((p - r) ** 2 for p, r in zip(predicted, observed, strict=True)) / n,
    }
    correlation = spearman(predicted, observed)
    return out if correlation is None else out | {"pool_rank": correlation}


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Returns Spearman's rank correlation; None if there are fewer than three pairs or one side has only one value."""
    if len(a) < 3 or len(set(a)) == 1 or len(set(b)) == 1:
        return None
    from scipy.stats import rankdata  # takes seconds to import, which every training would wait for

    x, y = rankdata(a), rankdata(b)
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / ((x @ x) * (y @ y)) ** 0.5)
