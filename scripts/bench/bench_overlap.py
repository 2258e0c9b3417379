"""Training with and without overlap: matches per second, and NashConv in Kuhn poker per minute.

Uses scripts/examples/train_kuhn.toml with 128 matches a step and a reading every 10 steps. The variants alternate, so
that load affects all: strictly on-policy, one step ahead in this process, and both with a worker of a local Ray
cluster. NashConv is compared at equal times: quarters of the fastest training's duration.

    OMP_NUM_THREADS=1 .venv/bin/python scripts/bench/bench_overlap.py [--steps 600] [--seeds 2] [--ray]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from _bench import cpu_seconds, machine_line, table

from league.config.toml_file import read_toml
from league.config.training import parse_training
from league.records.metrics_file import read_metrics
from league.training.run import run_training

EXAMPLES = Path(__file__).parents[1] / "examples"
NASH = "nash_conv/openspiel/kuhn_poker"
KINDS: dict[str, dict[str, Any]] = {
    "overlap 0": {},
    "overlap 1": {"overlap": 1},
    "overlap 0, Ray": {"workers": "ray", "ray": {"actors": 1}},
    "overlap 1, Ray": {"overlap": 1, "workers": "ray", "ray": {"actors": 1}},
}
MATCHES = 128
NEAR = 3
"""readings averaged around a point in time"""


class Run(NamedTuple):
    """One training."""

    figures: Mapping[str, float]
    readings: Sequence[tuple[float, float]]
    """minutes since the first step, NashConv"""

    def at(self, minutes: float) -> float:
        """NashConv at that time: the mean of the last readings."""
        known = [value for when, value in self.readings if when <= minutes + 1e-9] or [self.readings[0][1]]
        return sum(known[-NEAR:]) / len(known[-NEAR:])


def train(kind: str, steps: int, seed: int) -> Run:
    """One training in a fresh folder."""
    settings = read_toml(EXAMPLES / "train_kuhn.toml", "training")
    with tempfile.TemporaryDirectory() as folder:
        settings |= {"name": "bench", "db": f"sqlite:///{folder}/b.db", "folder": f"{folder}/run", "seed": seed}
        settings |= {"steps": steps, "matches_per_step": MATCHES, "trackers": [], "anchors": []} | KINDS[kind]
        settings["snapshots"] = {"every": None, "win_rate": None, "matches": 0}
        config = parse_training(settings)
        began, cpu = time.perf_counter(), cpu_seconds()
        run_training(config, board="off")
        wall, cpu = time.perf_counter() - began, cpu_seconds() - cpu
        rows = read_metrics(config.place)
        timing = [json.loads(line) for line in (config.place / "timing.jsonl").read_text().splitlines()]
    spent = {0: 0.0}
    for row in timing:
        spent[row["step"]] = spent.get(row["step"] - 1, 0.0) + row["seconds"] / 60 * (row["step"] > 0)
    inside = 60 * spent[steps]
    figures = {
        "matches/s": MATCHES * steps / inside,
        "waiting for matches": sum(row.get("rollout", 0.0) for row in timing) / inside,
        "learning": sum(row.get("learn", 0.0) for row in timing) / inside,
        "staleness": rows[-1]["staleness"],
        "minutes": inside / 60,
        "with start": wall / 60,
        "CPU min of this process": cpu / 60,
    }
    return Run(figures, [(spent[row["step"]], row[NASH]) for row in rows if NASH in row])


def main() -> None:
    """Train alternately; print means over seeds, NashConv over time, and the values of each seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--ray", action="store_true", help="also with a worker that plays")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if options.ray or "Ray" not in kind]
    found: dict[str, list[Run]] = {kind: [] for kind in kinds}
    print(machine_line("torch"), flush=True)
    for seed in range(options.seeds):
        for kind in kinds:
            found[kind].append(train(kind, options.steps, seed))
            print(f"seed {seed}, {kind}: {found[kind][-1].figures['minutes']:.2f} minutes", flush=True)
    keys = list(found[kinds[0]][0].figures)
    rows = [
        [kind, *(sum(run.figures[key] for run in runs) / len(runs) for key in keys)] for kind, runs in found.items()
    ]
    print("\n" + table([f"{options.steps} steps of {MATCHES}", *keys], rows))
    shortest = min(run.readings[-1][0] for runs in found.values() for run in runs)
    times = [shortest * k / 4 for k in range(5)]
    told = [[kind, *(f"{sum(r.at(t) for r in runs) / len(runs):.3f}" for t in times)] for kind, runs in found.items()]
    print("\n" + table(["NashConv after", *(f"{t:.2f} min" for t in times)], told))
    for kind, runs in found.items():
        at_end = ", ".join(f"{r.at(shortest):.3f} ({r.at(r.readings[-1][0]):.3f})" for r in runs)
        print(f"{kind}: by seed after {shortest:.2f} min (after all steps): {at_end}")


if __name__ == "__main__":
    main()
