"""Matches of bots per second: in one process, and with 1, 2 and 4 workers of a Ray cluster on this machine.

Two workloads: Kuhn poker by random players, 0.1 ms a match, so that overhead dominates; and tic-tac-toe by tree search,
milliseconds a match. The table also shows the limit set by the driver's own CPU, which receives all episodes (decoding,
and with a store summarising, compressing and writing), independent of the number of workers.

    .venv/bin/python scripts/bench/bench_ray.py [--seconds 8] [--workers 1,2,4]

More workers than cores gain nothing. Where a match takes 11 us, sending its episode costs more than playing it; where
it takes 0.7 ms, two workers on two cores play 1.7 times as many as one process. The limit is the driver, which is why
workers summarise and compress episodes themselves (bench_driver.py).
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from _bench import machine_line, table

from arena.match import Episode, MatchPlan
from arena.runner import LocalRunner, Runner
from arena.runner.ray import RayConfig, RayRunner, WorkerSpec
from league.config.tournament import TournamentConfig
from league.records.matches import PlannedMatch
from league.store import Store
from league.tournament.backends import TournamentPlayers
from league.tournament.worker import PlanWorker

WORK = {
    "Kuhn poker, random": ("openspiel/kuhn_poker", "random", "random"),
    "tic-tac-toe, mcts(500) against random": ("openspiel/tic_tac_toe", "mcts(simulations=500)", "random"),
}
WARM = 1.0
"""seconds of play with all workers before the clock starts, so that batches reach their size"""


def config(game: str, a: str, b: str) -> TournamentConfig:
    """Two players in one game."""
    players = [{"name": "a", "player": a}, {"name": "b", "player": b}]
    return TournamentConfig.model_validate({"name": "bench", "games": [game], "players": players})


def plans(game: str) -> Any:
    """An endless sequence of matches."""
    for i in count():
        yield MatchPlan(f"m{i}", game, i, {"player_0": "ab"[i % 2], "player_1": "ba"[i % 2]})


def rate(runner: Runner, game: str, seconds: float, workers: int) -> tuple[float, float]:
    """Matches per second of wall clock, and per second of this process's CPU, without a store.

    The clock starts some time after all workers are ready, and stops with the last match handed out.
    """
    stream = plans(game)
    ended = first = 0
    here = began = cpu = 0.0

    def source(room: int) -> list[MatchPlan]:
        if began and time.perf_counter() - began > seconds:
            return []
        return [next(stream) for _ in range(room)]

    def sink(episodes: list[Episode]) -> None:
        nonlocal ended, here, began, cpu, first
        ended += len(episodes)
        now = time.perf_counter()
        if not here and len(runner.workers()) == workers:
            here = now
        if here and not began and now - here > WARM:
            began, cpu, first = now, time.process_time(), ended

    asyncio.run(runner.run(source, sink))
    return (ended - first) / (time.perf_counter() - began), (ended - first) / (time.process_time() - cpu)


def stored_rate(runner: Runner, game: str, matches: int) -> tuple[float, float]:
    """Like `rate`, for a run that stores every match durably in SQLite."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/bench.db") as store:
        run = store.start_run("bench", {})
        stream = plans(game)
        store.plan(run, [PlannedMatch(i, 0, f"p{i // 2}", next(stream)) for i in range(matches)])
        began, cpu = time.perf_counter(), time.process_time()
        asyncio.run(PlanWorker(store, run, runner, lambda results: None).run())
        assert store.counts(run).finished == matches
        return matches / (time.perf_counter() - began), matches / (time.process_time() - cpu)


def main() -> None:
    """Print one table per kind of work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0, help="for each figure; about 20 times as long in all")
    parser.add_argument("--workers", default="1,2,4")
    options = parser.parse_args()
    import ray

    counts = [int(n) for n in options.workers.split(",")]
    ray.init(num_cpus=max(counts), include_dashboard=False, object_store_memory=256 << 20, logging_level="ERROR")
    print(machine_line("ray"))
    for label, (game, a, b) in WORK.items():
        make = partial(TournamentPlayers, config(game, a, b))
        rows = [measured("one process", LocalRunner(make().players), game, options.seconds, 0)]
        for n in counts:
            runner = RayRunner(WorkerSpec(make), RayConfig(actors=n))
            rows.append(measured(f"{n} worker{'s' * (n > 1)}", runner, game, options.seconds, n))
            runner.close()
        alone = rows[0][1]
        print(f"\n{label}")
        head = ["who plays", "matches/s", "over one process", "per CPU s of the driver", "stored", "stored per CPU s"]
        print(table(head, [[r[0], r[1], r[1] / alone, *r[2:]] for r in rows]), flush=True)


def measured(name: str, runner: Runner, game: str, seconds: float, workers: int) -> list[Any]:
    """One row."""
    wall, driver = rate(runner, game, seconds, workers)
    return [name, wall, driver, *stored_rate(runner, game, max(100, int(wall * seconds / 2)))]


if __name__ == "__main__":
    assert Path("pyproject.toml").exists(), "run it in the checkout"
    main()
