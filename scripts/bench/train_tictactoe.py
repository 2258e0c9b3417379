"""Tic-tac-toe: pure self-play next to the league recipe: seat split, and result against the perfect player.

    python scripts/bench/train_tictactoe.py [--seeds 2] [--steps 1000] [--recipes self-play league]
        [--runs runs/tictactoe]

Uses scripts/examples/train_tictactoe.toml, the league recipe. `self-play` is the same without opponents and magnet;
`no-baseline` is self-play with the bare return instead of the role-conditioned advantage, as in the collapse shown in
SPIRAL (arXiv 2506.24119, section on RAE). Every run has its own folder: run the script again to resume, or to repeat
the measurement. Seat split: who wins the decided matches of the policy against itself. The first and last snapshot
play the solver, random moves and mcts(simulations=20), which no recipe trains against.

Pure self-play collapses in both seeds: one seat wins nine of ten, and nothing is left against the perfect player, while
the win rate against random moves rises. So random alone looks like progress. The league recipe ends above its start,
but a best response still beats it (NashConv near 2).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _train import measure, train

FILE = Path(__file__).parents[1] / "examples" / "train_tictactoe.toml"
GAME = "openspiel/tic_tac_toe"
AGAINST = ("solver", "random", "mcts(simulations=20)")

_ALONE = {"opponents": {"self": 1.0, "snapshots": 0.0, "anchors": 0.0}, "loss": {"tau": 0.0}}
RECIPES: dict[str, Mapping[str, Any]] = {
    "league": {},
    "self-play": _ALONE,
    "no-baseline": _ALONE | {"advantage": "none"},
}


def main() -> None:
    """Train, recipe after recipe and seed after seed, and print tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--recipes", nargs="+", default=["self-play", "league"], choices=list(RECIPES))
    options.add_argument("--seeds", type=int, default=2)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--steps", type=int, default=1000)
    options.add_argument("--matches", type=int, default=200, help="per seat against each player, start and end")
    options.add_argument("--runs", type=Path, default=Path("runs/tictactoe"), help="folder of all runs")
    given = options.parse_args()
    print(machine_line("torch", "transformers"))
    curves, ends = [], []
    for seed in range(given.first, given.first + given.seeds):
        for recipe in given.recipes:
            changes = {
                "seed": seed,
                "steps": given.steps,
                "policy": {"model": f"tiny(layers=1, hidden=64, seed={seed})"},
            }
            config, rows, cpu = train(FILE, given.runs / f"{recipe}-{seed}", {**RECIPES[recipe], **changes})
            curves += [(recipe, seed, *row) for row in curve(rows)]
            reports = measure(config, (0, given.steps), given.matches, AGAINST, seed)
            for step, report in reports.items():
                nash_conv = report.exact.nash_conv if report.exact else float("nan")
                ends.append((recipe, seed, step, nash_conv, *results(report.seats), cpu / 60 if step else 0.0))
    print("\nDuring training: wins of the first seat against itself (decided matches), per 50 steps\n")
    print(table(("recipe", "seed", "steps", "first wins", "entropy", "gradient"), curves))
    print("\nStart and end: NashConv, and win rate (a draw is half a win) as first / as second, 95% intervals\n")
    print(table(("recipe", "seed", "after", "NashConv", *AGAINST, "CPU min"), ends))


def curve(rows: Sequence[Mapping[str, Any]], part: int = 50) -> list[tuple[Any, ...]]:
    """Means over stretches of `part` steps."""
    out = []
    for start in range(0, max(r["step"] for r in rows), part):
        own = [r for r in rows if start < r["step"] <= start + part and "entropy" in r]
        mean = [
            statistics.mean(r[key] for r in own if key in r)
            for key in (f"seat_win/{GAME}/player_0", "entropy", "grad_norm")
        ]
        out.append((f"{start + 1} to {own[-1]['step']}", *mean))
    return out


def results(seats: Sequence[Any]) -> list[str]:
    """For each player: rates as first / second with their intervals."""
    names = dict.fromkeys(s.anchor for s in seats)
    return [
        " / ".join(f"{s.rate:.2f} [{s.low:.2f}, {s.high:.2f}]" for s in seats if s.anchor == name) for name in names
    ]


if __name__ == "__main__":
    main()
