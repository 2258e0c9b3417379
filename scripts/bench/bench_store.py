"""Durable results per second of the store, next to a bare sqlite3 executemany of the same bytes.

Both write WAL with synchronous=FULL: when a batch returns, it survives a power failure. The store also summarises and
compresses each episode, checks that the match was planned and not finished before, decides its pairing, and releases
its lease; the bare column receives finished rows. `league` is a whole cycle of lease and finish. With --postgres the
same runs on a server, whose database is emptied, and with several processes that lease from one run.

    .venv/bin/python scripts/bench/bench_store.py [--matches 4096] [--postgres postgresql+psycopg://me@host/empty_database]

A `finish` on PostgreSQL is nine statements, each a round trip, so batches matter more than on SQLite. Writers of one
run wait for each other, because its numbers have no gap: more processes play more, they do not write more.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _claims import Claim, record
from sqlalchemy import create_engine, text

from arena.match import Decision, Episode, MatchPlan, Sample, Turn
from games.randomness import RandomStream, derive
from league.records.matches import PlannedMatch
from league.store import Store, log

Entry = tuple[PlannedMatch, Episode]
KUHN = {"payoff": "zero_sum", "seats": ["player_0", "player_1"], "stakes": True}
SETTINGS = {"ratings": {}, "plays": {}, "rated": {"openspiel/kuhn_poker": KUHN}}
"""a game that is rated by pairing: the dearest to decide"""


def entry(index: int, turns: int, tokens: int) -> Entry:
    """A planned match and its episode; `tokens` > 0 adds prompt and completion tokens per turn."""
    rng = RandomStream(derive(index, "bench"))
    seats = {"player_0": "alice", "player_1": "bob"}
    match = MatchPlan(f"{derive(index, 'id'):016x}", "openspiel/kuhn_poker", rng.bits() >> 1, seats)
    played = []
    for t in range(turns):
        seat = f"player_{t % 2}"
        sample = None
        if tokens:
            ids = tuple(rng.below(49152) for _ in range(tokens))
            answer = tuple(rng.below(49152) for _ in range(tokens // 4))
            sample = Sample(ids, answer, tuple(-rng.random() for _ in answer))
        played.append(Turn(seat, "player", "play", seats[seat], "Bet", (Decision("Bet", sample=sample),), 1e-3))
    roles = dict.fromkeys(seats, "player")
    returns = {"player_0": 1.0, "player_1": -1.0}
    episode = Episode(match.id, match.game, match.seed, seats, roles, tuple(played), returns, "finished", seconds=0.01)
    return PlannedMatch(index, index // 2, f"pairing-{index // 2}", match), episode


def emptied(url: str) -> str:
    """A PostgreSQL database without tables."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


def filled(path: Path | str, entries: list[Entry]) -> tuple[Store, Any]:
    """A store with the plan written."""
    store = Store.open(str(path))
    run = store.start_run("bench", SETTINGS)
    store.plan(run, [planned for planned, _ in entries])
    return store, run


def finish_rate(path: Path | str, entries: list[Entry], batch: int) -> float:
    """Results per second through `finish` alone."""
    store, run = filled(path, entries)
    with store:
        start = time.perf_counter()
        for i in range(0, len(entries), batch):
            store.finish(entries[i : i + batch])
        seconds = time.perf_counter() - start
        assert store.counts(run).finished == len(entries)
    return len(entries) / seconds


def cycle_rate(path: Path | str, entries: list[Entry], batch: int) -> float:
    """Results per second if each batch is leased, then finished."""
    episodes = {planned.index: episode for planned, episode in entries}
    store, run = filled(path, entries)
    with store:
        start = time.perf_counter()
        while leased := store.lease(run, "bench", batch):
            store.finish([(planned, episodes[planned.index]) for planned, _ in leased])
        seconds = time.perf_counter() - start
        assert store.counts(run).finished == len(entries)
    return len(entries) / seconds


def bare_rate(path: Path, entries: list[Entry], batch: int) -> float:
    """Rows per second of a bare executemany of the same bytes into two tables."""
    packed = log.pack(entries)
    rows = [[*p.row.values(), 1, i, p.content] for i, p in enumerate(packed)]
    blobs = [(p.result.match, p.data) for p in packed]
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    names = [*packed[0].row, "run", "seq", "digest"]
    columns = ", ".join(f'"{name}"' + (" TEXT PRIMARY KEY" if name == "match" else "") for name in names)
    connection.execute(f"CREATE TABLE results ({columns})")
    connection.execute("CREATE TABLE episodes (match TEXT PRIMARY KEY, data BLOB)")
    insert = f"INSERT INTO results VALUES ({', '.join('?' * len(names))})"
    start = time.perf_counter()
    for i in range(0, len(rows), batch):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(insert, rows[i : i + batch])
        connection.executemany("INSERT INTO episodes VALUES (?, ?)", blobs[i : i + batch])
        connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    connection.close()
    return len(rows) / seconds


def take_part(url: str, turns: int, tokens: int, batch: int, go: Any) -> None:
    """One of several processes of a run: lease and finish until nothing is left."""
    with Store.open(url) as store:
        run = store.run()
        go.wait()
        while leased := store.lease(run, f"worker {os.getpid()}", batch):
            store.finish([(planned, entry(planned.index, turns, tokens)[1]) for planned, _ in leased])


def shared_rate(url: str, entries: list[Entry], turns: int, tokens: int, batch: int, processes: int) -> float:
    """Results per second of several processes together, including the creation of episodes."""
    filled(url, entries)[0].close()
    context = multiprocessing.get_context("spawn")
    go = context.Barrier(processes + 1)
    workers = [context.Process(target=take_part, args=(url, turns, tokens, batch, go)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    go.wait()
    start = time.perf_counter()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - start
    with Store.open(url, read_only=True) as store:
        assert store.counts(store.run()).finished == len(entries)
    return len(entries) / seconds


def main() -> None:
    """Print one table per kind of episode."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=4096)
    parser.add_argument("--folder", default=None, help="where the files are made; default: the temporary folder")
    parser.add_argument("--postgres", default=None, metavar="URL", help="an empty database of a server")
    parser.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    arguments = parser.parse_args()
    claims = []
    print(machine_line())
    for label, turns, tokens, share in (("4 turns, bots", 4, 0, 1), ("8 turns, 160 tokens each", 8, 160, 4)):
        entries = [entry(i, turns, tokens) for i in range(arguments.matches // share)]
        size = sum(len(p.data) for p in log.pack(entries)) / len(entries)
        rows = []
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            for batch in (1, 16, 64, 256):
                some = entries[: 16 * 64] if batch == 1 else entries
                path = Path(folder, str(batch))
                ours = finish_rate(path.with_suffix(".ours"), some, batch)
                league = cycle_rate(path.with_suffix(".league"), some, batch)
                bare = bare_rate(path.with_suffix(".bare"), some, batch)
                rows.append([batch, f"{ours:,.0f}", f"{league:,.0f}", f"{bare:,.0f}", f"{ours / bare:.2f}"])
                if batch in (1, 64):
                    words = f"results stored per second over bare sqlite3, batches of {batch} ({label})"
                    claims.append(Claim(words, f"{ours / bare:.2f}", "one measurement"))
                if url := arguments.postgres:
                    theirs = [finish_rate(emptied(url), some, batch), cycle_rate(emptied(url), some, batch)]
                    theirs += [shared_rate(emptied(url), some, turns, tokens, batch, n) for n in (1, 4)]
                    rows[-1] += [f"{rate:,.0f}" for rate in theirs]
        print(f"\n{label}; {size:,.0f} bytes per stored episode; results/s, each batch durable")
        head = ["batch", "finish", "lease + finish", "bare sqlite3", "finish / bare"]
        if arguments.postgres:
            head += ["PostgreSQL finish", "lease + finish", "1 process", "4 processes"]
        print(table(head, rows))
    if arguments.record:
        record(claims)


if __name__ == "__main__":
    main()
