"""CPU time of the standings of a large stored run: reading its rows, counting them, fitting the skills.

    .venv/bin/python scripts/bench/bench_standings.py [--results 1000000] [--players 32] [--db FILE]

A tournament of random players is played first; a million matches take a few minutes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from _bench import cpu_seconds, machine_line, table

from arena.gc_thresholds import rare_collections
from league import run_tournament
from league.config.tournament import parse_tournament
from league.outcomes.table import OutcomeTable
from league.ratings.comparisons import CountTable
from league.runs.ratings import ratings_for
from league.store import Run, Store


def main() -> None:
    """Fill a store, then read, count and fit; print the times."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--results", type=int, default=1_000_000)
    options.add_argument("--players", type=int, default=32)
    options.add_argument("--db", help="keep the database in this file, and use it if it exists")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(given.db or Path(folder) / "standings.db")
        if not path.exists():
            fill(path, given.results, given.players)
        print(machine_line("numpy"), flush=True)
        with Store.open(f"sqlite:///{path}", read_only=True) as store:
            print(measure(store, store.run(None)))


def fill(path: Path, results: int, players: int) -> None:
    """Play a round-robin with at least this many matches."""
    given = [{"name": f"bot-{i:02d}", "player": "random"} for i in range(players)]
    file = {"name": "standings", "db": f"sqlite:///{path}", "games": ["openspiel/tic_tac_toe"], "players": given}
    rounds = -(-results // (players * (players - 1)))
    run_tournament(parse_tournament({**file, "rounds": rounds, "seed": 1}), board="off")


def measure(store: Store, run: Run) -> str:
    """The table of times, in CPU seconds."""
    times = [cpu_seconds()]
    with rare_collections():
        outcomes = OutcomeTable(run.spec.games)
        outcomes.extend(store.log(run).columns())
        rows = outcomes.rows()
        times.append(cpu_seconds())
        CountTable(run.spec.games, list(run.spec.plays), outcomes).counts()
        times.append(cpu_seconds())
        ratings = ratings_for(run.spec)
        ratings.fill(store.log(run))
        ratings.final(run.name, store.counts(run))
        times.append(cpu_seconds())
    steps = ["columns of SQLite, seats, repeats", "counts", "all again, with tallies, fit and tables"]
    spent = [[step, after - before] for step, before, after in zip(steps, times, times[1:], strict=False)]
    return table(["", "CPU s"], [*spent, [f"{len(rows.index):,} matches", times[-1] - times[0]]])


if __name__ == "__main__":
    main()
