"""Forecasts a tournament: what it takes until its stop rules hold or its rounds are over."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from games import InputError
from league.config.tournament import TournamentConfig, load_tournament
from league.forecast.pilot import MeanUses, Pilot, play_pilot, prices
from league.forecast.simulation import GameTasks, LeagueSimulator, SimulatedEnd, SkillPrior
from league.matchmaking.planner import Planner
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.runs.game_ids import stored_run
from league.runs.stored_players import resolve_players
from league.sprt.by_task import TasksNeeded, by_task, tasks_needed
from league.stopping.monitor import needs_ratings
from league.stopping.rules import standings_rules
from league.stopping.sprt_rule import check_sprt
from league.store import Store
from league.tournament.lineup import assemble, load_plugins, tournament_spec

LEAGUES = 20
LIMIT = 20_000
"""matches of a simulated league, at most"""
REACH = 0.05
"""of the 95% interval of a difference task by task: 5 points of 100"""
SECONDS = 60.0
"""for simulating; at least one league is simulated to its end"""
Progress = Callable[[int], None]


class Spread(msgspec.Struct, frozen=True):
    """The 10%, 50% and 90% quantiles over simulated leagues."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Returns the quantiles of values."""
        return cls(*(float(q) for q in np.quantile(values, (0.1, 0.5, 0.9))))


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What a tournament takes from now on. None: no match has measured it, or nobody states a price."""

    name: str
    players: int
    games: int
    rules: tuple[str, ...]
    """the stop rules"""
    leagues: int
    """simulated leagues; 1 if nothing is left to chance"""
    played: int
    """matches of the run so far"""
    pilot: int
    """matches that measured the costs, of the run and of a pilot"""
    stopped: float
    """the share of leagues that a stop rule ended"""
    limited: float
    """the share of leagues that were still going on after `LIMIT` matches"""
    matches: Spread
    tokens: Spread | None = None
    """completion tokens of all players"""
    prompt_tokens: Spread | None = None
    cost: Spread | None = None
    """in the currency of price_in and price_out"""
    seconds: Spread | None = None
    """on this machine, at the file's concurrency"""
    unmeasured: tuple[str, ...] = ()
    """players that played no match yet"""
    paired: TasksNeeded | None = None
    """what a comparison of two players task by task takes"""


def forecast(
    config: TournamentConfig | str | Path,
    file: str | Path = "",
    *,
    pilot: int = 0,
    leagues: int = LEAGUES,
    paired: tuple[str, str] | None = None,
    reach: float = REACH,
    trust: bool = False,
    show: Progress = lambda done: None,
) -> Forecast:
    """Returns what a tournament takes until it ends. Nothing is written to its store.

    Skills are drawn from the ratings of the run if it was started before, and from those of a `pilot` of so many
    matches (whole rounds), which are played in a scratch store; otherwise from the prior of the rating settings.
    `paired`: two players whose difference task by task should be known to `reach`; how much tasks vary is measured on
    the same matches.

    Raises InputError as `run_tournament` does, and for a tournament without an end.
    """
    if not isinstance(config, TournamentConfig):
        file, config = file or config, load_tournament(config)
    load_plugins(config, Path(file).parent)
    config, named = resolve_players(config, trust=trust)
    lineup = assemble(config)
    spec = tournament_spec(config, lineup, named)
    lineup.close()
    planner = Planner(spec)
    planner.check()
    check_sprt(spec, planner)
    _check_end(spec)
    played = _played(config)
    test = play_pilot(config, file, spec, pilot, trust=trust) if pilot else Pilot((), 0.0)
    measured = [*played, *_as_later_matches(test.results, played)]
    usage = MeanUses(measured)
    pair = None
    if paired is not None:
        spec.check_names(paired, None)
        pair = tasks_needed(by_task(measured, spec.games, *paired), reach)
    tasks = {game: GameTasks.of(game, measured, info) for game, info in spec.games.items()}
    runs = _simulated(spec, played, SkillPrior(spec, measured), usage, tasks, leagues, show)
    return msgspec.structs.replace(_summary(spec, config, len(played), test, usage, runs), paired=pair)


def _check_end(spec: RunSpec) -> None:
    if spec.rounds == "forever" and not any((spec.stop.matches, spec.stop.sprt, *standings_rules(spec.stop))):
        raise InputError(
            f'{spec.name} plays until it is stopped (rounds = "forever" without a stop rule), so there is nothing to '
            "forecast; add [stop], such as ranked = 0.95"
        )


def _played(config: TournamentConfig) -> Sequence[Result]:
    """Returns the results of the run so far, in plan order up to the first gap."""
    try:
        store = Store.open(config.db, read_only=True)
    except InputError:  # there is no store yet
        return ()
    with store:
        run = stored_run(store, config.name)
        return [] if run is None else store.results_in_plan_order(run)


def _as_later_matches(pilot: Sequence[Result], played: Sequence[Result]) -> list[Result]:
    """Returns the results of a pilot with indices after those of the run, and pairings of their own."""
    first = 1 + max((result.index for result in played), default=-1)
    return [msgspec.structs.replace(r, index=first + r.index, pairing=f"pilot {r.pairing}") for r in pilot]


def _simulated(
    spec: RunSpec,
    played: Sequence[Result],
    belief: SkillPrior,
    usage: MeanUses,
    tasks: Mapping[str, GameTasks],
    leagues: int,
    show: Progress,
) -> list[SimulatedEnd]:
    runs: list[SimulatedEnd] = []
    end = time.monotonic() + SECONDS

    def tokens(game: str, player: str) -> int:
        mean = usage(game, player)
        return round(mean.tokens) if mean else 0

    simulator = LeagueSimulator(spec, played, tokens, LIMIT, lambda: not runs or time.monotonic() < end, tasks)
    chancy = spec.stop.sprt is not None or needs_ratings(spec.stop) or Planner(spec).needs_log
    for n in range(leagues if chancy else 1):
        rng = np.random.default_rng((spec.seed, n))
        run = simulator.run(belief.draw(rng), rng)
        if run is None:
            break
        runs.append(run)
        show(len(runs))
    return runs


def _summary(
    spec: RunSpec,
    config: TournamentConfig,
    played: int,
    pilot: Pilot,
    usage: MeanUses,
    runs: Sequence[SimulatedEnd],
) -> Forecast:
    rates = prices(config.players)
    seated = {player for run in runs for _, players in run.kinds for player in players}
    unmeasured = tuple(sorted(p for p in seated if all(usage(game, p) is None for game in spec.games)))

    def spread(value: Callable[[str, tuple[str, ...]], float]) -> Spread | None:
        if unmeasured:
            return None
        return Spread.of([sum(n * value(game, players) for (game, players), n in run.kinds.items()) for run in runs])

    def of_players(index: int, price: bool, game: str, players: tuple[str, ...]) -> float:
        """Returns the tokens, or their price, of the players of a match."""
        uses = [(usage(game, player), rates.get(player, (0.0, 0.0))) for player in players]
        if price:
            return sum((u.prompt_tokens * r[0] + u.tokens * r[1]) / 1e6 for u, r in uses if u)
        return sum(u[index] for u, _ in uses if u)

    lengths = MeanUses(pilot.results)  # earlier matches were played with other numbers of matches in flight

    def wait(game: str, players: tuple[str, ...]) -> float:
        return (lengths.seconds(game, players) or 0.0) / pilot.in_flight

    return Forecast(
        name=spec.name,
        players=len(spec.plays),
        games=len(spec.games),
        rules=_rules(spec),
        leagues=len(runs),
        played=played,
        pilot=played + len(pilot.results),
        stopped=sum(run.stopped for run in runs) / len(runs),
        limited=sum(run.limited for run in runs) / len(runs),
        matches=Spread.of([run.matches for run in runs]),
        tokens=spread(partial(of_players, 0, False)),
        prompt_tokens=spread(partial(of_players, 1, False)),
        cost=spread(partial(of_players, 0, True)) if rates else None,
        seconds=spread(wait) if pilot.results else None,
        unmeasured=unmeasured,
    )


def _rules(spec: RunSpec) -> tuple[str, ...]:
    stop = spec.stop.model_dump(exclude_defaults=True, exclude={"prices", "every", "top"})
    top = f" (first {spec.stop.top})" if spec.stop.top else ""
    return tuple(
        f"sprt of {spec.stop.sprt.player} against {spec.stop.sprt.against}" if key == "sprt" and spec.stop.sprt
        else key if value is True
        else f"{key} = {value}{top if key in ('width', 'ranked') else ''}"
        for key, value in stop.items()
    )  # fmt: skip
