"""Types the commands of each tutorial in an empty folder, and counts minutes, commands and stops.

python scripts/bench/personas.py [--record] [author evaluator researcher]

A stop is a command that fails, warns or raises an alarm. What a reader does not understand only a person can count.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _claims import Claim, record

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
MARKS = ("WARNING", "Warning", "Traceback", "── alarms")
"""what makes a command a stop, wherever it is printed"""


def commands(text: str) -> list[str]:
    """Returns the lines of the blocks marked `sh`."""
    return "".join(re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)).splitlines()


def stops(typed: list[str]) -> int:
    """Type commands in an empty folder, print what stops a reader; returns how many do."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in typed:
            done = subprocess.run(
                command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True,
                check=False,
            )  # fmt: skip
            if done.returncode or any(mark in done.stdout + done.stderr for mark in MARKS):
                count += 1
                print(f"stop: {command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return count


def main() -> None:
    """Print a line for each persona; with --record replace the claims."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["author", "evaluator", "researcher"])
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    claims = []
    for name in options.names:
        typed = commands((TUTORIALS / f"{name}.md").read_text())
        start = time.perf_counter()
        count, minutes = stops(typed), (time.perf_counter() - start) / 60
        figures = f"{minutes:.1f} minutes, {len(typed)} commands, {count} stops"
        print(f"{name}: {figures}", flush=True)
        claims.append(Claim(f"tutorial of the {name}: typed without reading, it takes", figures, "one run"))
    if options.record:
        record(claims, "torch", "transformers")


if __name__ == "__main__":
    main()
