#!/usr/bin/env python
"""Processes play one tournament and are killed with SIGKILL repeatedly: one on SQLite, several on PostgreSQL.

Each kill hits one process at a random moment; a new process replaces it. Prints how many results were lost, written
twice or changed (all should be 0), and whether results and standings equal those of one process that nobody killed.

    .venv/bin/python scripts/bench/crash_workers.py
    .venv/bin/python scripts/bench/crash_workers.py --db postgresql+psycopg://me@host/empty_database --workers 8
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from games import InputError
from league.store import Store

FILE = """
name = "crash"
db = "{db}"
games = ["openspiel/connect_four", "openspiel/kuhn_poker"]
rounds = {rounds}
concurrency = 16
seed = 11
[[players]]
name = "mcts-20"
player = "mcts(simulations=20)"
[[players]]
name = "mcts-5"
player = "mcts(simulations=5)"
[[players]]
name = "random-1"
player = "random"
[[players]]
name = "random-2"
player = "random"
"""
MATCHES_PER_ROUND = 2 * 6 * 2
COMMAND = "import sys; from league.store import store; store.LEASE_SECONDS = {lease}; from arena.cli import main; "
COMMAND += "sys.exit(main(['tournament', {file!r}, '--board', 'off']))"


@dataclass
class Outcome:
    """The outcome of a tournament whose workers were killed."""

    matches: int
    kills: int = 0
    lost: int = 0
    """matches without a result at the end, and results that were there before a kill and not after it"""
    doubled: int = 0
    changed: int = 0
    """results that differ from those of one uninterrupted process"""
    identical: bool = False
    """the standings"""
    workers: dict[str, int] = field(default_factory=dict)
    """results by the process that played them"""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or changed and the standings are equal."""
        return self.identical and not (self.lost or self.doubled or self.changed)


class Crew:
    """Processes of one run; each killed one is replaced."""

    def __init__(self, file: Path, size: int, lease: float) -> None:
        self._command = [sys.executable, "-c", COMMAND.format(file=str(file), lease=lease)]
        self.alive = [self._start() for _ in range(size)]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.alive:
            if process.returncode is None:
                process.kill()
                process.communicate()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def kill(self, which: int) -> bool:
        """Kill one process and start another. Returns False if it had ended by itself."""
        victim = self.alive[which]
        victim.kill()
        _, error = victim.communicate()
        if victim.returncode > 0:
            raise RuntimeError(error.decode())
        self.alive[which] = self._start()
        return victim.returncode < 0

    def join(self) -> None:
        """Wait for all."""
        for process in self.alive:
            _, error = process.communicate()
            if process.returncode:
                raise RuntimeError(f"exit code {process.returncode}: {error.decode()}")


def results(db: str) -> tuple[dict[str, tuple[object, ...]], int, dict[str, int]]:
    """match -> its result without time and worker; the number of rows; results by worker."""
    try:
        with Store.open(db, read_only=True) as store:
            rows = store.results(store.run())
    except InputError:
        return {}, 0, {}  # not created yet
    found: dict[str, tuple[object, ...]] = {r.match: (r.index, r.status, r.seats, r.seed) for r in rows}
    return found, len(rows), dict(Counter(r.worker for r in rows))


def standings(db: str) -> object:
    """The output of `arena board --json` without the workers."""
    command = [sys.executable, "-m", "arena", "board", "--db", db, "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found["standings"], found["matches"]


def crash(db: str, folder: Path, *, workers: int, kills: int, matches: int, seed: int, lease: float) -> Outcome:
    """Play one tournament with `kills` kills in `db`, an empty database, and one without them in `folder`."""
    rng = random.Random(seed)
    rounds = max(1, round(matches / MATCHES_PER_ROUND))
    planned = rounds * MATCHES_PER_ROUND
    files = {}
    for name, url in (("through", f"sqlite:///{folder}/through.db"), ("killed", db)):
        files[name] = folder / f"{name}.toml"
        files[name].write_text(FILE.format(db=url, rounds=rounds))
    with Crew(files["through"], 1, lease) as alone:
        alone.join()
    reference, _, _ = results(f"sqlite:///{folder}/through.db")

    outcome = Outcome(planned)
    began = time.perf_counter()
    seen: dict[str, tuple[object, ...]] = {}
    with Crew(files["killed"], workers, lease) as crew:
        for n in range(kills):
            goal = int(planned * (n + rng.random()) / (kills + 1))
            while len(now := results(db)[0]) < goal and any(p.poll() is None for p in crew.alive):
                time.sleep(0.05)
            time.sleep(rng.uniform(0, 0.1))
            outcome.kills += crew.kill(rng.randrange(workers))
            outcome.lost += len(seen.keys() - now.keys())
            outcome.changed += sum(now[m] != seen[m] for m in seen.keys() & now.keys())
            seen = now
        crew.join()
    outcome.seconds = time.perf_counter() - began
    final, rows, outcome.workers = results(db)
    outcome.lost += planned - len(final)
    outcome.doubled = rows - len(final)
    outcome.changed += sum(final[m] != reference.get(m) for m in final)
    outcome.identical = standings(db) == standings(f"sqlite:///{folder}/through.db")
    return outcome


def main() -> int:
    """Print the outcome; exit code 1 if anything was lost, doubled or changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", help="an empty PostgreSQL database; default: a SQLite file, for one process")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lease", type=float, default=20.0, help="seconds after which a dead worker's match is free")
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = o.db or f"sqlite:///{folder}/killed.db"
        found = crash(db, Path(folder), workers=o.workers, kills=o.kills, matches=o.matches, seed=o.seed, lease=o.lease)
    print(f"{found.matches:,} matches by {o.workers} processes, {found.kills} of them killed, {found.seconds:.0f} s")
    print(f"results by process: {sorted(found.workers.values(), reverse=True)}")
    print(f"lost {found.lost}, doubled {found.doubled}, changed {found.changed}")
    same = "identical to" if found.identical else "DIFFERENT from"
    print(f"final standings {same} those of a process that nobody killed")
    return 0 if found.ok else 1


if __name__ == "__main__":
    sys.exit(main())
