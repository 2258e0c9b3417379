"""How well a training's checkpoints are ranked with --matches matches each: the real ratings on simulated lineages.

--players successive checkpoints; each is better than its predecessor by `drift` beta on average, with a standard
deviation of `step` beta. Each new checkpoint plays its matches against earlier ones, seats alternating, by TrueSkill's
model:

    ancestors   drawn uniformly from all predecessors
    parent      the direct predecessor
    telling     the predecessors with the most expected information by the current fit (as the pairing `information`)

At the end, means over seeds: Spearman's correlation with the truth, the error in beta (both centred), the share of true
skills inside the 95% intervals. The fit knows neither step nor drift.

    .venv/bin/python scripts/bench/simulate_lineage.py [--seeds 100] [--walks 0.16,0.2 0,1] [--opponents ancestors ...]
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table

from league.matchmaking.information import bits
from league.matchmaking.skill_belief import SkillBelief, information
from league.ratings import BradleyTerry, Counts, TrueSkill
from league.ratings.fit.fit import Fit

BETA = 25.0 / 6.0
WALKS = ("0.16,0.2", "0,1", "0,0.3")
METHODS = ("trueskill", "trueskill, inherited", "bradley-terry", "lineage, no drift", "lineage")

Array = np.ndarray
Reading = tuple[Array, Array, Array]
"""rating, low and high of every checkpoint"""


class Log:
    """Matches so far: places of the first seat, of the second, and 0 or 2 where the first won or lost."""

    def __init__(self, skill: Array, rng: np.random.Generator) -> None:
        self.skill, self.rng = skill, rng
        self.first: list[int] = []
        self.second: list[int] = []
        self.outcome: list[int] = []
        self.names = tuple(f"c{i:03d}" for i in range(len(skill)))
        self.lineage = dict(itertools.pairwise(reversed(self.names)))

    def play(self, new: int, old: int) -> None:
        """A match, the newer one first every second time."""
        a, b = (new, old) if len(self.first) % 2 else (old, new)
        shown = self.skill[[a, b]] + self.rng.standard_normal(2)
        self.first.append(a)
        self.second.append(b)
        self.outcome.append(0 if shown[0] > shown[1] else 2)

    def counts(self) -> Counts:
        """As the batch fit reads them."""
        return Counts.of_matches(self.names, self.first, self.second, self.outcome)


def play(skill: Array, matches: int, opponents: str, seed: int) -> Log:
    """The matches of all checkpoints, one after the other."""
    log, fit = Log(skill, np.random.default_rng([seed, 1])), None
    for new in range(1, len(skill)):
        if opponents == "telling":
            fit = BradleyTerry().fit(log.counts(), log.lineage, start=fit)
            chosen = telling(fit, new, matches)
        else:
            chosen = [new - 1 if opponents == "parent" else int(log.rng.integers(new)) for _ in range(matches)]
        for old in chosen:
            log.play(new, old)
    return log


def telling(fit: Fit, new: int, matches: int) -> list[int]:
    """Choose opponents for the newest; each choice assumes that the previous ones are played."""
    posterior = SkillBelief(fit.ratings / BETA, fit.covariance / BETA**2, 1.0)
    chosen = []
    for _ in range(matches):
        old = int(np.argmax(bits(posterior)[new, :new]))
        posterior = posterior.after_match(new, old, float(information(posterior)[new, old]))
        chosen.append(old)
    return chosen


def online(log: Log, inherit: bool) -> Reading:
    """TrueSkill match by match; `inherit`: a checkpoint starts from its parent, its variance (0.3 beta)^2 larger."""
    rules, n = TrueSkill(tau=0.0), len(log.names)
    mu, sigma, known = np.full(n, rules.mu), np.full(n, rules.sigma), 1
    for a, b, outcome in zip(log.first, log.second, log.outcome, strict=True):
        while inherit and known <= max(a, b):
            mu[known], sigma[known] = mu[known - 1], np.hypot(sigma[known - 1], 0.3 * BETA)
            known += 1
        w, v = (a, b) if outcome == 0 else (b, a)
        mu[w], sigma[w], mu[v], sigma[v] = rules.update(mu[w], sigma[w], mu[v], sigma[v], False)
    return mu, mu - 1.96 * sigma, mu + 1.96 * sigma


def batch(log: Log, method: BradleyTerry, lineage: bool) -> Reading:
    """The batch fit, with its intervals."""
    fit = method.fit(log.counts(), log.lineage if lineage else None)
    return fit.ratings, *fit.interval()


READ: dict[str, Callable[[Log], Reading]] = {
    "trueskill": lambda log: online(log, False),
    "trueskill, inherited": lambda log: online(log, True),
    "bradley-terry": lambda log: batch(log, BradleyTerry(), False),
    "lineage, no drift": lambda log: batch(log, BradleyTerry(drift=0.0), True),
    "lineage": lambda log: batch(log, BradleyTerry(), True),
}


def figures(skill: Array, reading: Reading) -> tuple[float, float, float]:
    """Spearman's correlation, error in beta, share covered."""
    rating, low, high = reading
    truth = (skill - skill.mean()) * BETA + rating.mean()
    ranks = [np.argsort(np.argsort(x)) for x in (rating, truth)]
    error = float(np.sqrt(np.mean((rating - truth) ** 2))) / BETA
    return float(np.corrcoef(*ranks)[0, 1]), error, float(((low <= truth) & (truth <= high)).mean())


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walks", nargs="+", default=WALKS, help="drift,step of the skills in beta")
    parser.add_argument("--opponents", nargs="+", default=["ancestors", "parent", "telling"])
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--matches", type=int, default=2, help="of each new checkpoint")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100)
    given = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    rows: list[list[object]] = []
    for walk, opponents in itertools.product(given.walks, given.opponents):
        drift, step = (float(x) for x in walk.split(","))
        found: dict[str, list[tuple[float, float, float]]] = {method: [] for method in given.methods}
        for seed in range(given.first, given.first + given.seeds):
            skill = np.cumsum(np.random.default_rng(seed).normal(drift, step, given.players))
            log = play(skill, given.matches, opponents, seed)
            for method in given.methods:
                found[method].append(figures(skill, READ[method](log)))
        for method in given.methods:
            order, error, covered = zip(*found[method], strict=True)
            middle = statistics.median(order)
            cells = [f"{statistics.mean(order):.3f}", f"{middle:.3f}", statistics.mean(error)]
            rows.append([drift, step, opponents, method, *cells, f"{statistics.mean(covered):.1%}"])
    head = ["drift", "step", "opponents", "ratings", "Spearman", "median", "error, beta", "covered"]
    seeds = f"seeds {given.first}-{given.first + given.seeds - 1}"
    print(f"{given.players} checkpoints, {given.matches} matches each, {seeds}")
    print(table(head, rows))


if __name__ == "__main__":
    main()
