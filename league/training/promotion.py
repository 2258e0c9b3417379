"""The promotion test: may a snapshot join the league? A sequential test against the newest member decides.

Its matches are planned in blocks in the run NAME.gate, and the results are read in plan order. So the verdict follows
from the seed and the weights alone, and a test that was interrupted continues and decides as if it never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from arena.runner import Runner
from games import InputError
from games.errors import InfrastructureError
from games.randomness import RandomStream, derive
from league.config.tournament import GateConfig, SprtConfig
from league.matchmaking.match_plans import plan_pairing
from league.matchmaking.seating import seatings
from league.ratings import GameInfo
from league.records.matches import PlannedMatch, Result
from league.stopping.monitor import PlanOrderBuffer
from league.stopping.sprt_rule import Sprt
from league.store import Run, Store
from league.tournament.worker import PlanWorker
from league.training.opponent_pool import Snapshot
from league.training.plan import PolicyPlan, TrainingPlan

BLOCK = 32
"""pairs of matches that are planned together"""


class Promotion:
    """Tests candidates against the newest snapshot. Raises InputError if no game can decide a test (`gate_weights`)."""

    def __init__(
        self,
        plan: TrainingPlan,
        policy: PolicyPlan,
        rule: GateConfig,
        store: Store,
        run: Run,
        runner: Runner,
    ) -> None:
        self._plan, self._rule, self._store, self._run, self._runner = plan, rule, store, run, runner
        self._games = {spec.id: GameInfo.of(spec) for spec in policy.specs.values()}
        self._weights = gate_weights(policy)
        store.reclaim(run)
        self.test: Sprt | None = None
        """the newest test, open or decided"""

    async def decide(self, candidate: Snapshot, newest: Snapshot, stopped: Callable[[], bool]) -> bool | None:
        """Returns whether the candidate may join; None if `stopped` returned true before the test was decided."""
        rule = SprtConfig(player=candidate.name, against=newest.name, **self._rule.model_dump())
        self.test = test = Sprt(rule, self._games)
        ref = candidate.ref(self._plan.name)
        matches = [p for p in self._store.planned(self._run) if p.round == candidate.step]
        planned = [p for p in matches if ref in p.refs.values()]  # others are of a policy with a gate at the same step
        start = planned[0].index if planned else self._store.counts(self._run).planned
        order, pairs = PlanOrderBuffer(start), len(planned) // 2

        def report(results: Sequence[Result]) -> None:
            order.add(results)
            for result in order.ready():
                test.add(result)
            if test.gate.verdict or stopped():
                self._runner.stop()

        report(self._store.results(self._run))
        worker = PlanWorker(self._store, self._run, self._runner, report, able=lambda p: p.index >= start)
        while test.gate.verdict is None and not stopped():
            await worker.run()
            if test.gate.verdict is None and not stopped():
                self._check_progress(test, pairs)
                self._store.plan(self._run, list(self._block(candidate, newest, pairs)))
                pairs += BLOCK
        return None if test.gate.verdict is None else test.gate.verdict == "accept"

    def _check_progress(self, test: Sprt, pairs: int) -> None:
        """Raise InfrastructureError if most matches are void; otherwise a test of void matches never ends."""
        if pairs >= 2 * BLOCK + 2 * (test.gate.pairs + test.repeated):
            raise InfrastructureError(
                f"{pairs} pairs of matches of the gate of {test.player} gave {test.gate.pairs} results: most "
                f"were void; `arena board --run {self._run.name}` counts them"
            )

    def _block(self, candidate: Snapshot, newest: Snapshot, first: int) -> Iterator[PlannedMatch]:
        """Pairs of matches with the sides exchanged. Each pair has its own seed and a game sampled by weight."""
        index = self._store.counts(self._run).planned
        ids, weights = list(self._weights), list(self._weights.values())
        for n in range(first, first + BLOCK):
            seed = derive(self._plan.seed, self._plan.name, "gate", candidate.step, n)
            game = ids[RandomStream(seed).weighted(weights)]
            matches = plan_pairing(
                game,
                seatings(self._games[game], (candidate.name, newest.name)),
                run=self._run.name,
                index=index,
                round=candidate.step,
                pairing=f"{candidate.name}:{n}",
                refs={each.name: each.ref(self._plan.name) for each in (candidate, newest)},
                seed=seed,
            )
            index += len(matches)
            yield from matches


def gate_weights(policy: PolicyPlan) -> dict[str, float]:
    """Returns the weight of each game that can decide a promotion test. Raises InputError if there is none."""
    infos = {id: GameInfo.of(spec) for id, spec in policy.specs.items()}
    weights = {id: policy.weights[id] for id, info in infos.items() if info.size == 2 and info.rated}
    if not weights:
        raise InputError(
            "snapshots.gate tests a snapshot against the one before it, which needs a rated game of two sides; games = "
            f"{', '.join(policy.specs)} has none"
        )
    return weights
