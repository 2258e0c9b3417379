"""How many matches the promotion gate saves, and how often it errs, with a look after every pair of matches.

Table 1: matches until the verdict, relative to a fixed-size test with the same error rates (5%, 5%), for candidates
equal to the old policy and stronger by --nelo. Table 2: the same for games with a first-seat advantage in Elo, relative
to a fixed-size test that does not pair the seats. Table 3: repeated looks without a gate; a winner is declared as soon
as a 95% interval excludes one half, checked every ten matches, between equal players.

    .venv/bin/python scripts/bench/bench_gate.py [--trials 1000] [--nelo 50] [--elo 50] [--peeks 2000]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from _bench import machine_line, table

from league.config.tournament import GateConfig
from league.sprt import Gate
from league.sprt import pentanomial as five

BASES = {"few draws": (1, 0, 2, 0, 1), "many draws": (1, 5, 20, 5, 1), "seat decides": (0.05, 0, 0.9, 0, 0.05)}
"""Shares of LL, LD, WL or DD, WD, WW between equals, by how games go."""
EDGES = (0.0, 100.0, 240.0, 400.0)
BOTH = 2.0 * 1.6449
"""Standard deviations between the two hypotheses of a fixed test with errors of 5% and 5%."""


def tilted(strength: float, base: Sequence[float]) -> np.ndarray:
    """Probabilities (5,) with (mean - 1/2) / sd per pair of `strength`: `base`, tilted exponentially."""
    scores, low, high = np.array(five.SCORES), -20.0, 20.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        p = np.array(base) * np.exp(middle * scores)
        p /= p.sum()
        mean, variance = five.moments(p.tolist())
        low, high = (middle, high) if (mean - 0.5) / variance**0.5 < strength else (low, middle)
    return p


def seated(elo: float, edge: float) -> np.ndarray:
    """Probabilities (5,) of a pair without draws: a candidate better by `elo`, the first seat worth `edge`, Elo."""
    first, second = (1.0 / (1.0 + 10.0 ** (-(elo + side * edge) / 400.0)) for side in (1.0, -1.0))
    return np.array([(1 - first) * (1 - second), 0.0, first + second - 2 * first * second, 0.0, first * second])


def ended(p: np.ndarray, nelo: float, trials: int, seed: int = 1) -> tuple[float, float]:
    """Return the share of gates that accept, and the mean number of pairs."""
    rng, accepted, pairs = np.random.default_rng(seed), 0, 0
    for _ in range(trials):
        gate = Gate(GateConfig(nelo1=nelo, max_pairs=10**9))
        while gate.verdict is None:
            any(gate.update(int(place)) is not None for place in rng.choice(5, 256, p=p))
        accepted += gate.verdict == "accept"
        pairs += gate.pairs
    return accepted / trials, pairs / trials


def gates(trials: int, nelo: float) -> list[list[object]]:
    """Return the share accepted, and pairs relative to the fixed test."""
    fixed = (BOTH / five.per_pair(nelo)) ** 2
    rows: list[list[object]] = []
    for name, base in BASES.items():
        for truth in (0.0, nelo):
            accepted, pairs = ended(tilted(five.per_pair(truth), base), nelo, trials)
            rows.append([name, truth, f"{accepted:.1%}", pairs, f"{pairs / fixed:.0%}"])
    return rows


def edges(trials: int, elo: float) -> list[list[object]]:
    """Return the share accepted, and matches relative to a fixed test of single matches with random seats."""
    rows: list[list[object]] = []
    for edge in EDGES:
        mean, variance = five.moments(seated(elo, edge).tolist())
        fixed = BOTH**2 * 0.25 / (mean - 0.5) ** 2
        nelo = (mean - 0.5) / variance**0.5 * five.NELO / 2.0**0.5
        for truth in (0.0, elo):
            accepted, pairs = ended(seated(truth, edge), nelo, trials)
            rows.append([f"{edge:.0f} Elo", truth, f"{accepted:.1%}", 2.0 * pairs, fixed, f"{2.0 * pairs / fixed:.0%}"])
    return rows


def naive(trials: int, matches: int) -> list[list[object]]:
    """Equal players; a winner is declared once a 95% interval excludes one half, checked every ten matches."""
    won = np.random.default_rng(2).random((trials, matches)) < 0.5
    n = np.arange(1, matches + 1)
    share = np.cumsum(won, 1) / n
    reach = 1.96 * np.sqrt(np.maximum(share * (1 - share), 1e-9) / n)
    looks = n[n % 10 == 0] - 1
    above, below = (share - reach > 0.5)[:, looks], (share + reach < 0.5)[:, looks]
    rows: list[list[object]] = []
    for until in (100, 500, matches):
        seen = looks < until
        either, up = (above | below)[:, seen].any(1), above[:, seen].argmax(1)
        down = np.where(below[:, seen].any(1), below[:, seen].argmax(1), matches)
        promoted = above[:, seen].any(1) & (up < down)
        rows.append([until, f"{either.mean():.1%}", f"{promoted.mean():.1%}"])
    return rows


def main() -> None:
    """Print the machine and the three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--nelo", type=float, default=50.0, help="normalised Elo that matters, first table")
    parser.add_argument("--elo", type=float, default=50.0, help="Elo that matters, second table")
    parser.add_argument("--peeks", type=int, default=2000, help="matches of the naive test")
    given = parser.parse_args()
    print(machine_line("numpy"))
    head = ["games", "true nElo", "accepted", "pairs", "of the fixed number"]
    print(table(head, gates(given.trials, given.nelo)), flush=True)
    head = ["first seat worth", "true Elo", "accepted", "matches", "fixed, unpaired", "of the fixed number"]
    print(table(head, edges(given.trials, given.elo)), flush=True)
    print(table(["naive, matches", "a winner is named", "promoted"], naive(max(given.trials, 1000), given.peeks)))


if __name__ == "__main__":
    main()
