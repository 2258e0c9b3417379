"""The pool of tasks that players set for each other, and which of them is played next.

Games stay pure functions of their seed: a task is drawn here, by the league, and stands in the plan of the match. A
game that takes tasks (`TextGame.pools`) names in its facts `task`, `verdict` ("pass" for a valid one), `solve_rate`,
and `pooled` where the task was given. A task that is in the pool already is refused.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from arena.match import Episode
from games.randomness import Stream
from league.store.tasks import StoredTask, Trial
from roles.clusters import bleu, words

Curriculum = Literal["uniform", "newest", "frontier"]

BANDS = (0.0, 0.25, 0.5, 0.75)
"""upper ends of the bands of the last solve rate; then below 1, then 1, and -1 for a task that was never tried"""
_NEAR = 512
"""the newest tasks that a new one is compared with word by word"""
_SPACE = re.compile(r"\s+")


class Rules(msgspec.Struct, frozen=True):
    """What is taken into the pool and how it is drawn from."""

    curriculum: Curriculum = "uniform"
    low: float = 0.0
    high: float = 1.0
    """a new task is taken where low <= its first solve rate <= high"""
    size: int = 16_384
    """the newest tasks of a game that are drawn; older ones stay on record"""
    newest: int = 128
    """`newest` draws among so many"""
    distance: float = 0.0
    """a new task is refused that is nearer than this (1 - BLEU) to one of the newest in the pool; 0: only equal ones"""
    rate: float = 0.5
    """`frontier`: the step towards the newest gain of a band"""
    temperature: float = 0.1
    """`frontier`: how evenly bands are drawn; towards 0 always the best"""


class Pool:
    """The tasks of one run. What it draws depends on what it took in and on the stream, on nothing else."""

    def __init__(self, rules: Rules, tasks: Sequence[StoredTask] = (), trials: Sequence[Trial] = ()) -> None:
        self.rules = rules
        self.gains: dict[str, dict[int, float]] = {}
        """game -> band -> what playing on it lately taught"""
        self._tasks: dict[str, list[StoredTask]] = {}
        self._keys: dict[tuple[str, str], int] = {}
        self._last: dict[int, float] = {}
        """task -> its newest solve rate"""
        self._size = 0
        for task in tasks:
            self._admit(task)
        for trial in trials:
            self._last[trial.index] = trial.rate

    def __len__(self) -> int:
        return self._size

    def draw(self, game: str, stream: Stream) -> str:
        """The task to play next, "" where there is none."""
        known = self._tasks.get(game, [])[-self.rules.size :]
        if not known:
            return ""
        if self.rules.curriculum == "frontier":
            return self._frontier(game, known, stream)
        return stream.choice(known if self.rules.curriculum == "uniform" else known[-self.rules.newest :]).text

    def take(self, episodes: Iterable[Episode], step: int) -> tuple[list[StoredTask], list[Trial]]:
        """Take in what the matches of a step came to. Returns the new tasks and the trials, for the store."""
        new: list[StoredTask] = []
        trials: list[Trial] = []
        for episode in episodes:
            facts = episode.facts
            rate = facts.get("solve_rate")
            if episode.status == "void" or facts.get("verdict") != "pass" or rate is None:
                continue
            index = self._keys.get((episode.game, key(facts["task"])))
            if index is None and not facts.get("pooled") and self.rules.low <= rate <= self.rules.high:
                task = self._of(episode, step)
                if not self._repeats(task):
                    self._admit(task)
                    new.append(task)
                    index = task.index
            if index is not None:
                self._last[index] = float(rate)
                trials.append(Trial(index, episode.match, step, len(trials), float(rate)))
        return new, trials

    def band(self, game: str, text: str) -> int:
        """The band of a task by its newest solve rate: -1 for one never tried, 0 for never solved, up to always."""
        index = self._keys.get((game, key(text)), -1)
        return _band(self._last.get(index))

    def learn(self, game: str, gains: Mapping[int, Sequence[float]]) -> None:
        """Tell what the matches on each band taught, as mean absolute advantages: Q <- Q + rate (mean - Q).

        Self-Evolving Curriculum (Chen et al. 2025, arXiv 2505.14970): a bandit whose arms are categories of tasks, here
        the bands of the solve rate; tasks move from band to band as the solvers learn.
        """
        known = self.gains.setdefault(game, {})
        for band, values in gains.items():
            if values:
                old = known.get(band, 0.0)
                known[band] = old + self.rules.rate * (math.fsum(values) / len(values) - old)

    def state_dict(self) -> dict[str, Any]:
        """What the store does not hold, as plain JSON."""
        return {game: {str(band): gain for band, gain in gains.items()} for game, gains in self.gains.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        self.gains = {game: {int(band): float(g) for band, g in gains.items()} for game, gains in state.items()}

    def _frontier(self, game: str, known: Sequence[StoredTask], stream: Stream) -> str:
        """A band by exp(Q / temperature), then one of its tasks; a band nothing is known of counts as the best."""
        bands: dict[int, list[StoredTask]] = {}
        for task in known:
            bands.setdefault(_band(self._last.get(task.index)), []).append(task)
        arms = sorted(bands)
        gains = self.gains.get(game, {})
        best = max(gains.values(), default=0.0)
        scores = [(gains.get(arm, best) - best) / self.rules.temperature for arm in arms]
        top = max(scores)
        arm = arms[stream.weighted([math.exp(score - top) for score in scores])]
        return stream.choice(bands[arm]).text

    def _of(self, episode: Episode, step: int) -> StoredTask:
        setter = episode.turns[0]
        version = setter.sample.version if setter.sample is not None else 0
        text = episode.facts["task"]
        return StoredTask(self._size, episode.game, key(text), text, setter.player, version, episode.match, step)

    def _repeats(self, task: StoredTask) -> bool:
        """Whether the pool holds nearly the same, by BLEU in either direction."""
        if not self.rules.distance:
            return False
        mine = words(task.text)
        near = (words(old.text) for old in self._tasks.get(task.game, [])[-_NEAR:])
        return any(1 - max(bleu(mine, other), bleu(other, mine)) < self.rules.distance for other in near)

    def _admit(self, task: StoredTask) -> None:
        self._tasks.setdefault(task.game, []).append(task)
        self._keys[task.game, task.key] = task.index
        self._size = max(self._size, task.index + 1)


def key(text: str) -> str:
    """What makes two tasks the same: case, compatibility forms, white space and final punctuation do not.

    A task in JSON (a program) differs by case.
    """
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()
    return plain if plain.startswith("{") else plain.casefold().rstrip(" .?!")


def _band(rate: float | None) -> int:
    if rate is None:
        return -1
    if rate >= 1.0:
        return len(BANDS) + 1
    return next((i for i, end in enumerate(BANDS) if rate <= end), len(BANDS))
