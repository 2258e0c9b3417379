"""How many matches each pairing needs: the real matchmakers and ratings on simulated players.

True skills are normal with a given spread in beta; TrueSkill's model decides each match. Pairings are planned round by
round, --flight matches each, with both seat orders. After every round each rating method reports:

    order    matches until Spearman's rank correlation with the truth is 0.95 and stays there for 3 rounds
    best     matches until the best player is first and stays there for 20 rounds
    covered  share of true skills inside the 95% intervals after --cover-at matches per player, or at the end of the
             tournament if that is earlier, among players that played (both centred: ratings have no origin)

`order` and `best` are medians over seeds, `>` if fewer than half of the seeds got there in --limit matches (`mean`:
mean matches until the order, `>` if not all seeds got there). `covered` is the mean with its standard error over
leagues. `Spearman` and `top` (how often the best player is first) belong to the last report: with no --goals, after
--cover-at matches per player.

    .venv/bin/python scripts/bench/simulate.py --cover-at 0 --seeds 200              order and best, half an hour
    .venv/bin/python scripts/bench/simulate.py --policies all --goals --spread 2 0.5 --seeds 48 --methods skill-model
    .venv/bin/python scripts/bench/simulate.py --spread 0.5 --limit 12000 --seeds 20 --policies random rank-all

The order and the best player are different goals: at the other one's each pairing is worse than random. In a close
field (0.5 beta) nothing finds the order in 4,000 matches. A fixed sharper resolution of gaps in rank-all saves 4% in
wide fields, but in a ladder of four it stops looking at wide gaps. Bridging costs rank-all 8% more matches there.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: one process per core, one thread each

import numpy as np
from _bench import machine_line, table

from games.naming import parse_name
from league import matchmaking, ratings
from league.config.tournament import RatingConfig
from league.matchmaking import PairingContext, expand
from league.matchmaking.skill_belief import fit
from league.ratings import GameInfo
from league.ratings.fit.fit import Fit
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch, Result, SeatResult

GAME = "simulated-v0"
GAMES = {GAME: GameInfo("zero_sum", ("a", "b"))}
CONFIG = RatingConfig(draw_probability={GAME: 0.0})
POLICIES = ("random", "round-robin", "swiss", "uncertainty", "information", "rank-all", "find-best")
EVERY = (
    *("random", "round-robin", "gauntlet", "gauntlet(seeds=4)", "swiss"),
    *("uncertainty", "information", "rank-all", "rank-all(mirrored=true)", "find-best"),
)
"""all shipped pairings with their parts; `--policies all`"""
HEAD = ("pairing", "ratings", "order", "mean", "best", "best found", "covered", "Spearman", "top", "s")
HELD_ORDER, HELD_BEST, ORDERED = 3, 20, 0.95


class Setting(NamedTuple):
    """The settings of a simulated league."""

    policy: str
    spread: float
    players: int
    flight: int
    limit: int
    cover_at: int
    methods: tuple[str, ...]
    goals: tuple[str, ...]


class Run(NamedTuple):
    """The result of one seed per rating method; None if a goal was not reached."""

    order: dict[str, int | None]
    best: dict[str, int | None]
    covered: dict[str, float]
    end: dict[str, tuple[float, bool]]
    """Spearman's correlation and whether the best is on top, at the last look"""


Columns = tuple[np.ndarray, np.ndarray, np.ndarray]
"""rating, low and high of every player"""


class Online:
    """A rating method of the arena, read from its leaderboard."""

    def __init__(self, method: str, names: Sequence[str]) -> None:
        self.names, self.ratings = names, ratings.make(method, GAMES, CONFIG, names)

    def read(self, results: Sequence[Result]) -> Columns:
        """The table after a round."""
        self.ratings.add(results)
        rows = {
            row.player: (row.rating, row.low, row.high) for row in self.ratings.snapshot("", MatchCounts()).standings
        }
        rating, low, high = np.array([rows[name] for name in self.names]).T
        return rating, low, high


class Batch:
    """The batch fit of the arena (`skill-model`, or `bradley-terry`), without the boards made from it; each from the
    last one, as the live board's.
    """

    def __init__(self, method: str, names: Sequence[str]) -> None:
        from league.ratings import BradleyTerry, SkillModel
        from league.ratings.comparisons import CountTable

        self.names, self.counts = names, CountTable(GAMES, names)
        self.last: Fit | None = None
        kind = SkillModel if parse_name(method).base == "skill-model" else BradleyTerry
        self.model = kind(CONFIG.mu, CONFIG.beta, **parse_name(method).params)  # type: ignore[arg-type]

    def read(self, results: Sequence[Result]) -> Columns:
        """The fit after a round."""
        self.counts.add(results)
        fit = self.last = self.model.fit(self.counts.counts(), start=self.last)
        place = [fit.players.index(name) for name in self.names]
        low, high = fit.interval()
        return fit.ratings[place], low[place], high[place]


class Planning:
    """The posterior that the adaptive matchmakers plan with."""

    def __init__(self, method: str, names: Sequence[str]) -> None:
        self.place = {name: i for i, name in enumerate(names)}
        self.wins = np.zeros((len(names), len(names)))

    def read(self, results: Sequence[Result]) -> Columns:
        """The fit after a round."""
        for one in results:
            winner, loser = sorted(one.seats, key=lambda seat: -seat.score)
            self.wins[self.place[winner.player], self.place[loser.player]] += 1
        posterior = fit(self.wins)
        centre = np.eye(len(self.wins)) - 1.0 / len(self.wins)
        spread = 1.96 * np.sqrt(np.diag(centre @ posterior.covariance @ centre)) * CONFIG.beta
        rating = posterior.mean * CONFIG.beta
        return rating, rating - spread, rating + spread


class Reading:
    """What one rating method says after a round, against the truth (n,) in beta."""

    def __init__(self, method: str, names: Sequence[str], truth: np.ndarray) -> None:
        kinds = {"bradley-terry": Batch, "skill-model": Batch, "planning": Planning}
        self.method = kinds.get(parse_name(method).base, Online)(method, names)
        self.truth, self.played = truth * CONFIG.beta, np.zeros(len(truth), bool)
        self.place = {name: i for i, name in enumerate(names)}
        self.order: list[bool] = []
        self.best: list[bool] = []
        self.covered = self.spearman = 0.0
        """share of the true skills inside their intervals, and Spearman's correlation with them, at the last look"""

    def read(self, results: Sequence[Result]) -> None:
        """Add the matches played since the last look."""
        rating, low, high = self.method.read(results)
        self.played[[self.place[seat.player] for one in results for seat in one.seats]] = True
        self.spearman = spearman(rating, self.truth)
        self.order.append(self.spearman >= ORDERED)
        self.best.append(bool(rating.argmax() == self.truth.argmax()))
        of = self.played
        truth = self.truth - self.truth[of].mean() + rating[of].mean()
        self.covered = float(((low <= truth) & (truth <= high))[of].mean())


def simulate(setting: Setting, seed: int) -> Run:
    """One league from its first match until all goals are known, or the limit."""
    rng = np.random.default_rng(seed)
    names = [f"p{i:03d}" for i in range(setting.players)]
    skill = dict(zip(names, rng.normal(0.0, setting.spread, setting.players).tolist(), strict=True))
    truth = np.array(list(skill.values()))
    field = PairingContext(dict.fromkeys(names), GAMES, 1_000_000, seed)
    readings = {method: Reading(method, names, truth) for method in setting.methods}
    maker = matchmaking.make(setting.policy)
    log: list[Result] = []
    at: list[int] = []
    seen = 0
    covered: dict[str, float] = {}
    for _ in rounds(maker, field, log, skill, rng, setting):
        due = bool(setting.cover_at) and not covered and len(log) >= setting.cover_at * setting.players / 2
        if setting.goals or due:
            look(readings, log[seen:])
            at.append(len(log))
            seen = len(log)
        covered = {method: r.covered for method, r in readings.items()} if due else covered
        done = bool(covered) or not setting.cover_at
        if len(log) >= setting.limit or (done and all(settled(r, setting.goals) for r in readings.values())):
            break
    if setting.cover_at and not covered:  # the tournament or --limit ended earlier
        look(readings, log[seen:])
        covered = {method: r.covered for method, r in readings.items()}
    return Run(
        {method: first(at, r.order, HELD_ORDER) for method, r in readings.items()},
        {method: first(at, r.best, HELD_BEST) for method, r in readings.items()},
        covered,
        {method: (r.spearman, r.best[-1]) for method, r in readings.items()},
    )


def look(readings: Mapping[str, Reading], results: Sequence[Result]) -> None:
    """Add the matches since the last look to every rating method."""
    for reading in readings.values():
        reading.read(results)


def rounds(
    maker: matchmaking.Matchmaker,
    field: PairingContext,
    log: list[Result],
    skill: dict[str, float],
    rng: np.random.Generator,
    setting: Setting,
) -> Iterable[list[Result]]:
    """Results in blocks of `flight`; `log` grows by each. A planned round larger than that is read in parts."""
    plan: list[PlannedMatch] = []
    round = 0
    while True:
        while len(plan) < setting.flight and (maker.ahead or not plan):
            pairings = maker.next(field, round, () if maker.ahead else log)
            if pairings is None:
                return
            start = len(log) + len(plan)
            plan += expand(pairings, field.games, run="s", seed=field.seed, round=round, start=start)
            round += 1
        block, plan = plan[: setting.flight], plan[setting.flight :]
        results = [result(planned, skill, rng) for planned in block]
        log += results
        yield results


def result(planned: PlannedMatch, skill: dict[str, float], rng: np.random.Generator) -> Result:
    """A match by TrueSkill's model: the better performance wins."""
    seats = planned.match.seats
    shown = {seat: skill[player] + rng.standard_normal() for seat, player in seats.items()}
    winner = max(shown, key=shown.__getitem__)
    rows = tuple(SeatResult(seat, seat, player, 1.0 if seat == winner else -1.0) for seat, player in seats.items())
    match = planned.match
    return Result(planned.index, planned.round, planned.pairing, match.id, GAME, match.seed, "finished", "", rows, 0.0)


def settled(reading: Reading, goals: Sequence[str]) -> bool:
    """Whether all goals were reached and held."""
    seen = {"order": (reading.order, HELD_ORDER), "best": (reading.best, HELD_BEST)}
    return all(first(seen[goal][0], *seen[goal]) is not None for goal in goals)


def first(at: Sequence[int], good: Sequence[bool], held: int) -> int | None:
    """The first entry of `at` from which `good` holds the given number of times in a row."""
    run = 0
    for i, ok in enumerate(good):
        run = run + 1 if ok else 0
        if run == held:
            return at[i - held + 1]
    return None


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Rank correlation; no ties are expected."""
    ranks = [np.argsort(np.argsort(x)) for x in (a, b)]
    return float(np.corrcoef(*ranks)[0, 1])


def median(values: Sequence[int | None]) -> str:
    """The median with None as infinite."""
    middle = statistics.median(float("inf") if v is None else v for v in values)
    return ">" if middle == float("inf") else f"{middle:.0f}"


def mean(values: Sequence[int | None]) -> str:
    """The mean, where every seed got there."""
    reached = [v for v in values if v is not None]
    return f"{statistics.mean(reached):.0f}" if len(reached) == len(values) else ">"


def share_of(shares: Sequence[float]) -> str:
    """The mean over leagues and its standard error."""
    if len(shares) < 2:
        return "–"
    return f"{statistics.mean(shares):.1%} ± {statistics.stdev(shares) / len(shares) ** 0.5:.1%}"


def main() -> None:
    """Print one table per spread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policies", nargs="+", default=POLICIES, help="matchmakers by name, parameters included")
    parser.add_argument("--methods", nargs="+", default=["trueskill", "skill-model"], help="rating methods by name")
    parser.add_argument("--spread", nargs="+", type=float, default=[2.0], help="sd of the true skills in beta")
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--flight", type=int, default=32, help="matches in flight")
    parser.add_argument("--limit", type=int, default=2560, help="matches at most")
    parser.add_argument("--cover-at", type=int, default=40, help="matches per player for the intervals; 0: do not look")
    parser.add_argument("--goals", nargs="*", default=["order", "best"], help="stop a league once these are known")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    seeds = range(given.first, given.first + given.seeds)
    policies = EVERY if given.policies == ["all"] else given.policies
    for spread in given.spread:
        size = f"{given.players} players, spread {spread:g} beta, {given.flight} in flight"
        print(f"\n{size}, seeds {seeds[0]}-{seeds[-1]}")
        rows = []
        for policy in policies:
            sizes = (given.players, given.flight, given.limit, given.cover_at)
            setting = Setting(policy, spread, *sizes, tuple(given.methods), tuple(given.goals))
            rows += report(setting, seeds, given.jobs)
            print(*table(HEAD, rows).splitlines()[-len(given.methods) :], sep="\n", file=sys.stderr, flush=True)
        print(table(HEAD, rows), flush=True)


def report(setting: Setting, seeds: range, jobs: int) -> list[list[object]]:
    """One row per rating method."""
    start = time.perf_counter()
    with ProcessPoolExecutor(jobs) as pool:
        runs = list(pool.map(functools.partial(simulate, setting), seeds))
    seconds = time.perf_counter() - start
    rows: list[list[object]] = []
    for method in setting.methods:
        order, best = [r.order[method] for r in runs], [r.best[method] for r in runs]
        found = f"{sum(n is not None for n in best) / len(runs):.0%}"
        share = share_of([run.covered[method] for run in runs if run.covered])
        ends = [run.end[method][0] for run in runs]
        error = f" ± {statistics.stdev(ends) / len(ends) ** 0.5:.3f}" if len(ends) > 1 else ""
        top = f"{statistics.mean(run.end[method][1] for run in runs):.0%}"
        rows.append(
            [
                setting.policy,
                method,
                median(order),
                mean(order),
                median(best),
                found,
                share,
                f"{statistics.mean(ends):.3f}{error}",
                top,
                seconds,
            ]
        )
    return rows


if __name__ == "__main__":
    main()
