"""Ranks 20 bots outside the anchors, or other models, twice on different seeds, and counts how often the two agree.

Two figures agree if their difference is at most 1.96 times its standard error. The anchors' ratings are the same in
both runs, so this tests the error of the matches and not that of the anchors.

    .venv/bin/python scripts/bench/rank_agreement.py --record     writes the claims, minutes
    .venv/bin/python scripts/bench/rank_agreement.py --models smollm2-135m --name rank_smollm2 --record
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Sequence
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from _bench import machine_line
from _claims import Claim, record

from league.rank import Ranking, rank_model

SIMULATIONS = (2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 16, 18, 24, 28, 32, 40, 48, 60, 80, 120)
BOTS = [f"mcts(simulations={simulations})" for simulations in SIMULATIONS]
_Z = 1.96

Estimate = tuple[float, float]
"""rating and standard error"""


def main() -> None:
    """Ranks all bots and prints the shares that agree."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--record", action="store_true", help="write the claims")
    options.add_argument("--name", default="", help="of the file of claims; default: that of the script")
    options.add_argument("--width", type=float, default=4.0, help="as in arena rank")
    options.add_argument("--models", nargs="+", default=BOTS, help="default: 20 bots")
    options.add_argument("--seeds", nargs=2, type=int, default=[1, 2])
    chosen = options.parse_args()
    rankings: list[Ranking] = []
    seconds: list[float] = []
    for model in chosen.models:
        for seed in chosen.seeds:
            began = process_time()
            rankings.append(one := ranking(model, seed, chosen.width))
            seconds.append(process_time() - began)
            print(f"{model}: {_text(one)}, {one.matches} matches, {seconds[-1]:.1f} CPU seconds", flush=True)
    ranked = list(zip(rankings[::2], rankings[1::2], strict=True))
    means = [(_mean(one), _mean(two)) for one, two in ranked]
    games = [
        ((a.rating, (a.high - a.low) / (2 * _Z)), (b.rating, (b.high - b.low) / (2 * _Z)))
        for one, two in ranked
        for a, b in zip(one.games, two.games, strict=True)
    ]
    pairs = [(_difference(a[0], b[0]), _difference(a[1], b[1])) for a, b in itertools.combinations(means, 2)]
    what = "20 bots" if chosen.models == BOTS else ", ".join(chosen.models)
    claims = [
        Claim.share(f"Of {what} ranked twice on different seeds, means that agree", *_agreeing(means)),
        Claim.share(f"{what}: ratings per game that agree", *_agreeing(games)),
        *([Claim.share(f"{what}: gaps between two of them that agree", *_agreeing(pairs))] if pairs else []),
        Claim(f"{what}: CPU seconds of a ranking", *_middle(seconds)),
        Claim(f"{what}: matches of a ranking", *_middle([one.matches for one in rankings])),
    ]
    for claim in claims:
        print(f"{claim.claim}: {claim.figure}, {claim.interval}")
    print(machine_line())
    if chosen.record:
        record(claims, name=chosen.name)


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


def _middle(values: Sequence[float]) -> tuple[str, str]:
    """Returns the median, and the lowest and the highest value."""
    return f"{median(values):.0f}", f"{min(values):.0f} to {max(values):.0f}, {len(values)} rankings"


def _text(ranked: Ranking) -> str:
    return f"{ranked.rating:.1f} ({ranked.low:.1f} to {ranked.high:.1f})"


if __name__ == "__main__":
    main()
