"""What planners of tax-v0, evolvers of evolve-v1 and proposers of psj-v1 could earn: from random play to the optimum.

    python scripts/bench/left_to_learn.py [--runs runs/systems] [--seeds 3] [--matches 60]

Tax: the game of tax_train.toml, workers that respond best with hours in tens, all first rates. Evolve: at each choice
of an evolver the mean pay of each variant follows from the exact probability that a solver is right; solvers and
evolver are the last snapshots of `train_systems.py` (trial "c2-evo uniform"). Costs of repetition are left out. With
`--runs` the choices of trained planners (trials "tax planner" and "tax planner-whiten") are there too.

Psj: proposer and solvers are the last snapshots of the trial "psj proposer"; the reward of a mixture of questions, with
the mean cost of repetition in a step, follows from the exact probabilities of the right answers.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
from _bench import machine_line, table
from scipy.optimize import minimize

import games
from arena import event_loop
from arena.players.player import Player, View
from games import TextGame
from games.difficulty import gaussian
from games.native.tax.economy import Economy, grid_optimum
from games.native.tax.texts import DELTAS
from games.randomness import RandomStream
from league.runs import stored_players

TAX = "tax-v0(workers=2,years=3,terms=1,brackets=1,economies=8,closed=True)"
EVOLVE = "evolve-v1(solvers=4,size=4)"
PSJ, COST, ASKED = "psj-v1(size=2)", 0.3, 16
"""the game of the trial, what repetition costs in it, and the mean number of questions asked in a step"""
Start = tuple[Economy, int]


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=Path, default=Path("runs/systems"))
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--matches", type=int, default=60)
    given = options.parse_args()
    print(machine_line())
    print(table(("planner", "share of the best welfare"), planners(given)))
    rows = [
        (path.name, *evolver(player, given.matches))
        for path, player in snapshots(given, "c2-evo-uniform", "evolve-train@60")
    ]
    print(table(("evolver", "its choice", "any choice", "best choice", "solver right"), rows))
    rows = [(path.name, *proposer(player)) for path, player in snapshots(given, "psj-proposer", "psj-train@300")]
    print(table(("proposer", "its choice", "any choice", "best choice", "solver right"), rows))


def snapshots(given: argparse.Namespace, trial: str, name: str) -> list[tuple[Path, Player]]:
    """The last snapshot of each seed's run of a trial."""
    found = [given.runs / f"{trial}-{seed}" for seed in range(given.seeds)]
    there = [path for path in found if (path / "summary.json").exists()]
    return [(path, stored_players.make(name, db=f"sqlite:///{path}/arena.db")) for path in there]


def planners(given: argparse.Namespace) -> list[tuple[str, float]]:
    """Scripted planners, the best one, and trained ones."""
    game = games.make(TAX)
    years = 3
    starts: dict[Start, int] = {}
    for seed in range(400):
        game.reset(seed)
        start = economy_of(game), game.data("planner")["rates"][0]
        starts[start] = starts.get(start, 0) + 1
    plans = list(product(DELTAS, repeat=years))

    def mean(of: Callable[[Economy, int], float]) -> float:
        return sum(n * of(*start) for start, n in starts.items()) / sum(starts.values())

    def ends(economy: Economy, rate: int, plan: Sequence[int]) -> float:
        for delta in plan:
            rate = min(100, max(0, rate + delta))
        return welfare(economy, rate)

    rows = [("changes at random", mean(lambda e, r: statistics.mean(ends(e, r, plan) for plan in plans)))]
    rows += [(f"always {d:+}", mean(lambda e, r, d=d: ends(e, r, [d] * years))) for d in DELTAS]  # type: ignore[misc]
    rows.append(("the best plan for each economy", mean(lambda e, r: max(ends(e, r, plan) for plan in plans))))
    for trial in ("tax-planner", "tax-planner-whiten"):
        for path, player in snapshots(given, trial, "tax-train@40"):
            rows.append((path.name, trained(player, game, given.matches)))
    return rows


def economy_of(game: TextGame) -> Economy:
    """The economy of a match."""
    facts = game.facts()
    return Economy(tuple(facts["wages"]), facts["elasticity"], 1)


def welfare(economy: Economy, rate: int) -> float:
    """The planner's reward at a rate, if workers respond best."""
    hours = [10 * round(economy.best_hours((rate,), wage) / 10) for wage in economy.wages]
    return min(1.0, economy.welfare("equality", (rate,), hours) / grid_optimum(economy, "equality").welfare)


def trained(player: Player, game: TextGame, matches: int) -> float:
    """The mean reward of a planner that samples from its policy."""
    paid = []
    for seed in range(matches):
        game.reset(seed)
        stream = RandomStream(seed)
        while game.acting:
            if game.acting == ("planner",):
                chances = policy(player, game, "planner")
                game.apply({"planner": list(chances)[stream.weighted(list(chances.values()))]})
            else:
                wages, rates = zip(game.acting, economy_of(game).wages, strict=True), game.data("planner")["rates"]
                game.apply({s: str(10 * round(economy_of(game).best_hours(rates, w) / 10)) for s, w in wages})
        paid.append(game.returns()["planner"])
    return statistics.mean(paid)


def evolver(player: Player, matches: int) -> tuple[float, float, float, float]:
    """The mean pay of the evolver's policy, of any choice and of the best one; the probability of a right answer."""
    game = games.make(EVOLVE)
    right = solved(player, game, 4)
    own, every, best = [], [], []
    for seed in range(matches):
        game.reset(seed)
        stream = RandomStream(seed)
        answers = {s: policy(player, game, s) for s in game.acting}
        game.apply({s: list(c)[stream.weighted(list(c.values()))] for s, c in answers.items()})
        pays = {task: pay(right[task]) for task in game.legal("evolver") or ()}
        own.append(sum(share * pays[task] for task, share in policy(player, game, "evolver").items()))
        every.append(statistics.mean(pays.values()))
        best.append(max(pays.values()))
    return statistics.mean(own), statistics.mean(every), statistics.mean(best), statistics.mean(right.values())


def proposer(player: Player) -> tuple[float, float, float, float]:
    """The mean reward of the proposer's mixture of questions, of the uniform and of the best one; the solvers' p."""
    game = games.make(PSJ)
    right = solved(player, game, 2)
    mixture = policy(player, game, "proposer")
    paid = [(2 + sum(binomial(right[q], k) * (1 - k / 4) for k in range(1, 5))) / 3 for q in mixture]

    def mean(shares: Sequence[float]) -> float:
        same = 1 / ASKED + (1 - 1 / ASKED) * float(np.square(shares).sum())
        return float(np.dot(shares, paid)) - COST * same

    n = len(paid)
    whole = {"type": "eq", "fun": lambda shares: sum(shares) - 1}
    best = minimize(lambda shares: -mean(shares), np.full(n, 1 / n), bounds=[(0, 1)] * n, constraints=whole)
    return mean(list(mixture.values())), mean([1 / n] * n), -best.fun, statistics.mean(right.values())


def solved(player: Player, game: TextGame, size: int) -> dict[str, float]:
    """The probability of the right answer to each sum up to `size`; the game is then at a question to be asked."""
    right = {}
    for a, b in product(range(size + 1), repeat=2):
        game.load_task(f"{a} + {b}")
        game.reset(0)
        right[f"{a} + {b}"] = policy(player, game, game.acting[0])[str(a + b)]
    game.load_task("")
    game.reset(0)
    return right


def binomial(p: float, k: int, n: int = 4) -> float:
    """The probability of k right answers of n."""
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def pay(p: float, solvers: int = 4) -> float:
    """The mean pay for a task that each solver answers right with probability p."""
    return sum(binomial(p, k, solvers) * gaussian(k / solvers) for k in range(solvers + 1))


def policy(player: Player, game: TextGame, seat: str) -> dict[str, float]:
    """The player's probabilities in a seat."""
    view = View(game, seat, game.spec.seats[seat], game.legal(seat) or (), 0, 0)
    return dict(event_loop.run(player.probabilities(view)) or {})


if __name__ == "__main__":
    main()
