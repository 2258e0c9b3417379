"""The quickstart's training over several seeds: NashConv and CPU seconds.

    python scripts/bench/train_quickstart.py [--seeds 5] [--first 100] [--set loss.tau=0.5 ...] [--out FILE.json]

The seed also changes the initial weights. "last" is the mean of the final ten readings, because a single one varies.
CPU seconds are comparable with OMP_NUM_THREADS=1 only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _claims import Claim, record
from _train import merged, train

from league.config.toml_file import read_toml

FILE = Path(__file__).parents[1] / "examples" / "quickstart_train.toml"
GAME = "openspiel/kuhn_poker"
LAST = 10
"""final readings that are averaged"""


def main() -> None:
    """Train, seed after seed, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--first", type=int, default=100, help="the first seed")
    options.add_argument("--set", nargs="*", default=[], help="settings of the file, such as loss.tau=0.5 (JSON)")
    options.add_argument("--out", help="write all curves to this file")
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    given = options.parse_args()
    changes: dict[str, Any] = {}
    for text in given.set:
        changes = merged(changes, _setting(text))
    results: list[dict[str, Any]] = []
    for seed in range(given.first, given.first + given.seeds):
        results.append(run(seed, changes))
        if given.out:  # after each seed, so that an interrupted script keeps its results
            kept = {"machine": machine_line("torch", "transformers"), "set": given.set, "results": results}
            Path(given.out).write_text(json.dumps(kept, indent=1) + "\n")
    print(machine_line("torch", "transformers"))
    keys = ("start", "last", "average", "cpu_seconds")
    print(table(("seed", *keys), [(str(r["seed"]), *(round(r[key], 3) for key in keys)) for r in results]))
    if given.record:
        record(_claims(results), "torch", "transformers")


def _claims(results: list[dict[str, Any]]) -> list[Claim]:
    """Returns median and range over the seeds of what the quickstart's training ends with."""
    parts = {
        "last": f"NashConv of the quickstart's training, mean of the last {LAST} readings (uniform play: 0.917)",
        "average": "NashConv of its average policy",
        "cpu_seconds": "CPU seconds of the quickstart's training, one thread",
    }
    claims = []
    for key, words in parts.items():
        values = sorted(r[key] for r in results)
        digits = 0 if key == "cpu_seconds" else 3
        spread = f"{values[0]:.{digits}f} to {values[-1]:.{digits}f}, {len(values)} seeds"
        claims.append(Claim(words, f"{statistics.median(values):.{digits}f}", spread))
    return claims


def run(seed: int, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one run and its curve of (step, NashConv, NashConv of the average)."""
    model = f"{read_toml(FILE, 'training')['policy']['model'].removesuffix(')')}, seed={seed})"
    with tempfile.TemporaryDirectory() as folder:
        config, rows, cpu = train(FILE, Path(folder), merged({"seed": seed, "policy": {"model": model}}, changes))
    key = f"nash_conv/{GAME}"
    curve = [(r["step"], round(r[key], 4), round(r[f"nash_conv_average/{GAME}"], 4)) for r in rows if key in r]
    if rows[-1]["step"] < config.steps:
        raise SystemExit(f"seed {seed} was interrupted after step {rows[-1]['step']:,}")
    last = statistics.mean(now for _, now, _ in curve[-LAST:])
    return {
        "seed": seed,
        "start": curve[0][1],
        "last": last,
        "average": curve[-1][2],
        "cpu_seconds": cpu,
        "curve": curve,
    }


def _setting(text: str) -> dict[str, Any]:
    """Return `loss.tau=0.5` as tables."""
    path, _, value = text.partition("=")
    try:
        found: Any = json.loads(value)
    except ValueError:
        found = value
    for key in reversed(path.split(".")):
        found = {key: found}
    return found  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
