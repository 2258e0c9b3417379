"""Time and memory of tables rebuilt from a store, and how they grow with players and results.

Each player has 40 opponents. The store is made first, row by row in its own tables but without episodes, and removed
afterwards: 10 million results take 10 GB of disk. Its figures are those of `arena rebuild`, which reads every result,
checks its outcome and computes all tables. Reading and folding share two cores.

    .venv/bin/python scripts/bench/bench_rebuild.py [--results 100000 1000000] [--players 1000 10000] [--record]
    .venv/bin/python scripts/bench/bench_rebuild.py --players 10000 --results 10000000 --store FILE    keeps the store

With --store, a file for each league in order; one that exists is taken as it is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _bench import cpu_seconds, machine_line, table
from _claims import Claim, record
from sqlalchemy import create_engine

from league.records.matches import SeatResult, to_json
from league.runs.rebuild import compute_again
from league.store import Store, columns

GAME = "openspiel/tic_tac_toe"
OPPONENTS, BATCH = 20, 100_000
PLAN = ("run", "index", "round", "pairing", "match", "game", "seed", "seats")
RESULT = ("run", "index", "round", "pairing", "match", "game", "seed", "status", "reason", "seconds", "seats")
RESULT = (*RESULT, "transcript", "ranks", "seq", "digest")


def filled(path: Path, players: int, results: int) -> None:
    """Write a run of pairings of two matches each, between players whose skills differ by one beta."""
    names = [f"p{i:05d}" for i in range(players)]
    info = {"payoff": "zero_sum", "seats": ["player_0", "player_1"], "chance": False}
    settings = {"ratings": {}, "plays": {name: [GAME] for name in names}, "rated": {GAME: info}}
    with Store.open(str(path), synchronous="NORMAL") as store:
        run = store.start_run("rebuilt", settings).id
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    for name, kept in (("plan", PLAN), ("results", RESULT)):
        listed = ", ".join(f'"{column}"' for column in kept)
        insert = f"INSERT INTO {name} ({listed}) VALUES ({', '.join('?' * len(kept))})"
        rows = ([row[column] for column in kept] for row in _rows(run, names, results))
        while some := list(islice(rows, BATCH)):
            connection.execute("BEGIN")
            connection.executemany(insert, some)
            connection.execute("COMMIT")
    connection.close()
    with create_engine(f"sqlite:///{path}").begin() as writing:
        columns.fill(writing, run, results)  # in a league, each with the last of its results


def _rows(run: int, names: list[str], results: int) -> Iterator[dict[str, Any]]:
    rng, n, texts = np.random.default_rng(1), len(names), dict[tuple[int, int, int], str]()
    skill = rng.normal(size=n)
    for start in range(0, results, BATCH):
        size = min(BATCH, results - start) // 2
        a = rng.integers(0, n, size)
        b = (a + rng.integers(1, OPPONENTS + 1, size)) % n
        first, second = (np.stack(both, 1).ravel().tolist() for both in ((a, b), (b, a)))
        gaps = skill[first] - skill[second] + rng.normal(0.0, 2**0.5, 2 * size)
        won = np.where(np.abs(gaps) < 0.1, 0, np.sign(gaps)).astype(int).tolist()
        seeds, played = (rng.integers(1, 1 << 31, 2 * size).tolist() for _ in range(2))
        for k, one in enumerate(zip(first, second, won, strict=True)):
            i = start + k
            if one not in texts:
                ends = zip(("player_0", "player_1"), one[:2], (float(one[2]), -float(one[2])), strict=True)
                texts[one] = to_json([SeatResult(seat, seat, names[p], score, turns=4) for seat, p, score in ends])
            cell = (one[0] * n + one[1]) % (1 << 31)
            yield {
                "run": run, "index": i, "round": i // BATCH, "pairing": f"q{i // 2}", "match": f"{i:016x}",
                "game": GAME, "seed": seeds[k - k % 2], "status": "finished", "reason": "", "seconds": 0.01,
                "seats": texts[one], "transcript": cell << 32 | played[k], "seq": i + 1, "digest": bytes(32),
                "ranks": ("[[1,0]]", "[[0,0]]", "[[0,1]]")[one[2] + 1],
            }  # fmt: skip


def _measured(path: str, pipe: Any) -> None:
    with Store.open(path) as store:
        run = store.run()
        before, start = cpu_seconds(), perf_counter()
        board, wrong = compute_again(store, run)
        seconds, cpu = perf_counter() - start, cpu_seconds() - before
    assert not wrong
    assert all(row.rank for row in board.standings)
    pipe.send((cpu, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20))


def measured(players: int, results: int, store: Path | None) -> list[object]:
    """A line of the table: CPU and other seconds and GB of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = store or Path(folder, "rebuilt.db")
        if not path.exists():
            filled(path, players, results)
        pipe, end = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(target=_measured, args=(str(path), end))
        process.start()
        end.close()
        figures = pipe.recv()
        process.join()
    return [players, results, *figures]


def main() -> None:
    """Print a line per league."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--results", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--store", type=Path, nargs="+", default=[], help="where the store of each league stays")
    parser.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    args = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    leagues = [(players, results) for players in args.players for results in args.results]
    rows = [measured(*league, store) for league, store in zip_longest(leagues, args.store)]
    head = ["players", "results", "CPU s", "s", "GB"]
    print(table(head, rows))
    if args.record:
        text = "tables rebuilt from a store of {:,} players and {:,} results: CPU seconds, seconds, memory"
        figures = [(text.format(*row[:2]), f"{row[2]:.1f} CPU s, {row[3]:.1f} s, {row[4]:.2f} GB") for row in rows]
        record([Claim(*figure, "one measurement") for figure in figures], "numpy", "scipy", local="--store")


if __name__ == "__main__":
    main()
