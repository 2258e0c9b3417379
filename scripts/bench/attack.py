"""Attacks games over several seeds and keeps honest, competent and the best policies of each role as JSON.

    python scripts/bench/attack.py taboo search --budget 20000 --seeds 3 --first 11
    python scripts/bench/attack.py --table        # the results as a table; no game is attacked

A game that is attacked replaces its entry in attack.json, which lies beside this script.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import msgspec
from _bench import machine_line, table

from arena.attack import AttackReport, attack, report_lines

OUT = Path(__file__).with_suffix(".json")
GAMES = ("taboo", "spy", "search", "refine", "redteam", "code-io", "math-duel", "pragmatic", "psj", "tax")


def main() -> None:
    """Attack each game and add it to the JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--budget", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    machine = machine_line()  # before the first game changes the JSON
    for game in () if options.table else options.games:
        runs = [_run(game, options.budget, seed) for seed in range(options.first, options.first + options.seeds)]
        results = json.loads(OUT.read_text()) if OUT.exists() else {"games": {}}
        results["games"][game] = {"machine": machine, "runs": runs}
        OUT.write_text(json.dumps(results, indent=1) + "\n")
    head = ("game", "role", "honest", "competent", "best that plays alone", "its share", "finds")
    print(table(head, list(_rows(json.loads(OUT.read_text())["games"]))))


def _run(game: str, budget: int, seed: int) -> dict[str, object]:
    start = time.process_time()
    report: AttackReport = attack(game, budget=budget, seed=seed)
    seconds = round(time.process_time() - start, 1)
    print("\n".join(report_lines(report)), f"CPU {seconds} s\n", sep="\n", flush=True)
    return msgspec.to_builtins(report) | {"cpu_seconds": seconds}


def _rows(games: dict[str, dict[str, list]]) -> Iterator[tuple[str, ...]]:
    """Yields a row for each role: means over the seeds, with the lowest and highest."""
    for game, entry in sorted(games.items()):
        for roles in zip(*(run["roles"] for run in entry["runs"]), strict=True):
            best = [max(role["attempts"], key=_rank, default={}) for role in roles]
            finds = sum(attempt["find"] for role in roles for attempt in role["attempts"])
            shares = [of["share"] for of in best if of.get("share") is not None]
            figures = ([of[name] for of in roles] for name in ("honest", "competent"))
            earns = [of["mean"] for of in best if of]
            yield game, roles[0]["role"], *map(_spread, (*figures, earns, shares)), str(finds)


def _rank(attempt: dict) -> tuple[bool, bool, float]:
    """Returns the order of policies: finds, then those that need no partner, then what they earn."""
    return attempt["find"], len(attempt["plays"]) == 1 and not attempt["why_not"], attempt["mean"]


def _spread(values: list[float]) -> str:
    if not values:
        return "not verifiable"
    return f"{fmean(values):z.2f} ({min(values):z.2f} to {max(values):z.2f})"


if __name__ == "__main__":
    main()
