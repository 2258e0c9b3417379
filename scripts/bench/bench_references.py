"""The scripted references of tax and pragmatic: a planner against the grid optimum, levels of the RSA model.

    python scripts/bench/bench_references.py [--matches 100] [--economies 30]

tax: the competent policy in all seats: the share of the best welfare on the grid of rates, by welfare function.
pragmatic: the mean reward of S0 (any string) and S1 with L0 and L1 on the same seeds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping

from _bench import machine_line, table

import arena
import games
from arena import players

MODELS = ("literal", "competent")
WELFARE = ("equality", "inverse", "sum", "lowest")


def main() -> None:
    """Play and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=100)
    options.add_argument("--economies", type=int, default=30)
    given = options.parse_args()
    print(machine_line())
    print(table(("welfare", "mean share", "lowest", "at least 0.95"), [tax(w, given.economies) for w in WELFARE]))
    rows = [(s, *(pragmatic(s, listener, given.matches) for listener in MODELS)) for s in MODELS]
    print(table(("speaker", *MODELS), rows))


def tax(welfare: str, economies: int) -> tuple[str | float, ...]:
    """The planner's shares for one welfare function."""
    game = f"tax(welfare={welfare},terms=1)"
    seats = dict.fromkeys(games.make(game).spec.seats, players.make("policy"))
    found = [returned(game, seats, seed)["planner"] for seed in range(economies)]
    return welfare, statistics.fmean(found), min(found), f"{sum(s >= 0.95 for s in found)} of {economies}"


def pragmatic(speaker: str, listener: str, matches: int) -> float:
    """The mean reward of two policies."""
    seats = {"speaker": players.make(f"policy(name={speaker})"), "listener": players.make(f"policy(name={listener})")}
    return statistics.fmean(returned("pragmatic", seats, seed)["speaker"] for seed in range(matches))


def returned(game: str, seats: Mapping[str, players.Player], seed: int) -> Mapping[str, float]:
    """The returns of one match."""
    return arena.play(game, seats, seed=seed).returns


if __name__ == "__main__":
    main()
