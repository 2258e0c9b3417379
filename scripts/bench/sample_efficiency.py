"""Which pairing finds the best player, and the order, with the fewest matches, in the fields of stress.py.

A league plays 8 matches per player, in rounds of as many matches as there are players, at most 32. After every match
per player the skills are fitted as a live board fits them. A league's figures are means over these eight looks, the
area under its curve of errors:

    regret  by how much the first row is weaker than the best player, in beta
    wrong   share of the pairs of players whose rows are in the wrong order; half of those with equal ratings count,
            such as the pairs of players without a match

All pairings play the same fields (a seed is a field), in which a player's first, second, ... match has the same luck
whoever it meets, so their differences are paired: with the eight looks, that halves their variance. Bounds and verdicts
hold together for all comparisons (Bonferroni's intervals, Holm's test, at 95%). `quality` plays the most even
pairs by TrueSkill's match quality, first those of the players with the fewest matches, `information` is active sampling
by expected information, both without the matches that this package adds to test wide gaps; these two, and random pairs,
play single matches, which says more than two on exchanged seats. Players that change, few tasks, draws and equal
players are not measured.

    .venv/bin/python scripts/bench/sample_efficiency.py --players 8 --leagues 60
    .venv/bin/python scripts/bench/sample_efficiency.py --dump FILE --record     resumes with the leagues in FILE
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table
from _claims import Claim, record
from scipy.stats import t as student
from stress import CONFIG, FIELDS, GAMES, Setting, league

from league import matchmaking
from league.matchmaking.adaptive import Greedy
from league.matchmaking.arrays import Array
from league.matchmaking.skill_belief import WIDTH, SkillBelief
from league.ratings import SkillModel, TrueSkill
from league.ratings.comparisons import CountTable
from league.records.matches import Result

LOOKS = tuple(range(1, 9))
"""matches per player"""
RULES = {"regret": "find-best", "wrong": "rank-all"}
GOALS = {"regret": "regret of the first row in beta", "wrong": "share of pairs of players in the wrong order"}
OTHERS = ("quality", "swiss", "information", "random")
IDS = {
    "quality": "quality(bridge=0.0, mirrored=false)",
    "information": "information(bridge=0.0, mirrored=false)",
    "random": "random(mirrored=false)",
}
_MODEL = SkillModel(CONFIG.mu, CONFIG.beta)
LEAGUES = {8: 40, 32: 32, 128: 4}
LEVEL = 0.05
"""the probability of any wrong statement"""


class Quality(Greedy):
    """The most even pairs by TrueSkill's match quality, everyone equally often: quality alone prefers players whose
    skills are certain, and would leave half of 128 players without a match.
    """

    _rules = TrueSkill(mu=0.0, sigma=WIDTH, beta=1.0)

    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns the quality of each pair, at most 1, and how many fewer matches than others both played, (n, n)."""
        played = meetings.sum(1)
        fewer = played.max() - played
        value: Array = self._rules.qualities(belief.mean, np.sqrt(np.diag(belief.covariance)))
        return value + np.add.outer(fewer, fewer)


matchmaking.register("quality")(Quality)


class Task(NamedTuple):
    """One league."""

    players: int
    field: str
    pairing: str
    seed: int

    @property
    def key(self) -> str:
        """What tells it from other leagues."""
        return json.dumps(self)

    def run(self) -> dict[str, float]:
        """Plays it; returns its figures."""
        pairing = IDS.get(self.pairing, self.pairing)
        world, field, rounds = league(Setting(self.field, self.players, pairing, LOOKS[-1], 0), self.seed)
        counts, log, looks, fit = CountTable(GAMES, list(field.players)), list[Result](), [], None
        for look in LOOKS:
            while len(log) < look * self.players:
                log += next(rounds)
            since = LOOKS[len(looks) - 1] * self.players if looks else 0
            counts.add(log[since : look * self.players])
            fit = _MODEL.fit(counts.counts(), start=fit)  # without the draws of a board, which only intervals need
            looks.append(_judge(world.skill, fit.ratings[[fit.players.index(name) for name in field.players]]))
        return {goal: statistics.mean(one[goal] for one in looks) for goal in GOALS}


def _judge(skill: Array, rating: Array) -> dict[str, float]:
    a, b = np.triu_indices(len(skill), 1)
    agree = (skill[a] - skill[b]) * (rating[a] - rating[b])
    wrong = float((agree < 0.0).mean() + 0.5 * (agree == 0.0).mean())
    return {"regret": float(skill.max() - skill[rating.argmax()]), "wrong": wrong}


class Gain(NamedTuple):
    """How much higher the figures of another pairing are, on average over leagues, and its standard error."""

    mean: float
    error: float
    leagues: int

    @classmethod
    def of(cls, rule: Sequence[float], other: Sequence[float]) -> Gain:
        """Returns it for figures of the same leagues."""
        gaps = np.subtract(other, rule)
        return cls(float(gaps.mean()), float(gaps.std(ddof=1)) / len(gaps) ** 0.5, len(gaps))

    def reach(self, comparisons: int) -> float:
        """Returns half of an interval that holds for so many comparisons together (Student, Bonferroni)."""
        return float(student.ppf(1.0 - LEVEL / (2 * comparisons), self.leagues - 1)) * self.error

    @property
    def p(self) -> float:
        """The probability of such a difference, to either side, between pairings that are equally good."""
        return float(2.0 * student.sf(abs(self.mean) / self.error, self.leagues - 1)) if self.error else 1.0


def decided(gains: Sequence[Gain]) -> list[bool]:
    """Returns which differences hold, all of them with 95% (Holm, "A simple sequentially rejective multiple test
    procedure", 1979).
    """
    order = sorted(range(len(gains)), key=lambda place: gains[place].p)
    steps = [gains[place].p * (len(gains) - rank) < LEVEL for rank, place in enumerate(order)]
    kept = set(order[: [*steps, False].index(False)])
    return [place in kept for place in range(len(gains))]


Runs = Mapping[Task, Mapping[str, float]]


def figures(runs: Runs, n: int, pairing: str, goal: str) -> dict[str, list[float]]:
    """Returns the figures of a pairing in each field, by seed."""
    tasks = sorted(task for task in runs if task.players == n and task.pairing == pairing)
    return {field: [runs[task][goal] for task in tasks if task.field == field] for field in FIELDS}


Cell = tuple[int, str, str, str]
"""players, goal, other pairing, field"""


def claims_of(runs: Runs, numbers: Sequence[int], goals: Sequence[str], others: Sequence[str]) -> list[Claim]:
    """Returns a claim of each rule against each other pairing, and one of what the best of these may be ahead."""
    cells: dict[Cell, Gain] = {}
    for n, goal, other in product(numbers, goals, others):
        ours, theirs = figures(runs, n, RULES[goal], goal), figures(runs, n, other, goal)
        cells |= {(n, goal, other, f): Gain.of(ours[f], theirs[f]) for f in FIELDS if ours[f]}
    holds = dict(zip(cells, decided(list(cells.values())), strict=True))
    out, pooled = list[Claim](), len(numbers) * len(goals) * len(others)
    for n, goal in product(numbers, goals):
        for other in others:
            out.append(_against(cells, holds, (n, goal, other), pooled))
        each = {cell[2:]: one for cell, one in cells.items() if cell[:2] == (n, goal)}
        most = {cell: one.reach(len(cells)) - one.mean for cell, one in each.items()}
        (other, field), bound = max(most.items(), key=lambda item: item[1])
        text = f"{n} players: {GOALS[goal]}, the most that any other pairing is ahead of {RULES[goal]} in any field"
        where = f"upper bound, that of {other} in {field}; intervals of {len(cells)} comparisons together"
        out.append(Claim(text, f"{bound:.3f}", where))
    return out


def _against(cells: Mapping[Cell, Gain], holds: Mapping[Cell, bool], of: tuple[int, str, str], pooled: int) -> Claim:
    n, goal, other = of
    each = {cell[3]: one for cell, one in cells.items() if cell[:3] == of}
    mean = statistics.mean(one.mean for one in each.values())
    error = sum(one.error**2 for one in each.values()) ** 0.5 / len(each)
    total = sum(one.leagues for one in each.values())
    reach = Gain(mean, error, total - len(each) + 1).reach(pooled)
    ahead, behind = (
        ", ".join(f for f, one in each.items() if holds[(*of, f)] and sign * one.mean > 0) or "none" for sign in (1, -1)
    )
    text = f"{mean - reach:.3f} to {mean + reach:.3f}, {total} leagues in {len(each)} fields, {pooled} claims together"
    text += f"; ahead in {ahead}, behind in {behind} (Holm, {len(cells)} tests)"
    return Claim(f"{n} players: {GOALS[goal]}, {other} minus {RULES[goal]}", f"{mean:.3f}", text)


def rows(runs: Runs, n: int, pairings: Sequence[str]) -> list[list[object]]:
    """Returns a row per field and goal: the mean of each pairing."""
    out: list[list[object]] = []
    for goal in GOALS:
        means = [figures(runs, n, pairing, goal) for pairing in pairings]
        for field in [field for field in FIELDS if means[0][field]]:
            out.append([n, goal, field, *(f"{statistics.mean(mean[field]):.3f}" for mean in means)])
        pooled = [statistics.mean(value for values in mean.values() for value in values) for mean in means]
        out.append([n, goal, "all", *(f"{value:.3f}" for value in pooled)])
    return out


def played(tasks: Sequence[Task], file: Path | None, jobs: int) -> Runs:
    """Returns the figures of all leagues; those in the file are not played again."""
    lines = file.read_text().splitlines() if file is not None and file.exists() else []
    runs = dict(map(json.loads, lines))
    missing = [task for task in tasks if task.key not in runs]
    with ProcessPoolExecutor(jobs) as pool:
        for task, run in zip(missing, pool.map(Task.run, missing), strict=True):
            runs[task.key] = run
            if file is not None:
                with file.open("a") as out:
                    out.write(json.dumps([task.key, run]) + "\n")
    return {task: runs[task.key] for task in tasks}


def main() -> None:
    """Prints the means of all cells, and the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", nargs="+", type=int, default=list(LEAGUES))
    parser.add_argument("--fields", nargs="+", default=list(FIELDS), choices=FIELDS)
    parser.add_argument("--pairings", nargs="+", default=[*RULES.values(), *OTHERS])
    parser.add_argument("--leagues", nargs="+", type=int, help="of each field, for each number of players")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--dump", type=Path, help="a file with a JSON line for each league")
    parser.add_argument("--record", action="store_true", help="write the claims")
    given = parser.parse_args()
    leagues = given.leagues or [LEAGUES[n] for n in given.players]
    tasks = [
        Task(n, field, pairing, given.first + k)
        for n, number in zip(given.players, leagues, strict=True)
        for k in range(number)
        for field in given.fields
        for pairing in given.pairings
    ]
    runs = played(tasks, given.dump, given.jobs)
    print(machine_line("numpy", "scipy"))
    cells = [row for n in given.players for row in rows(runs, n, given.pairings)]
    print(table(("n", "goal", "field", *given.pairings), cells))
    others = [pairing for pairing in OTHERS if pairing in given.pairings]
    goals = [goal for goal, rule in RULES.items() if rule in given.pairings]
    claims = claims_of(runs, given.players, goals, others)
    for one in claims:
        print(f"{one.claim}: {one.figure} ({one.interval})")
    if given.record:
        record(claims, "numpy", "scipy", local="--dump")


if __name__ == "__main__":
    main()
