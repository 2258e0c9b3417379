"""Training with and without overlap: matches per second, and NashConv reached on Kuhn poker per minute.

The settings of scripts/train_kuhn.toml with 128 matches a step, in turns, so that the machine's load hits all alike:
strictly on-policy, one step ahead in this process, and the same two with a worker of a local Ray cluster that plays.

    OMP_NUM_THREADS=1 .venv/bin/python scripts/bench_overlap.py [--steps 300] [--seeds 2] [--ray]
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from _bench import machine_line, table

from league.config import read_toml
from league.training.config import parse_training
from league.training.loop import run_training
from league.training.metrics import read

HERE = Path(__file__).parent
KINDS: dict[str, dict[str, Any]] = {
    "overlap 0": {},
    "overlap 1": {"overlap": 1},
    "overlap 0, Ray": {"workers": "ray", "ray": {"actors": 1}},
    "overlap 1, Ray": {"overlap": 1, "workers": "ray", "ray": {"actors": 1}},
}
LAST = 5
"""readings at the end that are averaged"""


def train(kind: str, steps: int, seed: int) -> dict[str, float]:
    """One training in a fresh folder."""
    settings = read_toml(HERE / "train_kuhn.toml", "training")
    with tempfile.TemporaryDirectory() as folder:
        settings |= {"name": "bench", "db": f"sqlite:///{folder}/b.db", "folder": f"{folder}/run", "seed": seed}
        settings |= {"steps": steps, "matches_per_step": 128, "trackers": [], "anchors": []} | KINDS[kind]
        settings["snapshots"] = {"every": None, "win_rate": None, "matches": 0}
        config = parse_training(settings)
        began, cpu = time.perf_counter(), time.process_time()
        run_training(config, board="off")
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        rows = read(config.place)
        timing = [json.loads(line) for line in (config.place / "timing.jsonl").read_text().splitlines()]
        readings = [row["nash_conv/openspiel/kuhn_poker"] for row in rows if "nash_conv/openspiel/kuhn_poker" in row]
        inside = sum(row["seconds"] for row in timing)
        return {
            "matches/s": 128 * steps / inside,
            "played ahead or waited": sum(row.get("rollout", 0.0) for row in timing) / inside,
            "learning": sum(row.get("learn", 0.0) for row in timing) / inside,
            "staleness": rows[-1]["staleness"],
            "NashConv": sum(readings[-LAST:]) / LAST,
            "minutes": wall / 60,
            "CPU min": cpu / 60,
        }


def main() -> None:
    """Train in turns and print the means over the seeds, and each seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--ray", action="store_true", help="also with a worker that plays")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if options.ray or "Ray" not in kind]
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    for seed in range(options.seeds):
        for kind in kinds:
            found[kind].append(train(kind, options.steps, seed))
    print(machine_line("torch"), f"; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")
    keys = list(found[kinds[0]][0])
    rows = [[kind, *(sum(f[key] for f in fs) / len(fs) for key in keys)] for kind, fs in found.items()]
    print(table(["", *keys], rows))
    for kind, fs in found.items():
        by_seed = ", ".join(f"{figures['NashConv']:.3f}" for figures in fs)
        print(f"{kind}: NashConv by seed {by_seed}")


if __name__ == "__main__":
    main()
