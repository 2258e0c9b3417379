"""Plays a few matches of a tournament in a scratch store, to measure what a match costs."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from league.config.tournament import StopConfig, TournamentConfig
from league.matchmaking.planner import Planner
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.store import Store
from league.tournament.run import run_tournament

PAIRING = "swiss"
"""every player plays in each of its rounds"""


class Pilot(NamedTuple):
    """The matches of a pilot."""

    results: tuple[Result, ...]
    in_flight: float
    """matches that were played at the same time, on average"""


def play_pilot(config: TournamentConfig, file: str | Path, spec: RunSpec, matches: int, *, trust: bool) -> Pilot:
    """Plays whole rounds, at least `matches`, of which the tournament's store does not learn. Endpoints are paid.

    Raises as `run_tournament` does.
    """
    one = replace(spec, pairing=PAIRING, rounds=1, stop=StopConfig())
    rounds = ceil(matches / max(1, Planner(one).total or 1))
    with TemporaryDirectory(prefix="arena-pilot-") as folder:
        scratch = config.model_copy(
            update={
                "db": f"sqlite:///{folder}/pilot.db",
                "pairing": PAIRING,
                "rounds": rounds,
                "stop": StopConfig(),
            }
        )
        seconds = run_tournament(scratch, file, board="off", trust=trust).seconds
        with Store.open(scratch.db, read_only=True) as store:
            results = tuple(store.results_in_plan_order(store.run()))
    busy = sum(result.seconds for result in results)
    return Pilot(results, max(busy / seconds, 1.0))
