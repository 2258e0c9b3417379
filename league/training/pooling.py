"""The pool of tasks in a training: drawn from when a step is planned, added to when it was learned from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import games
from arena.learner import Credit
from arena.match import Episode
from games.randomness import Stream
from league.store import Run, Store
from league.tasks import Pool, Rules
from league.training.config import TasksConfig


class Tasks:
    """The pool of a run, in memory and in the store.

    The store holds tasks and trials with the step they came from; what came after the checkpoint that a training goes
    on from is taken back, so that it goes on as if never stopped.
    """

    def __init__(self, config: TasksConfig, store: Store, run: Run, ids: Collection[str]) -> None:
        self._rules = Rules(**config.model_dump(exclude={"share"}))
        self._store, self._run, self._on = store, run, config.share > 0
        self._games = frozenset(id for id in ids if self._on and games.make(id).pools)
        self.pool = Pool(self._rules)

    def resume(self, step: int, state: Mapping[str, Any]) -> None:
        """The pool as it was after so many steps."""
        if self._games:
            self._store.forget_tasks(self._run, step - 1)
            self.pool = Pool(self._rules, *self._store.tasks(self._run))
            self.pool.load_state_dict(state)

    def draw(self, game: str, stream: Stream) -> str:
        """A task for a match, "" for a game without tasks or before there are any."""
        return self.pool.draw(game, stream) if game in self._games else ""

    def take(
        self, episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float], step: int
    ) -> dict[str, float]:
        """After step `step` (from 0): what was learned on each band, the new tasks, the trials. Returns figures."""
        mine = [e for e in episodes if e.game in self._games]
        if not mine:
            return {}
        self._learned(mine, credits, advantages)
        new, trials = self.pool.take(mine, step)
        self._store.add_tasks(self._run, new, trials)
        gains = {f"pool_gain/{band}/{g}": q for g, known in self.pool.gains.items() for band, q in known.items()}
        proposed = sum(not e.facts.get("pooled") and e.facts.get("verdict") == "pass" for e in mine)
        repeats = {"pool_repeats": 1 - len(new) / proposed} if proposed else {}
        return {"pool": len(self.pool), "pool_new": len(new)} | repeats | gains

    def _learned(self, episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float]) -> None:
        """Mean absolute advantage of each match on a task of the pool, by the band the task was in."""
        of: dict[str, list[float]] = {}
        for credit, advantage in zip(credits, advantages, strict=True):
            of.setdefault(credit.match, []).append(abs(advantage))
        gains: dict[str, dict[int, list[float]]] = {}
        for episode in episodes:
            if episode.facts.get("pooled") and episode.match in of:
                found = of[episode.match]
                band = self.pool.band(episode.game, episode.facts["task"])
                gains.setdefault(episode.game, {}).setdefault(band, []).append(sum(found) / len(found))
        for game, bands in sorted(gains.items()):
            self.pool.learn(game, dict(sorted(bands.items())))

    def state_dict(self) -> dict[str, Any]:
        """What the store does not hold."""
        return self.pool.state_dict()
