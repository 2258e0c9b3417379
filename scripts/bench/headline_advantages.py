"""SmolLM2-135M trained with several advantage estimators: which one learns, and how fast.

    python scripts/bench/headline_advantages.py [--estimators rae global none grpo] [--arms psj zero-sum] [--seeds 3]
        [--steps 16] [--runs FOLDER]

Every run is scripts/examples/headline_train.toml with another estimator and without its suites; `psj` pays proposer and
solvers for different things, `zero-sum` pays the proposer what it takes from the solvers (scripts/bench/headline.py).
The figure is the solve rate: the share of right answers among the 64 of a step. `first` and `last` are its means over
four steps; "reached" is the first step from which the mean of the last four is at least `--target`. Run it again to
resume, or to print the tables.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from _bench import machine_line, table
from _train import train
from headline import ARMS, FILE

WINDOW = 4
"""steps in a mean: 256 answers, standard error at most 0.03 if answers were independent"""


def main() -> None:
    """Train, seed after seed, and print a row for each estimator after each arm."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--estimators", nargs="+", default=["rae", "global", "none", "grpo"])
    options.add_argument("--arms", nargs="+", choices=ARMS, default=["psj", "zero-sum"])
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--steps", type=int, default=16)
    options.add_argument("--target", type=float, default=0.3, help="a solve rate")
    options.add_argument("--runs", type=Path, default=Path("runs/headline_advantages"), help="folder of all runs")
    given = options.parse_args()
    print(machine_line("torch", "transformers", "peft", "reasoning-gym"))
    rates: dict[tuple[str, str], list[list[float]]] = {}
    for seed in range(given.seeds):
        for arm in given.arms:
            for estimator in given.estimators:
                rates.setdefault((arm, estimator), []).append(_rates(given, arm, estimator, seed))
            print(f"\n{arm}, seeds 0 to {seed}, {given.steps} steps\n")
            rows = [_row(name, rates[arm, name], given.target) for name in given.estimators]
            print(table(("estimator", "first", "last, by seed", "last", "reached, by seed"), rows), flush=True)


def _rates(given: argparse.Namespace, arm: str, estimator: str, seed: int) -> list[float]:
    """The solve rate of every step of a run, which is played, resumed or read."""
    changes = {"seed": seed, "games": [ARMS[arm]], "advantage": estimator, "steps": given.steps}
    changes["evaluation"] = {"suite": [], "every": given.steps}
    _, rows, cpu = train(FILE, given.runs / f"{arm}-{estimator}-{seed}", changes)
    print(f"{arm} {estimator} seed {seed}: {cpu / 60:.1f} CPU minutes", flush=True)
    return [value for row in rows for key, value in row.items() if key.startswith("solve_rate/")]


def _row(estimator: str, runs: list[list[float]], target: float) -> tuple[str, ...]:
    first = statistics.mean(statistics.mean(run[:WINDOW]) for run in runs)
    last = [statistics.mean(run[-WINDOW:]) for run in runs]
    reached = [_reached(run, target) for run in runs]
    each = ", ".join(f"{rate:.3f}" for rate in last)
    return estimator, f"{first:.3f}", each, f"{statistics.mean(last):.3f}", ", ".join(reached)


def _reached(run: list[float], target: float) -> str:
    """The first step after which the mean of the last `WINDOW` solve rates is at least `target`."""
    steps = range(WINDOW, len(run) + 1)
    return next((str(step) for step in steps if statistics.mean(run[step - WINDOW : step]) >= target), "never")


if __name__ == "__main__":
    main()
