"""The batch fit: the cost of a refit, and the coverage of its intervals.

    .venv/bin/python scripts/bench/bench_bradley_terry.py [--seeds 24] [--matches 1280] [--only speed,coverage]

Speed: 64 players, from arrays of matches and from count tables. Coverage: the share of 64 true skills inside their 95%
intervals. TrueSkill's model decides the matches; 32 matches are in flight; four pairings, a wide league (2 beta) and a
close one (0.5 beta). scripts/bench/simulate.py covers all shipped pairings.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: processor seconds of one thread are seconds

import numpy as np
from _bench import machine_line, table

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from league.ratings import Counts, SkillModel
from tests.league.ratings.simulation import BETA, covered, league, names, play, random_pairs


def seconds(run: Callable[[], Any], repeat: int = 7) -> float:
    """CPU seconds, the minimum over several runs, which other load affects least."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def speed() -> list[list[object]]:
    """Milliseconds by number of matches."""
    rng, method, rows = np.random.default_rng(0), SkillModel(), []
    skill = rng.normal(0.0, 2.0, 64)
    for matches in (1_280, 100_000, 1_000_000):
        first, second = random_pairs(rng, 64, matches)
        outcome = play(rng, skill, first, second)
        counts = Counts.of_matches(names(64), first, second, outcome)
        fit = method.fit(counts)
        costs = [
            seconds(lambda: Counts.of_matches(names(64), first, second, outcome)),  # noqa: B023
            seconds(lambda: method.fit(counts)),  # noqa: B023
            seconds(lambda: method.fit(counts, start=fit)),  # noqa: B023
            seconds(lambda: replace(fit).posterior.rank_ranges(fit.order())),  # noqa: B023
        ]
        rows.append([matches, *(1e3 * c for c in costs)])
    return rows


def coverage(seeds: int, matches: int) -> list[list[object]]:
    """Mean share covered, its standard error over leagues, the estimated spread, and covered rank ranges."""
    rows: list[list[object]] = []
    for policy in ("random", "uncertainty", "quality", "thompson"):
        for spread in (2.0, 0.5):
            share, ranks, widths = [], [], []
            for seed in range(seeds):
                skill, fit = league(policy, spread, matches, seed)
                share.append(covered(skill, fit))
                rank = np.argsort(np.argsort(-skill)) + 1
                order = fit.order()
                ranges = fit.posterior.rank_ranges(order)
                inside = [low <= r <= high for (low, high), r in zip(ranges, rank[order], strict=True)]
                ranks.append(np.mean(inside))
                widths.append(fit.widths["players"] / BETA)
            error = float(np.std(share) / len(share) ** 0.5)
            rows.append([policy, spread, float(np.mean(share)), error, float(np.mean(ranks)), float(np.mean(widths))])
    return rows


def main() -> None:
    """Print the machine and the requested tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--matches", type=int, default=1280)
    parser.add_argument("--only", default="speed,coverage")
    args = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    if "speed" in args.only:
        head = ["matches, 64 players", "count ms", "fit ms", "refit ms", "ranks ms"]
        print(table(head, speed()), flush=True)
    if "coverage" in args.only:
        head = ["pairing", "spread, beta", "95% covers", "+-", "rank range covers", "spread found"]
        print(table(head, coverage(args.seeds, args.matches)), flush=True)


if __name__ == "__main__":
    main()
