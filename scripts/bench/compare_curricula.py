"""Curricula at equal matches: predicted against observed solve rates, useful gradients, and what the solver learns.

    python scripts/bench/compare_curricula.py [--curricula uniform mopps ...] [--seeds 3] [--steps 100]
        [--runs runs/curricula] [--out FILE.json]

Each run is scripts/examples/curriculum_train.toml with another curriculum and seed: a tiny model answers sums up to
9 + 9. useful: share of the solvers' answers with an advantage other than 0, mean of all steps. rank: Spearman's
correlation of predicted and observed solve rates of a step, mean of the last half. error: their mean squared
difference. exact: mean probability of the right answer over all 100 sums at the end, whatever the curriculum played.
Knapsack runs in groups of two matches on average, all others have one match per task and step. Every run has its own
folder: run the script again to resume.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _train import train

import games
from arena import event_loop
from arena.players.player import View
from league.runs import stored_players

EXAMPLE = Path(__file__).parents[1] / "examples" / "curriculum_train.toml"
CURRICULA = ("uniform", "mopps", "pcl", "knapsack", "b-star", "sec(arms=band)")
SOLVER = "solver_0"
HEAD = ("curriculum", "useful", "rank", "error", "solve rate", "exact", "CPU min")


def main() -> None:
    """Train, seed after seed and curriculum after curriculum, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--curricula", nargs="+", default=list(CURRICULA))
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--steps", type=int, default=100)
    options.add_argument("--runs", type=Path, default=Path("runs/curricula"))
    options.add_argument("--out", type=Path, help="write every run's results to this file")
    given = options.parse_args()
    found: list[dict[str, Any]] = []
    for seed, curriculum in product(range(given.seeds), given.curricula):
        found.append({"curriculum": curriculum, "seed": seed} | run(given, curriculum, seed))
        if given.out:  # after each run, so that an interrupted comparison keeps its results
            given.out.write_text(json.dumps(found, indent=1))
    print(machine_line("torch", "transformers"))
    print(f"{given.seeds} seeds, {given.steps} steps of 16 matches, 8 answers each")
    rows = [row(name, [f for f in found if f["curriculum"] == name]) for name in given.curricula]
    print(table(HEAD, rows))


def run(given: argparse.Namespace, curriculum: str, seed: int) -> dict[str, float | None]:
    """Train with one curriculum on one seed, and summarise its metrics."""
    label = "".join(c if c.isalnum() else "-" for c in curriculum)
    changes = {
        "name": f"{label}-{seed}",
        "seed": seed,
        "steps": given.steps,
        "group": 2 if curriculum.startswith("knapsack") else 1,
        "policy": {"model": f"tiny(layers=2, hidden=64, seed={seed})"},
        "tasks": {"curriculum": curriculum},
        "snapshots": {"every": given.steps},
        "evaluation": {"every": given.steps},
    }
    config, rows, cpu = train(EXAMPLE, given.runs / f"{label}-{seed}", changes)
    late = rows[len(rows) // 2 :]
    return {
        "useful": 1 - _mean(rows, "no_advantage/"),
        "rank": _mean(late, "pool_rank/"),
        "error": _mean(late, "pool_error/"),
        "solve rate": _mean(rows[-max(1, len(rows) // 10) :], "solve_rate/"),
        "exact": exact(config.db, f"{config.name}@{given.steps}", config.games[0].id),
        "cpu": cpu / 60,
    }


def exact(db: str, name: str, id: str) -> float:
    """The mean probability that a snapshot gives the right answer to each sum."""
    player, game = stored_players.make(name, db=db), games.make(id)
    found = []
    for a, b in product(range(10), repeat=2):
        game.load_task(f"{a} + {b}")
        game.reset(0)
        choices = game.legal(SOLVER) or ()
        view = View(game, SOLVER, game.spec.seats[SOLVER], choices, 0, 0)
        chances = event_loop.run(player.probabilities(view)) or {}
        found.append(chances[str(a + b)])
    player.close()
    return statistics.mean(found)


def _mean(rows: Sequence[dict[str, Any]], start: str) -> float | None:
    values = [value for row in rows for key, value in row.items() if key.startswith(start)]
    return statistics.mean(values) if values else None


def row(name: str, runs: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """One row of the table: the mean over seeds of every value, and its spread."""
    return name, *(_spread([r[key] for r in runs]) for key in ("useful", "rank", "error", "solve rate", "exact", "cpu"))


def _spread(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.mean(known):.3f} ({min(known):.3f} to {max(known):.3f})" if known else "-"


if __name__ == "__main__":
    main()
