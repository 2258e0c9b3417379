"""A training file over several seeds: each role's credited reward at the start and at the end, and its spread.

    python scripts/bench/train_seeds.py scripts/examples/taboo_train.toml [--seeds 3] [--first 0]
        [--steps N] [--cross N] [--tenths] [--out FILE.json]

The seed changes the matches and, for the tiny model, its initial weights. Start and end are means over the first and
last tenth of the steps. A role has learned beyond seed spread if its lowest end is above its highest start.
Where the file evaluates, a second table has each seat's win rate against each anchor, at the first evaluation and the
last. With --cross, each role's first and last snapshot play N matches with the partners of the first and of the last
one: what the role learned, whatever the other roles did. Targets are counted as in the training's metrics, per 100
steps. With --tenths, the mean over the seeds of each tenth of the steps, also of the share of valid proposals, of
different ones among them, and of the solve rate. mismatch_kl is the distance of the sampler's stored probabilities from
the trainer's at the start of a step.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from _bench import cpu_seconds, machine_line, table
from _cross_play import cross_play

from games.naming import Name, parse_name
from league.config.toml_file import read_toml
from league.config.training import parse_training
from league.records.metrics_file import read_metrics
from league.training.run import run_training

_MISMATCH = "mismatch_kl"
_WINS = "win_rate/"
_CROSS = "cross/"
_TARGETS = ("targets/", "targets_most/")
_TASKS = ("valid/", "distinct/", "solve_rate/")


def main() -> None:
    """Train, seed after seed, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", help="a training file")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--steps", type=int, help="overrides the file")
    options.add_argument("--cross", type=int, default=0, help="matches for each role, snapshot and kind of partners")
    options.add_argument("--tenths", action="store_true", help="print the mean of each tenth of the steps")
    options.add_argument("--out", help="write all curves to this file")
    given = options.parse_args()
    curves: dict[str, list[list[float]]] = {}
    minutes = []
    for seed in range(given.first, given.first + given.seeds):
        began = cpu_seconds()
        for key, curve in train(given, seed).items():
            curves.setdefault(key, []).append(curve)
        minutes.append((cpu_seconds() - began) / 60)
        if given.out:  # after each seed, so that an interrupted run keeps its results
            Path(given.out).write_text(json.dumps(curves))
    print(machine_line("torch", "transformers"))
    print(f"{given.file}: {given.seeds} seeds, {', '.join(f'{m:.1f}' for m in minutes)} CPU minutes")
    mismatch = sorted(key for key in curves if key.startswith(_MISMATCH))
    wins = {key.removeprefix(_WINS): runs for key, runs in curves.items() if key.startswith(_WINS)}
    crossed = {key.removeprefix(_CROSS): runs for key, runs in curves.items() if key.startswith(_CROSS)}
    other = (_MISMATCH, _WINS, _CROSS, *_TARGETS, *_TASKS)
    rewards = {key: runs for key, runs in curves.items() if not key.startswith(other)}
    for first, found, parts in (("role", rewards, 1), ("wins against, as", wins, 2), ("first and last", crossed, 1)):
        rows = [_row(key, runs, parts) for key, runs in found.items()]
        if rows:
            print(table((first, "start", "from - to", "end", "from - to", "beyond"), rows))
    if given.tenths:
        rows = [_tenths(key, runs) for key, runs in curves.items() if key in rewards or key.startswith(_TASKS)]
        print(table(("mean of each tenth", *map(str, range(1, 11))), rows))
    for key in (key for key in curves if key.startswith(_TARGETS)):
        rates = [[round(n) for n in _per_hundred(run)] for run in curves[key]]
        print(f"{key}: new per 100 steps {rates}, in all {[round(run[-1]) for run in curves[key]]}")
    for key in mismatch:
        values = [value for run in curves[key] for value in run]
        print(f"{key}: median {statistics.median(values):.1e}, largest {max(values):.1e}")


def train(given: argparse.Namespace, seed: int) -> dict[str, list[float]]:
    """The rewards of one run by game and role, its win rates, its mismatch_kl: a number for each step that has one."""
    with tempfile.TemporaryDirectory() as folder:
        data: dict[str, Any] = read_toml(given.file, "training")
        data |= {"db": f"sqlite:///{folder}/a.db", "folder": f"{folder}/run", "seed": seed, "trackers": []}
        if given.steps:
            data["steps"] = given.steps
        model = parse_name(data["policy"]["model"])
        if model.base == "tiny":
            data["policy"]["model"] = str(Name("tiny", {**model.params, "seed": seed}))
        if given.cross:  # a run that is shorter than the file's interval has a last snapshot too
            snapshots = data.setdefault("snapshots", {})
            snapshots["every"] = min(snapshots.get("every", data["steps"]), data["steps"])
        config = parse_training(data)
        run_training(config, board="off")
        rows = read_metrics(Path(folder) / "run")
        last = config.steps - config.steps % config.snapshots.every
        crossed = cross_play(config, 0, last, given.cross) if given.cross and last else {}
    keys = [key for key in rows[-1] if key.startswith(("reward/", _WINS, _MISMATCH, *_TARGETS, *_TASKS))]
    curves = {key.removeprefix("reward/"): [row[key] for row in rows if key in row] for key in keys}
    return curves | {f"{_CROSS}{key}": found for key, found in crossed.items()}


def _per_hundred(run: list[float]) -> list[float]:
    """The growth of a count in each 100 steps; the last part may be shorter."""
    marks = [0.0, *run[99::100], *(run[-1:] if len(run) % 100 else [])]
    return [after - before for before, after in pairwise(marks)]


def _tenths(key: str, runs: list[list[float]]) -> tuple[str | float, ...]:
    parts = [
        [run[(begin := len(run) * i // 10) : max(begin + 1, len(run) * (i + 1) // 10)] for run in runs]
        for i in range(10)
    ]
    return key, *(statistics.mean(value for run in part for value in run) for part in parts)


def _row(key: str, runs: list[list[float]], parts: int) -> tuple[str | float, ...]:
    """Of a key `GAME/ROLE` (one part after the game) or `GAME/ANCHOR/SEAT` (two)."""
    starts = [statistics.mean(run[: max(1, len(run) // 10)]) for run in runs]
    ends = [statistics.mean(run[-max(1, len(run) // 10) :]) for run in runs]
    spans = [f"{min(v):.2f} - {max(v):.2f}" for v in (starts, ends)]
    beyond = "yes" if min(ends) > max(starts) else "no"
    game, *rest = key.rsplit("/", parts)
    name = f"{parse_name(game).base} {' '.join(rest)}"
    return name, statistics.mean(starts), spans[0], statistics.mean(ends), spans[1], beyond


if __name__ == "__main__":
    main()
