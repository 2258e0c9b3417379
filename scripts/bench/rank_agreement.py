"""Ranks 20 bots that are no anchors twice, on different seeds, and counts how often the two rankings agree.

Two figures agree if their difference is at most 1.96 times its standard error. The anchors' ratings are the same in
both runs, so this tests the error of the matches and not that of the anchors.

    .venv/bin/python scripts/bench/rank_agreement.py --record     writes the claims, minutes
"""

from __future__ import annotations

import argparse
import itertools
import math
from tempfile import TemporaryDirectory
from time import process_time

from _bench import machine_line
from _claims import Claim, record

from league.rank import Ranking, rank_model

SIMULATIONS = (2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 16, 18, 24, 28, 32, 40, 48, 60, 80, 120)
SEEDS = (1, 2)
_Z = 1.96

Estimate = tuple[float, float]
"""rating and standard error"""


def main() -> None:
    """Ranks all bots and prints the shares that agree."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--record", action="store_true", help="write the claims")
    options.add_argument("--width", type=float, default=4.0, help="as in arena rank")
    chosen = options.parse_args()
    ranked: list[tuple[Ranking, Ranking]] = []
    began = process_time()
    for simulations in SIMULATIONS:
        one, two = (ranking(f"mcts(simulations={simulations})", seed, chosen.width) for seed in SEEDS)
        ranked.append((one, two))
        print(f"{one.model}: {_text(one)} and {_text(two)}, {one.matches} and {two.matches} matches", flush=True)
    means = [(_mean(one), _mean(two)) for one, two in ranked]
    games = [
        ((a.rating, (a.high - a.low) / (2 * _Z)), (b.rating, (b.high - b.low) / (2 * _Z)))
        for one, two in ranked
        for a, b in zip(one.games, two.games, strict=True)
    ]
    pairs = [(_difference(a[0], b[0]), _difference(a[1], b[1])) for a, b in itertools.combinations(means, 2)]
    claims = [
        Claim.share("Of 20 bots ranked twice on different seeds, means that agree", *_agreeing(means)),
        Claim.share("their ratings per game that agree", *_agreeing(games)),
        Claim.share("gaps between two of them that agree", *_agreeing(pairs)),
    ]
    for claim in claims:
        print(f"{claim.claim}: {claim.figure}, {claim.interval}")
    print(f"{(process_time() - began) / (2 * len(ranked)):.1f} CPU seconds for each ranking, {machine_line()}")
    if chosen.record:
        record(claims)


def ranking(model: str, seed: int, width: float) -> Ranking:
    """Ranks a model in a store of its own."""
    with TemporaryDirectory() as folder:
        return rank_model(model, db=f"sqlite:///{folder}/rank.db", seed=seed, width=width, board="off")


def _mean(ranked: Ranking) -> Estimate:
    return ranked.rating, (ranked.high - ranked.low) / (2 * _Z)


def _difference(one: Estimate, other: Estimate) -> Estimate:
    return one[0] - other[0], math.hypot(one[1], other[1])


def _agreeing(estimates: list[tuple[Estimate, Estimate]]) -> tuple[int, int]:
    """Returns how many pairs agree, and how many there are."""
    gaps = [_difference(one, other) for one, other in estimates]
    return sum(abs(gap) <= _Z * error for gap, error in gaps), len(gaps)


def _text(ranked: Ranking) -> str:
    return f"{ranked.rating:.1f} ({ranked.low:.1f} to {ranked.high:.1f})"


if __name__ == "__main__":
    main()
