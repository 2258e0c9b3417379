"""Kuhn and Leduc poker, exactly measured: NashConv of the last iterate and of the average over the run.

    python scripts/train_kuhn.py [--seeds 5] [--steps 4000] [--tau 0.3] [--game openspiel/kuhn_poker] [--out FILE.json]

Uses scripts/train_kuhn.toml with a fresh folder for each seed; the seed changes the model's first weights as well.
NashConv is read every 10 steps; "last" is the mean of the final 10 readings, because one reading is a matter of luck.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
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
LAST = 10
"""readings at the end that are averaged"""


def main() -> None:
    """Train, seed after seed, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--steps", type=int, default=4000)
    options.add_argument("--matches", type=int, default=128, help="per step")
    options.add_argument("--tau", type=float, default=0.3, help="temperature of the magnet; 0: none")
    options.add_argument("--lr", type=float, default=5e-4)
    options.add_argument("--advantage", default="rae")
    options.add_argument("--game", default="openspiel/kuhn_poker")
    options.add_argument("--out", help="write all curves to this file")
    given = options.parse_args()
    results = []
    for seed in range(given.first, given.first + given.seeds):
        results.append(train(given, seed))
        if given.out:  # after each seed: a long run that is stopped keeps what it has
            Path(given.out).write_text(json.dumps({"settings": vars(given), "results": results}))
    print(machine_line("torch", "transformers"))
    keys = ("start", "last", "best", "average", "minutes", "cpu_minutes")
    print(table(("seed", *keys), [(str(r["seed"]), *(r[k] for k in keys)) for r in results]))
    if len(results) > 1:
        for key in ("last", "average"):
            values = [r[key] for r in results]
            print(f"{key}: mean {statistics.mean(values):.3f}, from {min(values):.3f} to {max(values):.3f}")


def train(given: argparse.Namespace, seed: int) -> dict[str, Any]:
    """One run: its figures and its curve of (step, NashConv, NashConv of the average)."""
    with tempfile.TemporaryDirectory() as folder:
        data = read_toml(HERE / "train_kuhn.toml", "training")
        data |= {"db": f"sqlite:///{folder}/a.db", "folder": f"{folder}/run", "seed": seed, "steps": given.steps}
        data |= {"games": [given.game], "matches_per_step": given.matches, "advantage": given.advantage, "anchors": []}
        data |= {"trackers": [], "snapshots": {"every": given.steps, "matches": 0}}
        data |= {"checkpoint": {"every": given.steps}}
        data |= {"group": 8 if given.advantage.startswith(("grpo", "rloo")) else 1}
        data["policy"] |= {"model": f"tiny(layers=2, hidden=64, seed={seed})"}
        data["loss"] |= {"tau": given.tau}
        data["optimizer"] |= {"lr": given.lr}
        began, cpu = time.perf_counter(), _cpu()
        run_training(parse_training(data), board="off")
        seconds, cpu = time.perf_counter() - began, _cpu() - cpu
        rows = read(Path(folder) / "run")
    key = f"nash_conv/{given.game}"
    curve = [(r["step"], r[key], r[f"nash_conv_average/{given.game}"]) for r in rows if key in r]
    return {
        "seed": seed,
        "start": curve[0][1],
        "last": statistics.mean(c[1] for c in curve[-LAST:]),
        "best": min(c[1] for c in curve),
        "average": curve[-1][2],
        "minutes": seconds / 60,
        "cpu_minutes": cpu / 60,
        "curve": curve,
        "advantage_square": [sum(v for k, v in r.items() if k.startswith("advantage_square/")) for r in rows[1:]],
        "grad_norm": [r["grad_norm"] for r in rows[1:]],
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
