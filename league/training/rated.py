"""The league of a training: frozen snapshots and anchors, rated by matches of their own that are planned and stored.

The live policy is never rated: it changes between two matches. Its snapshots are, each by the same matches against
every anchor and the last snapshots before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from arena.match import Episode, MatchPlan
from arena.runner import Plays
from games import GameSpec
from games.randomness import derive
from league.playing import Playing
from league.ratings import GameInfo
from league.ratings.sides import to_stored
from league.records import PlannedMatch, Result
from league.standings import MatchCounts
from league.standings import Snapshot as Standings
from league.store import Run, Store
from league.stored import chanceless, ledger_for, ratings_for, stored_plugins, stored_ratings
from league.training.config import TrainingConfig
from league.training.population import Snapshot

# What may change when a training goes on.
_FREE = {"name", "db", "folder", "seed", "steps", "concurrency", "evaluation", "checkpoint", "alarms", "record"}
_FREE |= {"trackers", "plugins", "games", "ratings", "workers", "ray"}


def stored_settings(config: TrainingConfig, specs: Mapping[str, GameSpec], name: str) -> dict[str, Any]:
    """What the store keeps of a training: as of a tournament, and the settings that must not change."""
    training = config.model_dump(mode="json", by_alias=True, exclude=_FREE)
    if config.snapshots.gate is None:
        del training["snapshots"]["gate"]  # as in trainings of before there was one
    if not config.overlap:
        del training["overlap"]
    return {
        "name": name,
        "seed": config.seed,
        "games": list(specs),
        "pairing": "training",
        "rounds": config.steps,
        "plugins": stored_plugins(),
        "ratings": stored_ratings(config.ratings),
        "rated": {spec.id: to_stored(GameInfo.of(spec)) for spec in specs.values()},
        "chanceless": chanceless(specs.values()),
        "plays": {a.name: list(specs) for a in config.anchors},
        "folder": str(config.place),
        "training": training,
    }


class RatedLeague:
    """Plans, plays, keeps and rates the snapshots' matches in one run of the store."""

    def __init__(
        self,
        config: TrainingConfig,
        store: Store,
        run: Run,
        runner: Plays,
        specs: Mapping[str, GameSpec],
        anchors: Mapping[str, Sequence[str]],
    ) -> None:
        self._config, self._store, self._run, self._runner = config, store, run, runner
        self._specs, self._anchors = specs, anchors
        self.ledger = ledger_for(run.config)
        """TrueSkill, for what is expected of a match"""
        store.reclaim(run)
        self._ratings = ratings_for(run.config)
        self._rate(store.results(run))
        self._rounds, self._planned = store.next_round(run)

    @property
    def empty(self) -> bool:
        """Whether nothing was ever planned here."""
        return self._planned == 0

    @property
    def games(self) -> list[str]:
        """Ids of the games that are played."""
        return list(self._specs)

    def standings(self, counts: MatchCounts) -> Standings:
        """The leaderboard."""
        return self._ratings.snapshot(self._run.name, counts)

    def _rate(self, results: list[Result]) -> None:
        self.ledger.add(results)
        self._ratings.add(results)

    async def rate(self, snapshots: Sequence[Snapshot]) -> None:
        """Play what the snapshots have not played yet. Their matches are planned once, in the order of freezing."""
        for i in range(self._rounds, len(snapshots)):
            planned = list(self._matches(snapshots[i], snapshots[:i], i))
            self._store.plan(self._run, planned)
            self._planned += len(planned)
            self._rounds = i + 1
        known = {s.name for s in snapshots} | {a.name for a in self._config.anchors}

        def able(planned: PlannedMatch) -> bool:  # else it is of a snapshot that comes again later
            return set(planned.match.seats.values()) <= known

        await Playing(self._store, self._run, self._runner, self._rate, able=able).run()

    def _matches(self, new: Snapshot, before: Sequence[Snapshot], round: int) -> Iterator[PlannedMatch]:
        """A snapshot on every side against every anchor and the last snapshots, on seeds that all snapshots share."""
        rule = self._config.snapshots
        index = self._planned
        for spec in self._specs.values():
            rivals = [*self._anchors.get(spec.id, ()), *(s.name for s in before[len(before) - rule.versus :])]
            if len(before) < rule.versus:
                rivals = [*self._anchors.get(spec.id, ()), *(s.name for s in before)]
            for rival in rivals:
                for n in range(rule.matches):
                    seed = derive(self._config.seed, self._config.name, "rated", spec.id, n)
                    for side in GameInfo.of(spec).sides:
                        seats = {seat: new.name if seat in side else rival for seat in spec.seats}
                        match = MatchPlan(f"{self._run.name}-{index}", spec.id, seed, seats)
                        yield PlannedMatch(index, round, f"{new.name}:{rival}:{n}", match)
                        index += 1


Expected = Callable[[Episode, str], float | None]


def expected_score(league: RatedLeague, newest: str, opponent: str, game: str, beta: float) -> float:
    """The score in [-1, 1] that ratings expect of the live policy, taken to be as good as its newest snapshot.

    2 P - 1 with P = Phi((mu - mu') / sqrt(2 beta^2 + sigma^2 + sigma'^2)), the win probability of TrueSkill (Herbrich
    et al. 2007).
    """
    from statistics import NormalDist

    own, other = league.ledger.rating(newest, game), league.ledger.rating(opponent, game)
    spread = (2 * beta**2 + own.sigma**2 + other.sigma**2) ** 0.5
    return 2 * NormalDist().cdf((own.mu - other.mu) / spread) - 1
