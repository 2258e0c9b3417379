"""Attacks games and writes, for each role, honest, competent and the best policies, as JSON beside this script.

python scripts/bench/attack.py taboo search --budget 20000
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import msgspec
from _bench import machine_line

from arena.attack import attack, report_lines

OUT = Path(__file__).with_suffix(".json")
GAMES = ("taboo", "search", "refine", "redteam", "code-io", "math-duel", "pragmatic", "psj", "tax")


def main() -> None:
    """Attack each game and add it to the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--budget", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for game in options.games:
        start = time.process_time()
        report = attack(game, budget=options.budget, seed=options.seed)
        row = msgspec.to_builtins(report) | {"cpu_seconds": round(time.process_time() - start, 1)}
        print("\n".join(report_lines(report)), f"CPU {row['cpu_seconds']} s\n", sep="\n", flush=True)
        table = json.loads(OUT.read_text()) if OUT.exists() else {"games": {}}
        table |= {"machine": machine_line()}
        table["games"][report.game] = row
        OUT.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
