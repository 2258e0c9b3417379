"""The scripted references of tax-v0 and pragmatic-v0: a planner against the grid optimum, levels of the RSA model.

    python scripts/bench/bench_references.py [--matches 100] [--economies 30]

tax-v0: the competent policy in all seats: the share of the best welfare on the grid of rates, by welfare function.
pragmatic-v0: the mean reward of speakers S0 to S2 with listeners L0 to L2 on the same seeds; S0 gives any string.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping

from _bench import machine_line, table

import arena
import games
from arena import players

WELFARE = ("equality", "inverse", "sum", "lowest")


def main() -> None:
    """Play and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=100)
    options.add_argument("--economies", type=int, default=30)
    given = options.parse_args()
    print(machine_line())
    print(table(("welfare", "mean share", "lowest", "at least 0.95"), [tax(w, given.economies) for w in WELFARE]))
    rows = [(f"S{s}", *(pragmatic(s, listener, given.matches) for listener in range(3))) for s in range(3)]
    print(table(("speaker", "L0", "L1", "L2"), rows))


def tax(welfare: str, economies: int) -> tuple[str | float, ...]:
    """The planner's shares for one welfare function."""
    game = f"tax(welfare={welfare},terms=1)"
    seats = dict.fromkeys(games.make(game).spec.seats, players.make("policy"))
    found = [returned(game, seats, seed)["planner"] for seed in range(economies)]
    return welfare, statistics.fmean(found), min(found), f"{sum(s >= 0.95 for s in found)} of {economies}"


def pragmatic(speaker: int, listener: int, matches: int) -> float:
    """The mean reward of two levels."""
    seats = {"speaker": players.make(f"rsa(level={speaker})"), "listener": players.make(f"rsa(level={listener})")}
    return statistics.fmean(returned("pragmatic", seats, seed)["speaker"] for seed in range(matches))


def returned(game: str, seats: Mapping[str, players.Player], seed: int) -> Mapping[str, float]:
    """The returns of one match."""
    return arena.play(game, seats, seed=seed).returns


if __name__ == "__main__":
    main()
