"""What the comparison of `arena study` finds in simulated studies with a planted gain, and in those without one.

    python scripts/bench/simulate_study.py [--studies 4000] [--record]

Two arms differ by the gain; the values of their seeds are normal around it. The spread is the standard deviation of the
paired differences. With items, each run answers the same items right or wrong, some harder than others.
"""

from __future__ import annotations

import argparse

import numpy as np
from _bench import machine_line, table
from _claims import Claim, record

from league.study.statistics import LEVEL, PairedDifference, compare

GAIN = 0.05
CASES = ((5, 0.0227, 1), (5, 0.04, 1), (10, 0.0387, 1), (10, 0.06, 1), (5, 0.0, 2000))
"""seeds, spread, items"""


def main() -> None:
    """Simulate every case with the gain and without it, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--studies", type=int, default=4000)
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    chosen = options.parse_args()
    rows, claims = [], []
    for seeds, spread, items in CASES:
        studies = chosen.studies if items == 1 else max(20, chosen.studies // 20)
        planted, none = (simulated(gain, seeds, spread, items, studies) for gain in (GAIN, 0.0))
        covered = sum(d.low <= GAIN <= d.high for d in planted)
        detected, wrong = (sum(d.p is not None and d.p < LEVEL for d in several) for several in (planted, none))
        rows.append((seeds, spread, items, studies, detected / studies, wrong / studies, covered / studies))
        what = f"{seeds} seeds" + (f", {items:,} items" if items > 1 else f", spread {spread:.1%}")
        claims.append(Claim.share(f"a study detects a planted gain of 5 points: {what}", detected, studies))
        claims.append(Claim.share(f"a study detects a gain where there is none: {what}", wrong, studies))
    print(machine_line("numpy", "scipy"))
    print(table(("seeds", "spread", "items", "studies", "detected", "detected without gain", "covered"), rows))
    if chosen.record:
        record(claims, "numpy", "scipy")


def simulated(gain: float, seeds: int, spread: float, items: int, studies: int) -> list[PairedDifference]:
    """Returns the differences of so many studies."""
    generator, out = np.random.default_rng(0), []
    for study in range(studies):
        first, second = (0.5 + g + generator.normal(0, spread / 2**0.5, (seeds, 1)) for g in (gain, 0.0))
        if items > 1:
            hard = generator.normal(0, 0.2, (1, items))
            draws = generator.random((2, seeds, items))
            first, second = (draws[0] < first + hard) * 1.0, (draws[1] < second + hard) * 1.0
        out.append(compare(first, second, study))
    return out


if __name__ == "__main__":
    main()
