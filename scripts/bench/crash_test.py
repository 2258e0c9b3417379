#!/usr/bin/env python
"""Kill a tournament with SIGKILL repeatedly, resume it each time, and compare it with an uninterrupted one.

Prints how many results were lost, counted twice or changed (all should be 0), and whether the final standings are
identical.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

FILE = """
name = "crash"
db = "sqlite:///{db}"
games = ["openspiel/connect_four", "openspiel/kuhn_poker"]
rounds = {rounds}
concurrency = 16
seed = 11
[[players]]
name = "mcts-50"
player = "mcts(simulations=50)"
[[players]]
name = "mcts-10"
player = "mcts(simulations=10)"
[[players]]
name = "random-1"
player = "random"
[[players]]
name = "random-2"
player = "random"
"""
MATCHES_PER_ROUND = 2 * 6 * 2


@dataclass
class Outcome:
    """The outcome of a tournament that was killed and resumed."""

    matches: int
    kills: int
    moments: list[int]
    """results in the store at each kill"""
    lost: int
    doubled: int
    changed: int
    identical: bool

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or changed and the standings are equal."""
        return self.identical and not (self.lost or self.doubled or self.changed)


def _start(file: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "arena.cli.main", "tournament", str(file), "--board", "off"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _results(db: Path) -> dict[str, tuple[object, ...]]:
    """match -> its result without the time it took."""
    if not db.exists():
        return {}
    with closing(sqlite3.connect(db, timeout=30)) as connection:
        rows = connection.execute('SELECT match, "index", status, seats, seed FROM results').fetchall()
    return {row[0]: row[1:] for row in rows}


def _wait_for(db: Path, results: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the store holds this many results or the process ends."""
    while process.poll() is None:
        try:
            with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True, timeout=30)) as connection:
                if connection.execute("SELECT count(*) FROM results").fetchone()[0] >= results:
                    return
        except sqlite3.OperationalError:
            pass  # not created yet
        finally:
            time.sleep(0.002)


def _standings(db: Path) -> object:
    command = [sys.executable, "-m", "arena.cli.main", "board", "--db", f"sqlite:///{db}", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found["standings"], found["matches"]  # without the worker


def _run_through(file: Path) -> None:
    process = _start(file)
    _, error = process.communicate()
    if process.returncode:
        raise SystemExit(error.decode())


def crash(folder: Path, matches: int, kills: int, seed: int) -> Outcome:
    """Play one tournament with `kills` kills and one without, in `folder`."""
    rng = random.Random(seed)
    rounds = max(1, round(matches / MATCHES_PER_ROUND))
    files = {}
    for name in ("through", "killed"):
        files[name] = folder / f"{name}.toml"
        files[name].write_text(FILE.format(db=folder / f"{name}.db", rounds=rounds))
    _run_through(files["through"])
    planned = rounds * MATCHES_PER_ROUND

    db = folder / "killed.db"
    seen: dict[str, tuple[object, ...]] = {}
    lost = changed = 0
    moments = []
    for _ in range(kills):
        process = _start(files["killed"])
        # After a random number of new results, anywhere inside the next batch.
        _wait_for(db, min(len(seen) + rng.randint(0, 2 * planned // kills), planned), process)
        time.sleep(rng.uniform(0, 0.02))
        process.kill()
        process.communicate()
        now = _results(db)
        lost += len(seen.keys() - now.keys())
        changed += sum(seen[m] != now[m] for m in seen.keys() & now.keys())
        seen = now
        moments.append(len(now))
    _run_through(files["killed"])
    with closing(sqlite3.connect(db)) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM results").fetchone()
        intact = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    final, reference = _results(db), _results(folder / "through.db")
    changed += sum(final[m] != reference.get(m) for m in final)
    identical = intact and _standings(db) == _standings(folder / "through.db")
    return Outcome(len(reference), kills, moments, lost, rows - len(final), changed, identical)


def main() -> int:
    """Print the outcome; exit code 1 if anything was lost, doubled or changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = crash(Path(folder), options.matches, options.kills, options.seed)
    print(f"{outcome.matches:,} matches, killed {outcome.kills} times at {outcome.moments} results in the store")
    print(f"lost {outcome.lost}, doubled {outcome.doubled}, changed {outcome.changed}")
    print(f"final standings {'identical to' if outcome.identical else 'DIFFERENT from'} an uninterrupted run")
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    sys.exit(main())
