#!/usr/bin/env python
"""A league gains players and a game while several processes play it and are killed with SIGKILL.

Three players and a game join at random moments: one player by the file that a restarted process reads, the others by
what `arena add` does. Each kill hits one process at a random moment; a new process replaces it. Prints how many results
were lost, written twice or changed (all should be 0), whether `arena verify` finds every stored match right, and
whether results and standings equal those of one process that has the same changes in its plan from the start.

    .venv/bin/python scripts/bench/crash_league.py --db postgresql+psycopg://me@host/empty_database
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from crash_workers import Crew, Outcome, results, standings

from league.store import Store
from league.tournament.roster_command import Additions, add
from league.verify import verify

FILE = """
name = "league"
db = "{db}"
games = ["openspiel/kuhn_poker"]
pairing = "{pairing}"
rounds = {rounds}
concurrency = 16
seed = 11
"""
PLAYER = '[[players]]\nname = "{name}"\nplayer = "{player}"\n'
START = {"mcts-20": "mcts(simulations=20)", "mcts-5": "mcts(simulations=5)", "random-1": "random", "random-2": "random"}
LATER = ("mcts-40", "mcts(simulations=40)")
"""the player that joins by the file"""


@dataclass
class LeagueOutcome(Outcome):
    """The outcome of a league that grew while its workers were killed."""

    changes: list[str] = field(default_factory=list)
    """what joined, and from which match on"""
    wrong: int = 0
    """what `arena verify` found"""
    replayed: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or changed, every match is right and the standings are equal."""
        return super().ok and not self.wrong and self.replayed == self.matches


def write_file(path: Path, db: str, pairing: str, rounds: int, players: dict[str, str]) -> None:
    """Write the league's file."""
    text = FILE.format(db=db, pairing=pairing, rounds=rounds)
    path.write_text(text + "".join(PLAYER.format(name=n, player=p) for n, p in players.items()))


def reference(db: str, folder: Path, file: Path, pairing: str, rounds: int, lease: float) -> str:
    """Play the same plan with one process: a new store whose settings have all changes before its first match."""
    again = f"sqlite:///{folder}/again.db"
    with Store.open(db, read_only=True) as store:
        settings = store.run().settings
    with Store.open(again) as store:
        store.start_run("league", settings)
    write_file(file, again, pairing, rounds, START)
    with Crew(file, 1, lease) as alone:
        alone.join()
    return again


def grow(
    db: str, folder: Path, *, workers: int, kills: int, rounds: int, seed: int, lease: float, pairing: str
) -> LeagueOutcome:
    """Play a league in `db`, an empty database, with `kills` kills and four changes, and once more without kills."""
    rng = random.Random(seed)
    file = folder / "league.toml"
    write_file(file, db, pairing, rounds, START)
    changes: list[Callable[[], object]] = [
        lambda: add(db, None, Additions("random-3", "random")),
        lambda: write_file(file, db, pairing, rounds, START | dict([LATER])),
        lambda: add(db, None, Additions(games=("openspiel/leduc_poker",))),
        lambda: add(db, None, Additions("mcts-80", "mcts(simulations=80)")),
    ]
    events: list[tuple[float, Callable[[], object] | None]] = [(rng.uniform(0.1, 0.6), one) for one in changes]
    moments = [0.7, *(rng.uniform(0.05, 0.95) for _ in range(kills - 1))]
    # A kill follows the edit of the file, because the process that replaces the killed one reads it.
    events += [(moment, None) for moment in moments]
    events.sort(key=lambda event: event[0])
    outcome = LeagueOutcome(0)
    first = rounds * 12
    seen: dict[str, tuple[object, ...]] = {}
    began = time.perf_counter()
    with Crew(file, workers, lease) as crew:
        for share, change in events:
            while len(now := results(db)[0]) < share * first and any(p.poll() is None for p in crew.alive):
                time.sleep(0.05)
            outcome.lost += len(seen.keys() - now.keys())
            outcome.changed += sum(now[m] != seen[m] for m in seen.keys() & now.keys())
            seen = now
            if change is not None:
                change()
            else:
                time.sleep(rng.uniform(0, 0.1))
                outcome.kills += crew.kill(rng.randrange(workers))
        crew.join()
    outcome.seconds = time.perf_counter() - began
    final, rows, outcome.workers = results(db)
    with Store.open(db, read_only=True) as store:
        run = store.run()
        planned = {p.match.id: p for p in store.planned(run)}
        outcome.changes = [f"{', '.join((*c.joined, *c.games))} from match {c.index:,} on" for c in run.spec.changes]
    (checked,) = verify(db)
    outcome.matches, outcome.wrong, outcome.replayed = len(planned), checked.wrong, checked.replayed
    outcome.lost += len(planned.keys() - final.keys())
    outcome.doubled = rows - len(final)
    again = reference(db, folder, file, pairing, rounds, lease)
    right = results(again)[0]
    outcome.changed += sum(final.get(m) != right.get(m) for m in final.keys() | right.keys())
    outcome.identical = standings(db) == standings(again)
    return outcome


def main() -> int:
    """Print the outcome; exit code 1 if anything was lost, doubled, changed or wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", required=True, help="an empty PostgreSQL database, or with --workers 1 a SQLite file")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--pairing", default="round-robin")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lease", type=float, default=20.0, help="seconds after which a dead worker's match is free")
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = grow(
            o.db,
            Path(folder),
            workers=o.workers,
            kills=o.kills,
            rounds=o.rounds,
            seed=o.seed,
            lease=o.lease,
            pairing=o.pairing,
        )
    print(f"{found.matches:,} matches by {o.workers} processes, {found.kills} of them killed, {found.seconds:.0f} s")
    print(f"joined: {'; '.join(found.changes)}")
    print(f"results by process: {sorted(found.workers.values(), reverse=True)}")
    print(f"lost {found.lost}, doubled {found.doubled}, changed {found.changed}")
    print(f"verified {found.replayed:,} matches, {found.wrong} things are wrong")
    same = "identical to" if found.identical else "DIFFERENT from"
    print(f"final standings {same} those of one process with the same plan from the start")
    return 0 if found.ok else 1


if __name__ == "__main__":
    sys.exit(main())
