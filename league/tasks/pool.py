"""The pool of tasks that players set for each other, and which of them is played next.

A game stays a pure function of its seed: the league samples a task here and writes it into the match plan. A game that
takes tasks (`TextGame.pools`) records the facts `task`, `verdict` ("pass" for a valid task), `solve_rate`, and `pooled`
if the task came from the plan. A task that the pool already holds is not added again.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.match import Episode
from games.randomness import RandomStream
from league.config.training import TasksConfig
from league.store.tasks import StoredTask, Trial
from roles.rewards.diversity import bleu, words

BANDS = (0.0, 0.25, 0.5, 0.75)
"""Upper ends of bands 0 to 3 of the newest solve rate. Band 4 ends below 1, band 5 is 1, and -1 is an untried task."""
_COMPARED = 512
"""number of newest tasks that a new one is compared with by BLEU"""
_SPACE = re.compile(r"\s+")


class TaskPool:
    """The tasks of one run. What it samples depends only on what was added and on the stream."""

    def __init__(self, config: TasksConfig, tasks: Sequence[StoredTask] = (), trials: Sequence[Trial] = ()) -> None:
        self.config = config
        self.gains: dict[str, dict[int, float]] = {}
        """game -> band -> moving average of what matches on the band's tasks taught (`update_gains`)"""
        self._tasks: dict[str, list[StoredTask]] = {}
        self._index: dict[tuple[str, str], int] = {}
        """game and task key -> index of the task"""
        self._solve_rate: dict[int, float] = {}
        """index of a task -> its newest solve rate"""
        self._size = 0
        for task in tasks:
            self._append(task)
        for trial in trials:
            self._solve_rate[trial.index] = trial.rate

    def __len__(self) -> int:
        return self._size

    def sample(self, game: str, stream: RandomStream) -> str:
        """The task to play next, or "" if there is none."""
        tasks = self._tasks.get(game, [])[-self.config.size :]
        if not tasks:
            return ""
        if self.config.curriculum == "frontier":
            return self._sample_frontier(game, tasks, stream)
        return stream.choice(tasks if self.config.curriculum == "uniform" else tasks[-self.config.newest :]).text

    def add(self, episodes: Iterable[Episode], step: int) -> tuple[list[StoredTask], list[Trial]]:
        """Add the valid tasks of a step's matches. Returns the new tasks and the trials, for the store."""
        new: list[StoredTask] = []
        trials: list[Trial] = []
        for episode in episodes:
            facts = episode.facts
            rate = facts.get("solve_rate")
            if episode.status == "void" or facts.get("verdict") != "pass" or rate is None:
                continue
            index = self._index.get((episode.game, task_key(facts["task"])))
            if index is None and not facts.get("pooled") and self.config.low <= rate <= self.config.high:
                task = self._task_of(episode, step)
                if not self._is_near_duplicate(task):
                    self._append(task)
                    new.append(task)
                    index = task.index
            if index is not None:
                self._solve_rate[index] = float(rate)
                trials.append(Trial(index, episode.match, step, len(trials), float(rate)))
        return new, trials

    def band(self, game: str, text: str) -> int:
        """The band of a task by its newest solve rate: -1 if it was never tried, 0 if never solved, 5 if always."""
        index = self._index.get((game, task_key(text)), -1)
        return _band(self._solve_rate.get(index))

    def update_gains(self, game: str, gains: Mapping[int, Sequence[float]]) -> None:
        """Update each band's gain Q with the absolute advantages of its matches: Q <- Q + rate (mean - Q).

        Self-Evolving Curriculum (Chen et al. 2025, arXiv 2505.14970): a bandit whose arms are categories of tasks, here
        the bands of the solve rate. Tasks move from band to band as the solvers learn.
        """
        known = self.gains.setdefault(game, {})
        for band, values in gains.items():
            if values:
                old = known.get(band, 0.0)
                known[band] = old + self.config.rate * (math.fsum(values) / len(values) - old)

    def state_dict(self) -> dict[str, Any]:
        """The part of the state that the store does not hold, as plain JSON."""
        return {game: {str(band): gain for band, gain in gains.items()} for game, gains in self.gains.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        self.gains = {game: {int(band): float(g) for band, g in gains.items()} for game, gains in state.items()}

    def _sample_frontier(self, game: str, tasks: Sequence[StoredTask], stream: RandomStream) -> str:
        """Sample a band with weights exp(Q / temperature), then one of its tasks. A new band has the best band's Q."""
        bands: dict[int, list[StoredTask]] = {}
        for task in tasks:
            bands.setdefault(_band(self._solve_rate.get(task.index)), []).append(task)
        arms = sorted(bands)
        gains = self.gains.get(game, {})
        best = max(gains.values(), default=0.0)
        scores = [(gains.get(arm, best) - best) / self.config.temperature for arm in arms]
        top = max(scores)
        arm = arms[stream.weighted([math.exp(score - top) for score in scores])]
        return stream.choice(bands[arm]).text

    def _task_of(self, episode: Episode, step: int) -> StoredTask:
        proposal = episode.turns[0]
        version = proposal.sample.version if proposal.sample is not None else 0
        text = episode.facts["task"]
        return StoredTask(self._size, episode.game, task_key(text), text, proposal.player, version, episode.match, step)

    def _is_near_duplicate(self, task: StoredTask) -> bool:
        """Whether one of the newest tasks is nearer than `distance`, by BLEU in either direction."""
        if not self.config.distance:
            return False
        mine = words(task.text)
        others = (words(old.text) for old in self._tasks.get(task.game, [])[-_COMPARED:])
        return any(1 - max(bleu(mine, other), bleu(other, mine)) < self.config.distance for other in others)

    def _append(self, task: StoredTask) -> None:
        self._tasks.setdefault(task.game, []).append(task)
        self._index[task.game, task.key] = task.index
        self._size = max(self._size, task.index + 1)


def task_key(text: str) -> str:
    """The form in which two tasks are compared: without differences of case, Unicode compatibility, white space and
    final punctuation. A task in JSON (a program) keeps its case.
    """
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()
    return plain if plain.startswith("{") else plain.casefold().rstrip(" .?!")


def _band(rate: float | None) -> int:
    if rate is None:
        return -1
    if rate >= 1.0:
        return len(BANDS) + 1
    return next((i for i, end in enumerate(BANDS) if rate <= end), len(BANDS))
