"""The task pool of a training: sampled when a step is planned, extended after the step was learned from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import games
from arena.learner import Credit
from arena.match import Episode
from games.randomness import RandomStream
from league.config.training import TasksConfig
from league.store import Run, Store
from league.tasks.pool import TaskPool


class RunTaskPool:
    """The pool of a run, in memory and in the store.

    The store keeps tasks and trials with the step they came from. A run that resumes from a checkpoint deletes those
    of later steps, so it continues as if it had never stopped.
    """

    def __init__(self, config: TasksConfig, store: Store, run: Run, games_played: Collection[str]) -> None:
        self._config, self._store, self._run = config, store, run
        self._games = frozenset(id for id in games_played if config.share > 0 and games.make(id).pools)
        self.pool = TaskPool(config)

    def resume(self, step: int, state: Mapping[str, Any]) -> None:
        """Restore the pool as it was after `step` steps."""
        if self._games:
            self._store.forget_tasks(self._run, step - 1)
            self.pool = TaskPool(self._config, *self._store.tasks(self._run))
            self.pool.load_state_dict(state)

    def sample(self, game: str, stream: RandomStream) -> str:
        """A task for a match, or "" if the game takes none or has none yet."""
        return self.pool.sample(game, stream) if game in self._games else ""

    def add(
        self, episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float], step: int
    ) -> dict[str, float]:
        """Record the matches of `step` (from 0): gains per band, new tasks, trials. Returns metrics of the pool."""
        mine = [e for e in episodes if e.game in self._games]
        if not mine:
            return {}
        self._update_gains(mine, credits, advantages)
        new, trials = self.pool.add(mine, step)
        self._store.add_tasks(self._run, new, trials)
        gains = {f"pool_gain/{band}/{g}": q for g, known in self.pool.gains.items() for band, q in known.items()}
        proposed = sum(not e.facts.get("pooled") and e.facts.get("verdict") == "pass" for e in mine)
        repeats = {"pool_repeats": 1 - len(new) / proposed} if proposed else {}
        return {"pool": len(self.pool), "pool_new": len(new)} | repeats | gains

    def _update_gains(
        self, episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float]
    ) -> None:
        """Give the pool the mean absolute advantage of each match on a pooled task, by the task's band."""
        by_match: dict[str, list[float]] = {}
        for credit, advantage in zip(credits, advantages, strict=True):
            by_match.setdefault(credit.match, []).append(abs(advantage))
        gains: dict[str, dict[int, list[float]]] = {}
        for episode in episodes:
            if episode.facts.get("pooled") and episode.match in by_match:
                found = by_match[episode.match]
                band = self.pool.band(episode.game, episode.facts["task"])
                gains.setdefault(episode.game, {}).setdefault(band, []).append(sum(found) / len(found))
        for game, bands in sorted(gains.items()):
            self.pool.update_gains(game, dict(sorted(bands.items())))

    def state_dict(self) -> dict[str, Any]:
        """The part of the pool's state that the store does not hold."""
        return self.pool.state_dict()
