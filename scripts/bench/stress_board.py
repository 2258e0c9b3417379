"""Contradictions between the columns of a board, coverage and ranks, in the fields that an audit used, as JSON.

Every cell is a field (round-robin, 20 matches per player) with a number of players. A contradiction is one of

    best      P best of the first row is 95% or more and its rank range is not 1-1, or the reverse
    apart     `above next` exceeds 95% and the ranges of the two rows overlap, or they are apart and it is below 95%
    rare      a rank range includes 1 and P best is below 1% (counted, and possible in wide fields: a range of 95% may
              contain what happens in 1%)
    inverted  a row is above the next with less than one half

    .venv/bin/python scripts/bench/stress_board.py --leagues 20 --json scripts/bench/stress_board.json
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table

from league.ratings import Counts, Fit, SkillModel
from league.ratings.fit.skill_draws import DRAWS, LIVE
from league.ratings.one_thread import one_thread

BETA = 25.0 / 6.0
MODEL = SkillModel()


def _unbeaten(rng: np.random.Generator, n: int) -> np.ndarray:
    skill = rng.normal(0.0, 0.7, n)
    skill[0] += 4.0
    return skill


FIELDS = {
    "normal 1": lambda rng, n: rng.normal(0.0, 1.0, n),
    "normal 0.5": lambda rng, n: rng.normal(0.0, 0.5, n),
    "wide": lambda rng, n: rng.normal(0.0, 3.0, n),
    "random players": lambda rng, n: np.zeros(n),
    "unbeaten": _unbeaten,
    "clusters": lambda rng, n: np.where(np.arange(n) % 2, 2.0, -2.0) + rng.normal(0.0, 0.3, n),
}


@one_thread
def league(field: str, n: int, each: int, seed: int) -> tuple[np.ndarray, Fit]:
    """The true skills in beta, and the fit."""
    rng = np.random.default_rng([seed, n, *field.encode()])
    skill = FIELDS[field](rng, n)
    pairs = np.array([(a, b) for a in range(n) for b in range(n) if a != b])
    which = np.arange(n * each // 2) % len(pairs)
    first, second = pairs[rng.permutation(len(pairs))][which].T
    won = skill[first] - skill[second] + rng.normal(0.0, 2.0**0.5, len(first)) > 0.0
    names = [f"p{i:02d}" for i in range(n)]
    return skill, MODEL.fit(Counts.of_matches(names, first, second, np.where(won, 0, 2)))


def judge(skill: np.ndarray, fit: Fit, number: int) -> dict[str, float]:
    """The counts of one league, by so many draws."""
    fit = replace(fit, number=number)
    order, draws = fit.order(), fit.posterior
    ranges, best = draws.rank_ranges(order), draws.p_best(order)
    above, (low, high) = draws.above_next(order, ranges), fit.interval()
    finite = ~(draws.unbeaten | draws.winless)  # the others' size rests on the prior
    truth = BETA * skill
    truth += (fit.ratings - truth)[finite].mean() if finite.any() else 0.0
    ranks = [(1 + int((skill > skill[i]).sum()), int((skill >= skill[i]).sum())) for i in order]  # equals share ranks
    apart = [here[1] < after[0] for here, after in pairwise(ranges)]
    claims = [k for k, p in enumerate(above) if p > 0.95]
    return {
        "covered": float(((low <= truth) & (truth <= high))[finite].mean()) if finite.any() else 1.0,
        "ranks": float(all(a <= last and first <= b for (a, b), (first, last) in zip(ranges, ranks, strict=True))),
        "width": float(np.mean([b - a + 1 for a, b in ranges])),
        "claims": len(claims),
        "right": sum(bool(skill[order[k]] > skill[order[k + 1]]) for k in claims),
        "best": float((best[0] >= 0.95) != (ranges[0] == (1, 1))),
        "apart": sum((p > 0.95 and not far) or (p < 0.95 and far) for p, far in zip(above, apart, strict=True)),
        "rare": sum(p < 0.01 and a == 1 for p, (a, _) in zip(best, ranges, strict=True)),
        "inverted": sum(p < 0.5 for p in above),
    }


SUMS = ("claims", "right", "best", "apart", "rare", "inverted")


def main() -> None:
    """Print a row per cell, and write all as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", nargs="+", default=list(FIELDS), choices=FIELDS)
    parser.add_argument("--players", nargs="+", type=int, default=[5, 12])
    parser.add_argument("--each", type=int, default=20, help="matches per player, each counted for two")
    parser.add_argument("--leagues", type=int, default=20)
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"{DRAWS} of a final table, {LIVE} of a live one")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cells = []
    for n in options.players:
        for field in options.fields:
            runs = [judge(*league(field, n, options.each, seed), options.draws) for seed in range(options.leagues)]
            cell = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
            cell |= {key: int(sum(run[key] for run in runs)) for key in SUMS}
            cells.append({"field": field, "players": n, "leagues": options.leagues, **cell})
    machine = machine_line("numpy", "scipy")
    print(machine)
    heads = list(cells[0])
    print(table(heads, [[cell[head] for head in heads] for cell in cells]))
    if options.json is not None:
        options.json.write_text(
            json.dumps({"machine": machine, "each": options.each, "draws": options.draws, "cells": cells}, indent=1)
            + "\n"
        )


if __name__ == "__main__":
    main()
