"""What a planner of tax-v0 and an evolver of evolve-v0 could earn by their choices: from random play to the optimum.

    python scripts/bench/left_to_learn.py [--runs runs/systems] [--seeds 3] [--matches 60]

Tax: the game of tax_train.toml, workers that respond best with hours in tens, all first rates. Evolve: at each choice
of an evolver the mean pay of each variant follows from the exact probability that a solver is right; solvers and
evolver are the last snapshots of `train_systems.py` (trial "c2-evo uniform"). Costs of repetition are left out. With
`--runs` the choices of trained planners (trials "tax planner" and "tax planner-whiten") are there too.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from pathlib import Path

from _bench import machine_line, table

import games
from arena import event_loop
from arena.players.player import Player, View
from games import TextGame
from games.native.common.rewards import gaussian
from games.native.tax.economy import Economy, grid_optimum
from games.native.tax.game import TaxGame
from games.native.tax.rules import DELTAS
from games.randomness import RandomStream
from league.runs import stored_players

TAX = "tax-v0(workers=2,years=3,terms=1,brackets=1,closed=True,economies=8)"
EVOLVE = "evolve-v0(solvers=4,size=4)"
Start = tuple[Economy, int]


def main() -> None:
    """Print both tables."""
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


def snapshots(given: argparse.Namespace, trial: str, name: str) -> list[tuple[Path, Player]]:
    """The last snapshot of each seed's run of a trial."""
    found = [given.runs / f"{trial}-{seed}" for seed in range(given.seeds)]
    there = [path for path in found if (path / "summary.json").exists()]
    return [(path, stored_players.make(name, db=f"sqlite:///{path}/arena.db")) for path in there]


def planners(given: argparse.Namespace) -> list[tuple[str, float]]:
    """Scripted planners, the best one, and trained ones."""
    game = games.make(TAX)
    assert isinstance(game, TaxGame)
    starts: dict[Start, int] = {}
    for seed in range(400):
        game.reset(seed)
        start = game.economy, game.rates[0]
        starts[start] = starts.get(start, 0) + 1
    plans = list(product(DELTAS, repeat=game.years))

    def mean(of: Callable[[Economy, int], float]) -> float:
        return sum(n * of(*start) for start, n in starts.items()) / sum(starts.values())

    def ends(economy: Economy, rate: int, plan: Sequence[int]) -> float:
        for delta in plan:
            rate = min(100, max(0, rate + delta))
        return welfare(game, economy, rate)

    rows = [("changes at random", mean(lambda e, r: statistics.mean(ends(e, r, plan) for plan in plans)))]
    rows += [(f"always {d:+}", mean(lambda e, r, d=d: ends(e, r, [d] * game.years))) for d in DELTAS]  # type: ignore[misc]
    rows.append(("the best plan for each economy", mean(lambda e, r: max(ends(e, r, plan) for plan in plans))))
    for trial in ("tax-planner", "tax-planner-whiten"):
        for path, player in snapshots(given, trial, "tax-train@40"):
            rows.append((path.name, trained(player, game, given.matches)))
    return rows


def welfare(game: TaxGame, economy: Economy, rate: int) -> float:
    """The planner's reward at a rate, if workers respond best."""
    hours = [10 * round(economy.best_hours((rate,), wage) / 10) for wage in economy.wages]
    return min(1.0, economy.welfare(game.kind, (rate,), hours) / grid_optimum(economy, game.kind).welfare)


def trained(player: Player, game: TaxGame, matches: int) -> float:
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
                wages = zip(game.workers, game.economy.wages, strict=True)
                game.apply({s: str(10 * round(game.economy.best_hours(game.rates, w) / 10)) for s, w in wages})
        paid.append(game.returns()["planner"])
    return statistics.mean(paid)


def evolver(player: Player, matches: int) -> tuple[float, float, float, float]:
    """The mean pay of the evolver's policy, of any choice and of the best one; the probability of a right answer."""
    game, right = games.make(EVOLVE), dict[str, float]()
    for a, b in product(range(5), repeat=2):
        game.load_task(f"{a} + {b}")
        game.reset(0)
        right[f"{a} + {b}"] = policy(player, game, game.acting[0])[str(a + b)]
    game.load_task("")
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


def pay(p: float, solvers: int = 4) -> float:
    """The mean pay for a task that each solver answers right with probability p."""
    return sum(comb(solvers, k) * p**k * (1 - p) ** (solvers - k) * gaussian(k / solvers) for k in range(solvers + 1))


def policy(player: Player, game: TextGame, seat: str) -> dict[str, float]:
    """The player's probabilities in a seat."""
    view = View(game, seat, game.spec.seats[seat], game.legal(seat) or (), 0, 0)
    return dict(event_loop.run(player.probabilities(view)) or {})


if __name__ == "__main__":
    main()
