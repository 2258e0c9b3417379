"""The rated matches of a training: its snapshots against each other and against the anchors, in a run of the store.

The live policy is never rated, because it changes between two matches. Each snapshot plays the same matches: against
every anchor and against the last snapshots before it. If the policy meets the Nash mix of the league, everybody in the
pool plays everybody, the anchors too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from arena.runner import Runner
from games import GameSpec
from games.randomness import derive
from league.matchmaking.match_plans import match_seed, plan_pairing
from league.matchmaking.seating import Seating, challenger_seatings
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import PlannedMatch, Result
from league.runs.ratings import online_ratings_for, ratings_for
from league.store import Run, Store
from league.tournament.worker import PlanWorker
from league.training.nash_mix import ReturnTable
from league.training.opponent_pool import Snapshot, first_and_newest
from league.training.plan import TrainingPlan


class RatedLeague:
    """Plans, plays, stores and rates the snapshots' matches.

    `anchors` maps each game to the anchors that can play it.
    `recalling` names the anchors that may know in one match what they saw in another: theirs share no seeds.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        store: Store,
        run: Run,
        runner: Runner,
        anchors: Mapping[str, Sequence[str]],
        recalling: Collection[str] = (),
    ) -> None:
        self._recalling = recalling
        self._plan, self._store, self._run, self._runner = plan, store, run, runner
        self._anchors = anchors
        self.online = online_ratings_for(run.spec)
        """TrueSkill ratings, from which the result of a match is predicted"""
        self.returns = ReturnTable()
        store.reclaim(run)
        self._ratings = ratings_for(run.spec)
        self._add(store.results(run))
        self._rounds, self._planned = store.next_round(run)

    @property
    def empty(self) -> bool:
        """Whether no match was ever planned."""
        return self._planned == 0

    @property
    def games(self) -> list[str]:
        """The ids of the games."""
        return list(self._plan.specs)

    def standings(self, counts: MatchCounts) -> Leaderboard:
        """Returns the leaderboard."""
        return self._ratings.snapshot(self._run.name, counts)

    def _add(self, results: list[Result]) -> None:
        self.online.add(results)
        self._ratings.add(results)
        self.returns.add(results)

    async def rate(self, snapshots: Sequence[Snapshot]) -> None:
        """Plan the matches of new snapshots, oldest snapshot first, and play every match that is not played yet."""
        for i in range(self._rounds, len(snapshots)):
            planned = list(self._matches(snapshots[i], snapshots[:i], i))
            self._store.plan(self._run, planned)
            self._planned += len(planned)
            self._rounds = i + 1
        able = {s.name for s in snapshots} | self._plan.anchors.keys()

        def playable(planned: PlannedMatch) -> bool:
            # A match of a snapshot that was frozen after the checkpoint waits until the snapshot is frozen again.
            return set(planned.match.seats.values()) <= able

        await PlanWorker(self._store, self._run, self._runner, self._add, able=playable).run()

    def _matches(self, new: Snapshot, before: Sequence[Snapshot], round: int) -> Iterator[PlannedMatch]:
        """Returns the matches of a new snapshot, on every side against each opponent; for seeds see `_seed`."""
        refs = {snapshot.name: snapshot.ref(self._plan.name) for snapshot in (*before, new)}
        index = self._planned
        for spec, name, other, seatings in self._pairs(new, before):
            for n in range(self._plan.policies[new.policy].snapshots.matches):
                matches = plan_pairing(
                    spec.id,
                    seatings,
                    run=self._run.name,
                    index=index,
                    round=round,
                    pairing=f"{name}:{other}:{n}",
                    refs=refs,
                    seed=partial(self._seed, spec, n),
                )
                index += len(matches)
                yield from matches

    def _pairs(
        self, new: Snapshot, before: Sequence[Snapshot]
    ) -> Iterator[tuple[GameSpec, str, str, Sequence[Seating]]]:
        """Yields game, both players and the seats of their matches: of a new snapshot, first also of the anchors."""
        policy = self._plan.policies[new.policy]
        whole, last = policy.opponents.nash > 0, max(0, len(before) - policy.snapshots.versus)
        previous = first_and_newest(before, policy.opponents.pool) if whole else before[last:]
        for spec in self._plan.specs.values():
            anchors = self._anchors.get(spec.id, ())
            opponents: list[str | Snapshot] = [*anchors, *previous]
            for opponent in opponents:
                name = opponent if isinstance(opponent, str) else opponent.name
                seatings = challenger_seatings(GameInfo.of(spec), new.name, name)
                yield spec, new.name, name, [s for s in seatings if self._plays(spec, s, new, opponent)]
            if whole and not before:
                for name, other in combinations(anchors, 2):
                    yield spec, name, other, challenger_seatings(GameInfo.of(spec), name, other)

    def _seed(self, spec: GameSpec, n: int, seats: Mapping[str, str]) -> int:
        """Returns the seed of the n-th match of a snapshot; against a `recalling` anchor one of its own per seat."""
        shared = derive(self._plan.seed, self._plan.name, "rated", spec.id, n)
        return match_seed(shared, GameInfo.of(spec), seats, self._recalling)

    def _plays(self, spec: GameSpec, seats: Seating, new: Snapshot, opponent: str | Snapshot) -> bool:
        """Returns whether all seats of a match are of roles that their players play."""
        players = [new] if isinstance(opponent, str) else [new, opponent]
        by_name = {snapshot.name: self._plan.policies[snapshot.policy] for snapshot in players}
        return all(
            policy is None or (spec.id in policy.specs and spec.seats[seat] in policy.roles)
            for seat, player in seats.items()
            for policy in [by_name.get(player)]
        )
