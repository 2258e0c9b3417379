"""How strong a player is: the live policy at intervals during a training, and any player for `arena eval`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import games
from arena import event_loop
from arena.evaluation import (
    AveragePolicy,
    Exact,
    InvarianceGap,
    SeatScore,
    Suite,
    SuiteScore,
    evaluate,
    measure_wordings,
    play_anchor,
    read_table,
)
from arena.evaluation.one_shot import evaluate_mixture, read_mixture
from arena.evaluation.report import Evaluation, measure
from arena.players import Player
from games import GameSpec, InputError
from games.randomness import derive
from league.config.database_url import DEFAULT_DB, DatabaseUrl
from league.runs import stored_players
from league.training.measures.evaluation_size import evaluation_size
from league.training.measures.suites import SuiteEvaluator, trained_families
from league.training.plan import PolicyPlan, TrainingPlan


class PolicyEvaluator:
    """Measures a policy: exactly if the game is small enough, and against the anchors.

    Keeps, per game, the average of the policies measured so far. `anchors` maps each game to the anchors that can play
    it.
    """

    def __init__(self, plan: TrainingPlan, policy: PolicyPlan, anchors: Mapping[str, Sequence[Player]]) -> None:
        self._plan, self._specs, self._anchors = plan, policy.specs, anchors
        self.activity = ""
        """what takes time at the moment, for the board; empty between evaluations"""
        self.size = evaluation_size(plan, policy, anchors)
        """what one evaluation asks for"""
        tables = self.size.tabulated
        self.averages = {id: AveragePolicy(tab) for id, tab in tables.items() if any(tab.paths.values())}
        self._suites = SuiteEvaluator(plan.evaluation, trained_families(policy.specs))

    async def measure(self, player: Player, step: int) -> dict[str, float]:
        """Returns the metrics of a policy: `nash_conv/GAME`, `win_rate/GAME/ANCHOR/SEAT`, ..."""
        try:
            return await self._measure(player, step)
        finally:
            self.activity = ""

    async def _measure(self, player: Player, step: int) -> dict[str, float]:
        out: dict[str, float] = {}
        for id, form in self.size.one_shot.items():
            if (mixture := await read_mixture(player, form)) is not None:
                out[f"nash_conv/{id}"] = evaluate_mixture(form, mixture).nash_conv
        for id in self.size.tabulated:
            out |= await self._exact(player, id, step)
        for id, anchors in self._anchors.items():
            for anchor in anchors if self.size.matches else ():
                for score in await self._against(player, anchor, self._specs[id], step):
                    out |= _score_metrics(id, score)
        tasks = partial(self._progress, "measuring suites", "tasks")
        return out | await self._suites.measure(player, self._plan.illegal, self._plan.concurrency, tasks)

    def _progress(self, what: str, of: str, done: int, total: int) -> None:
        self.activity = f"{what}, {done:,} of {total:,} {of}"

    async def _exact(self, player: Player, id: str, step: int) -> dict[str, float]:
        tabulated = self.size.tabulated[id]
        total = len(tabulated.decisions)
        table = await read_table(
            player, tabulated, lambda n: self._progress("measuring NashConv", "positions", n, total)
        )
        if table is None:
            return {}
        game = games.make(id)
        exact: Exact = evaluate(game, table)
        out = {f"nash_conv/{id}": exact.nash_conv}
        for seat, value in exact.values.items():
            out[f"self_play_value/{id}/{seat}"] = value
        if (average := self.averages.get(id)) is not None:
            average.add(table, step + 1.0)  # linear in the step, as in CFR+: early policies soon count little
            out[f"nash_conv_average/{id}"] = evaluate(game, average.table()).nash_conv
        return out

    async def _against(self, player: Player, anchor: Player, spec: GameSpec, step: int) -> list[SeatScore]:
        return await play_anchor(
            player,
            anchor,
            spec,
            self.size.matches,
            seed=derive(self._plan.seed, self._plan.name, "evaluation", step),
            illegal=self._plan.illegal,
            concurrency=self._plan.concurrency,
            progress=partial(self._progress, f"measuring against {anchor.name} in {spec.id}", "matches"),
        )

    def state_dict(self) -> dict[str, Any]:
        """Returns the averages and the first results on the suites, as plain JSON."""
        return {id: average.state_dict() for id, average in self.averages.items()} | self._suites.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        for id, average in self.averages.items():
            if id in state:
                average.load_state_dict(state[id])
        self._suites.load_state_dict(state)


def _score_metrics(id: str, score: SeatScore) -> dict[str, float]:
    path = f"{id}/{score.anchor}/{score.seat}"
    return {
        f"win_rate/{path}": score.rate,
        f"win_rate_low/{path}": score.low,
        f"win_rate_high/{path}": score.high,
        f"score/{path}": score.score,
        f"matches/{path}": score.matches,
        f"illegal_rate/{path}": score.illegal,
    }


def evaluate_player(
    player: str,
    game: str,
    *,
    matches: int = 100,
    against: Sequence[str] | None = None,
    seed: int | None = None,
    db: DatabaseUrl | str = DEFAULT_DB,
    trust: bool = False,
) -> Evaluation:
    """Measure a player, given as a player id or as its name in the store at `db`.

    `trust` is as in `league.runs.stored_players.resolve`. Raises InputError.
    """
    make = partial(stored_players.make, db=db, trust=trust)
    return measure(player, game, matches=matches, against=against, seed=seed, make=make)


def evaluate_wordings(
    player: str,
    game: str,
    wordings: int,
    *,
    seed: int | None = None,
    db: DatabaseUrl | str = DEFAULT_DB,
    trust: bool = False,
    progress: Callable[[int, int], None] = lambda measured, total: None,
) -> InvarianceGap:
    """Measure a player exactly in a game and in the wordings `seed + 1`, `seed + 2`, ...; see `measure_wordings`."""
    make = partial(stored_players.make, db=db, trust=trust)
    return measure_wordings(player, game, wordings, first=(seed or 0) + 1, make=make, progress=progress)


def evaluate_suite(
    player: str,
    suite: str,
    *,
    tasks: int = 50,
    seed: int | None = None,
    db: DatabaseUrl | str = DEFAULT_DB,
    trust: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> SuiteScore:
    """Measure a player's accuracy on `tasks` tasks of each kind of a suite. Raises InputError as `evaluate_player`.

    The tasks follow from the seed. Its default is 0, also for endpoints: the tasks are not secret. `progress` is called
    with the number of answered tasks, and of all.
    """
    posed = Suite(suite, tasks, seed or 0)
    made = stored_players.make(player, db=db, trust=trust)
    try:
        if why := made.supports(games.make(posed.plans()[0].game)):
            raise InputError(f"{made.name} cannot answer tasks: {why}")
        return event_loop.run(posed.play(made, progress=progress))
    finally:
        made.close()


def evaluation_lines(report: Evaluation) -> list[str]:
    """Returns an evaluation as text."""
    lines = [f"{report.player} in {report.game}"]
    if report.exact is None:
        lines.append(f"exact: {report.not_exact}")
    else:
        e = report.exact
        lines.append(
            f"NashConv {e.nash_conv:.4f}, exploitability {e.exploitability:.4f}, {e.decisions:,} decisions read"
        )
        for seat, best in e.best_responses.items():
            lines.append(f"  {seat}: {e.values[seat]:+.4f} in self-play; the best response gets {best:+.4f}")
    if report.seats:
        lines.append(
            f"{'against':<24} {'seat':<12} {'matches':>7} {'win rate':>8}  {'95%':<14} {'score':>7} {'illegal':>7}"
        )
    for s in report.seats:
        interval = f"[{s.low:.3f}, {s.high:.3f}]"
        lines.append(
            f"{s.anchor:<24.24} {s.seat:<12.12} {s.matches:>7,} {s.rate:>8.3f}  {interval:<14} {s.score:>+7.3f} "
            f"{s.illegal:>7.1%}"
        )
    lines += [f"not played against {id}: {why}" for id, why in report.skipped.items()]
    return lines
