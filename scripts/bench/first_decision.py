"""CPU seconds from the start of the quickstart's training to the first decision of its first match.

    OMP_NUM_THREADS=1 python scripts/bench/first_decision.py [--repeats 3] [--record]

Each repeat is a process of its own in an empty folder. The tiny model and compiled modules are in their caches after
a first run that is not counted. Before the first match a training also reads the policy's NashConv.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from _bench import machine_line
from _claims import Claim, record

FILE = Path(__file__).parents[1] / "examples" / "quickstart_train.toml"
RUN = """
import os, sys, time
from arena.match import loop

def first(*_):
    print(time.process_time(), file=sys.stderr, flush=True)
    os._exit(0)

loop.sanitize_decision = first
from arena.cli import main
main(["train", sys.argv[1], "--db", "sqlite:///first.db"])
"""


def cpu_seconds() -> float:
    """CPU seconds of one process, all threads together."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", RUN, str(FILE)], cwd=folder, capture_output=True, text=True)
    return float(done.stderr.splitlines()[-1])


def main() -> None:
    """Measure, print and record."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    given = options.parse_args()
    cpu_seconds()
    spent = sorted(cpu_seconds() for _ in range(given.repeats))
    claim = Claim(
        "CPU seconds from the start of the quickstart's training to its first decision, one thread",
        f"{spent[len(spent) // 2]:.1f}",
        f"{spent[0]:.1f} to {spent[-1]:.1f}, {len(spent)} runs",
    )
    print(machine_line("torch", "transformers"))
    print(claim)
    if given.record:
        record([claim], "torch", "transformers")


if __name__ == "__main__":
    main()
