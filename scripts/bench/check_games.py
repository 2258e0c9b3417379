#!/usr/bin/env python
"""Run the conformance kit on every listed game and print which pass, which fail, and the time each takes."""

from __future__ import annotations

import argparse
import sys
import time

from _bench import machine_line

import games
from games.openspiel.catalog import UNPLAYABLE, WITH_PARAMETERS


def main() -> int:
    """Print one line per failing game, then the totals; exit code 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each game; one slow check may take longer")
    parser.add_argument("--only", default="", help="ids that contain this text")
    options = parser.parse_args()
    print(machine_line("open-spiel", "pettingzoo"))
    failed, slow, matches = [], [], 0
    chosen = [id for id in games.ids() if options.only in id]
    for id in chosen:
        start = time.monotonic()
        report = games.check(id, max_seconds=options.seconds)
        if time.monotonic() - start > 4 * options.seconds:
            slow.append(f"{id} ({time.monotonic() - start:.0f} s)")
        if not report.ok:
            failed.append(id)
            print(report, flush=True)
        matches += 1
    print(f"{matches - len(failed)} of {matches} games pass; failed: {', '.join(failed) or 'none'}")
    print(f"slow: {', '.join(slow) or 'none'}")
    if not options.only:
        print("OpenSpiel games that are not listed, and why:")
        for name, reason in {**WITH_PARAMETERS, **UNPLAYABLE}.items():
            print(f"  {name}: {reason}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
