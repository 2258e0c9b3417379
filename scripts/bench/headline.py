"""SmolLM2-135M before and after self-play on tasks with verified answers, with and without a proposer.

    python scripts/bench/headline.py [--seeds 3] [--first 0] [--arms psj solve zero-sum] [--steps N] [--runs FOLDER]

Every arm is scripts/examples/headline_train.toml with another game: `psj` (the proposer chooses the family of the task,
and solvers answer it), `solve` (the same number of answers to tasks drawn at random: no proposer), `zero-sum` (the
proposer wins if some but at most half of the solvers are right). Run it again to resume, or to print the tables.
Accuracies are those of the split `test`, before the first step and after the last; "gain" is their difference on the
same tasks, as the mean over seeds and from the lowest to the highest seed. "Constant" is the best constant answer.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _train import train

from league.config.toml_file import read_toml

FILE = Path("scripts/examples/headline_train.toml")
PSJ = read_toml(FILE, "training")["games"][0]
TASKS = PSJ[PSJ.index("tasks=") : -1]
ARMS = {
    "psj": PSJ,
    "solve": f"solve-v1(solvers=8, form=0.1, {TASKS})",
    "zero-sum": f"psj-v1(solvers=8, threshold=0.5, {TASKS})",
}
PATH = "accuracy/"


def main() -> None:
    """Train, arm after arm and seed after seed, and print a table for each arm after each seed."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS))
    options.add_argument("--steps", type=int, help="overrides the file")
    options.add_argument("--runs", type=Path, default=Path("runs/headline"), help="folder of all runs")
    given = options.parse_args()
    print(machine_line("torch", "transformers", "peft", "reasoning-gym"))
    found: dict[str, list[list[dict[str, Any]]]] = {arm: [] for arm in given.arms}
    for seed in range(given.first, given.first + given.seeds):
        for arm in given.arms:
            changes = {"seed": seed, "games": [ARMS[arm]]} | ({"steps": given.steps} if given.steps else {})
            _, rows, cpu = train(FILE, given.runs / f"{arm}-{seed}", changes)
            found[arm].append([row for row in rows if f"{PATH}all" in row])
            print(f"\n{arm}, seeds {given.first} to {seed}; the last one took {cpu / 60:.1f} CPU minutes\n")
            print(table(HEAD, [_row(path, found[arm]) for path in _paths(found[arm][0][0])]), flush=True)


HEAD = ("tasks", "constant", "before", "after, by seed", "gain", "from - to")


def _paths(row: dict[str, Any]) -> list[str]:
    """The groups, then the families."""
    names = [key.removeprefix(PATH) for key in row if key.startswith(PATH)]
    return sorted(names, key=lambda name: ("/" in name, name))


def _row(path: str, runs: list[list[dict[str, Any]]]) -> tuple[Any, ...]:
    after = [rows[-1][PATH + path] for rows in runs]
    gains = [a - rows[0][PATH + path] for a, rows in zip(after, runs, strict=True)]
    before = statistics.mean(rows[0][PATH + path] for rows in runs)
    constant = runs[0][0].get(f"accuracy_constant/{path}", float("nan"))
    spread = f"{min(gains):+.3f} to {max(gains):+.3f}"
    each = ", ".join(f"{a:.3f}" for a in after)
    return path, f"{constant:.3f}", f"{before:.3f}", each, f"{statistics.mean(gains):+.3f}", spread


if __name__ == "__main__":
    main()
