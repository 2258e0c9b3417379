"""Which pairing finds the best player, and the order, with the fewest matches, in the fields of stress.py.

A league plays 2, 4 and 8 matches per player, in rounds of as many matches as there are players, at most 32. After each
the skills are fitted as the board fits them. A league's figures are means over the three looks:

    regret  by how much the first row is weaker than the best player, in beta
    wrong   share of the pairs of players whose rows are in the wrong order; half of those with equal ratings count,
            such as the pairs of players without a match

All pairings play the same fields (a seed is a field), so their differences are paired. `quality` plays the most even
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
from itertools import chain
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

LOOKS = (2, 4, 8)
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
LEAGUES = {8: 60, 32: 24, 128: 4}


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
        counts, log, looks = CountTable(GAMES, list(field.players)), list[Result](), []
        for look in LOOKS:
            while len(log) < look * self.players:
                log += next(rounds)
            since = LOOKS[len(looks) - 1] * self.players if looks else 0
            counts.add(log[since : look * self.players])
            fit = _MODEL.fit(counts.counts())  # without the draws of a board, which only intervals need
            looks.append(_judge(world.skill, fit.ratings[[fit.players.index(name) for name in field.players]]))
        return {goal: statistics.mean(one[goal] for one in looks) for goal in GOALS}


def _judge(skill: Array, rating: Array) -> dict[str, float]:
    a, b = np.triu_indices(len(skill), 1)
    agree = (skill[a] - skill[b]) * (rating[a] - rating[b])
    wrong = float((agree < 0.0).mean() + 0.5 * (agree == 0.0).mean())
    return {"regret": float(skill.max() - skill[rating.argmax()]), "wrong": wrong}


def gain(rule: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """Returns how much higher the other's figures are, on average, with the bounds of its 95% interval (Student's)."""
    gaps = np.subtract(other, rule)
    mean, error = float(gaps.mean()), float(student.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1)) / len(gaps) ** 0.5
    return mean, mean - error, mean + error


Runs = Mapping[Task, Mapping[str, float]]


def figures(runs: Runs, n: int, pairing: str, goal: str) -> dict[str, list[float]]:
    """Returns the figures of a pairing in each field, by seed."""
    tasks = sorted(task for task in runs if task.players == n and task.pairing == pairing)
    return {field: [runs[task][goal] for task in tasks if task.field == field] for field in FIELDS}


def claim(runs: Runs, n: int, goal: str, other: str) -> Claim:
    """Returns the claim of one rule against another pairing."""
    rule = RULES[goal]
    ours, theirs = figures(runs, n, rule, goal), figures(runs, n, other, goal)
    each = {field: gain(ours[field], theirs[field]) for field in FIELDS if ours[field]}
    mean, low, high = gain(*(list(chain.from_iterable(one.values())) for one in (ours, theirs)))
    ahead = [field for field, (_, down, _) in each.items() if down > 0]
    behind = [field for field, (_, _, up) in each.items() if up < 0]
    rest = f"ahead in {len(ahead)} fields, behind in {', '.join(behind) or 'none'}, not decided in the others"
    leagues = f"{low:.3f} to {high:.3f}, {sum(map(len, ours.values()))} leagues in {len(each)} fields; {rest}"
    return Claim(f"{n} players: {GOALS[goal]}, {other} minus {rule}", f"{mean:.3f}", leagues)


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
    claims = [claim(runs, n, goal, other) for n in given.players for goal in goals for other in others]
    for one in claims:
        print(f"{one.claim}: {one.figure} ({one.interval})")
    if given.record:
        record(claims, "numpy", "scipy", local="--dump")


if __name__ == "__main__":
    main()
