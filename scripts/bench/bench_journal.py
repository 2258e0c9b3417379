#!/usr/bin/env python
"""What the journal of a run costs where it weighs most: CPU time of a tournament of bots, with and without it.

Random players play Kuhn poker through the loop of a tournament (lease, play, finish) into a store of its own. Both
sides alternate in one process. The journal adds a row to transactions that are there anyway, so it waits for no disk
of its own, and CPU time depends less on the load of the machine. Prints the ratio of their times.

    .venv/bin/python scripts/bench/bench_journal.py [--matches 4000] [--repeats 7]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path
from unittest import mock

from _bench import cpu_seconds, machine_line, table

from arena.match import MatchPlan
from arena.players.bots.random import RandomPlayer
from arena.runner.local import LocalRunner
from league.records.matches import PlannedMatch
from league.store import Store, journal
from league.tournament.worker import PlanWorker

GAME = "openspiel/kuhn_poker"


def no_entry(*entry: object) -> None:
    """Takes the place of the functions that append an entry, with the digests that only it needs."""


def seconds(matches: int) -> float:
    """The CPU time of a run of so many matches, from its plan to its last result."""
    plan = [
        PlannedMatch(i, 0, f"p{i}", MatchPlan(f"m{i}", GAME, i, {"player_0": "a", "player_1": "b"}))
        for i in range(matches)
    ]
    with tempfile.TemporaryDirectory() as folder, Store.open(str(Path(folder, "s.db"))) as store:
        run = store.start_run("bench", {"seed": 1})
        runner = LocalRunner({"a": RandomPlayer(), "b": RandomPlayer()}, concurrency=32)
        start = cpu_seconds()
        store.plan(run, plan)
        asyncio.run(PlanWorker(store, run, runner, lambda results: None).run())
        spent = cpu_seconds() - start
        assert store.counts(run).finished == matches
    return spent


def main() -> None:
    """Print matches per CPU second of both sides, and the ratio of their times in each pair of runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=7)
    args = parser.parse_args()
    seconds(args.matches)  # imports and caches
    pairs = []
    for _ in range(args.repeats):
        chained = seconds(args.matches)
        with mock.patch.multiple(journal, add=no_entry, append=no_entry, extend=no_entry):
            pairs.append((chained, seconds(args.matches)))
    ratios = sorted(one / other for one, other in pairs)
    print(machine_line("sqlalchemy"))
    rates = [args.matches / statistics.median(side) for side in zip(*pairs, strict=True)]
    print(table(["journal", "matches per CPU second"], [["with", rates[0]], ["without", rates[1]]]))
    print(f"CPU time with / without: {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})")


if __name__ == "__main__":
    main()
