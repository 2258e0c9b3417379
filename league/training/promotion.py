"""May a snapshot join the league? A sequential test against the newest that did, on matches of its own.

The matches are planned in blocks in the run NAME.gate and looked at in the order of the plan, so the verdict follows
from the seed and the weights alone: a gate that was interrupted goes on where it was and decides as if it never had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from arena.match import MatchPlan
from arena.runner import Plays
from games import GameSpec, InputError
from games.errors import InfrastructureError
from games.randomness import Stream, derive
from league.config import GateConfig, SprtConfig
from league.in_order import InOrder
from league.matchmaking.expand import seatings
from league.playing import Playing
from league.ratings import GameInfo
from league.records import PlannedMatch, Result
from league.stopping import Sprt
from league.store import Run, Store
from league.training.config import TrainingConfig
from league.training.population import Snapshot

BLOCK = 32
"""pairs of matches that are planned together"""


class Promotion:
    """The gate of a training. Raises InputError where no game can decide it (`weights`)."""

    def __init__(
        self,
        config: TrainingConfig,
        rule: GateConfig,
        store: Store,
        run: Run,
        runner: Plays,
        specs: Mapping[str, GameSpec],
    ) -> None:
        self._config, self._rule, self._store, self._run, self._runner = config, rule, store, run, runner
        self._games = {spec.id: GameInfo.of(spec) for spec in specs.values()}
        self._shares = weights(config, specs)
        store.reclaim(run)
        self.test: Sprt | None = None
        """the newest test, open or decided"""

    async def decide(self, candidate: Snapshot, newest: Snapshot, stopped: Callable[[], bool]) -> bool | None:
        """Whether the candidate may join; None where `stopped` said so before it was decided."""
        self.test = test = self._sprt(candidate.name, newest.name)
        mine = [p for p in self._store.planned(self._run) if p.pairing.startswith(f"{candidate.name}:")]
        start = mine[0].index if mine else self._store.counts(self._run).planned
        order, pairs = InOrder(start), len(mine) // 2

        def report(results: Sequence[Result]) -> None:
            order.add(results)
            for result in order.ready():
                test.add(result)
            if test.gate.verdict or stopped():
                self._runner.stop()

        report(self._store.results(self._run))
        playing = Playing(self._store, self._run, self._runner, report, able=lambda p: p.index >= start)
        while test.gate.verdict is None and not stopped():
            await playing.run()
            if test.gate.verdict is None and not stopped():
                self._check(test, pairs)
                self._store.plan(self._run, list(self._block(candidate, newest, pairs)))
                pairs += BLOCK
        return None if test.gate.verdict is None else test.gate.verdict == "accept"

    def _sprt(self, candidate: str, newest: str) -> Sprt:
        rule = SprtConfig(player=candidate, against=newest, **self._rule.model_dump())
        return Sprt(rule, self._games)

    def _check(self, test: Sprt, pairs: int) -> None:
        """Matches that are void for ever would make a gate without end."""
        if pairs >= 2 * BLOCK + 2 * (test.gate.pairs + test.repeated):
            raise InfrastructureError(
                f"{pairs} pairs of matches of the gate of {test.player} gave {test.gate.pairs} results: most "
                f"were void; `arena board --run {self._run.name}` counts them"
            )

    def _block(self, candidate: Snapshot, newest: Snapshot, first: int) -> Iterator[PlannedMatch]:
        """Pairs of matches with the sides exchanged, each pair on a seed of its own, games by their weights."""
        index = self._store.counts(self._run).planned
        ids, shares = list(self._shares), list(self._shares.values())
        for n in range(first, first + BLOCK):
            seed = derive(self._config.seed, self._config.name, "gate", candidate.step, n)
            game = ids[Stream(seed).weighted(shares)]
            for seats in seatings(self._games[game], (candidate.name, newest.name)):
                match = MatchPlan(f"{self._run.name}-{index}", game, seed, seats)
                yield PlannedMatch(index, candidate.step, f"{candidate.name}:{n}", match)
                index += 1


def weights(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> dict[str, float]:
    """How often the gate plays each game that can decide it. Raises InputError where there is none."""
    infos = [(spec.id, GameInfo.of(spec)) for spec in specs.values()]
    shares = zip(infos, config.games, strict=True)
    found = {id: game.weight for (id, info), game in shares if info.size == 2 and info.rated}
    if not found:
        raise InputError(
            "snapshots.gate tests a snapshot against the one before; that needs a rated game of two sides, and there "
            f"is none in games = {', '.join(specs)}"
        )
    return found


__all__ = ["Promotion", "weights"]
