"""How many real matches rank players of increasing search depth, by the pairing of ladder.toml and others.

The same players, games and stop rule, checked in plan order with one match in flight, so that no match is wasted. The
final board shows whether the order is correct, and whether each 95% interval of the batch fit is apart from the next.

    .venv/bin/python scripts/bench/ladder.py [--pairings "rank-all(batch=4)" round-robin] [--seeds 3] [--apart]
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path

from _bench import cpu_seconds, machine_line, table

from league.config.tournament import load_tournament
from league.tournament.run import run_tournament

FILE = Path(__file__).parents[1] / "examples" / "ladder.toml"
LADDER = ("mcts-1000", "mcts-100", "mcts-10", "random")


def climb(pairing: str, seed: int, db: str, changes: Mapping[str, object]) -> list[object]:
    """One tournament: matches, the final batch fit, CPU seconds."""
    before = cpu_seconds()
    config = load_tournament(FILE, name=f"ladder {pairing} {seed}", db=db, pairing=pairing, seed=seed, **changes)
    snapshot = run_tournament(config, FILE, board="off").snapshot
    rows = sorted(snapshot.standings, key=lambda row: -(row.bt_rating or 0.0))
    right = "yes" if tuple(row.player for row in rows) == LADDER else ", ".join(row.player for row in rows)
    ranges = " ".join(f"{row.rank_low}-{row.rank_high}" for row in rows)
    fits = " ".join(f"{row.bt_rating:.0f} [{row.bt_low:.0f}, {row.bt_high:.0f}]" for row in rows)
    apart = all((a.bt_low or 0.0) > (b.bt_high or 0.0) for a, b in itertools.pairwise(rows))
    yes = "yes" if apart else "no"
    return [pairing, seed, snapshot.matches.finished, right, ranges, fits, yes, cpu_seconds() - before]


def main() -> None:
    """Print a row for each tournament and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairings", nargs="+", default=["rank-all(batch=4)", "round-robin"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--keep", help="a database for the matches; default: none is kept")
    parser.add_argument("--apart", action="store_true", help="until every 95%% interval is above the next one's")
    given = parser.parse_args()
    changes = {"stop": {"apart": True, "every": 4}} if given.apart else {}
    print(machine_line("open_spiel"))
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{given.keep or Path(folder) / 'ladder.db'}"
        for seed in range(1, given.seeds + 1):
            rows += [climb(pairing, seed, db, changes) for pairing in given.pairings]
    head = ["pairing", "seed", "matches", "true order", "rank ranges", "batch fit", "intervals apart", "s"]
    print(table(head, sorted(rows, key=lambda row: given.pairings.index(str(row[0])))))
    for pairing in given.pairings:
        matches = [int(str(row[2])) for row in rows if row[0] == pairing]
        print(f"{pairing}: {statistics.median(matches):g} matches in the median, {sorted(matches)}")


if __name__ == "__main__":
    main()
