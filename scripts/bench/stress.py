"""How far the numbers of a board can be trusted: the real matchmakers, ratings and stop rules on difficult fields.

Skills are in beta; TrueSkill's model decides each match. Every league plays --each matches per player, in rounds of at
most as many matches as there are players (or of --batch). For each field, size and pairing the table shows, with
standard errors over leagues:

    covered   share of true skills inside their 95% intervals (both centred: ratings have no origin)
    ranks     leagues in which every true rank is inside its range; the ranges claim 95%
    claims    share of correct rows among those with `above next` of 95% or more
    warned    leagues whose board says that gaps depend on the prior

`--dump FILE` adds a JSON line per league, with `moves` and `loose`, from which the warning follows
(`league.ratings.fit.prior_sensitivity`). All cells advance together, one league after another, and leagues that FILE
holds already are not played again: an interrupted measurement goes on.

    .venv/bin/python scripts/bench/stress.py                              20 CPU minutes
    .venv/bin/python scripts/bench/stress.py --best --leagues 200         wrong bests of `[stop] ranked = 0.95, top = 1`

Without bridging and the averaging over groups, intervals covered 17 to 54% in two clusters of 64 players by pairings
that follow results. With both, fields without cycles were covered by 91 to 100%, except two clusters of 64 by find-best
(77%, warned in 97% of leagues): the weak half has few matches, and the fit is too sure of players that it puts into the
wrong half. Cycles are covered by 82 to 88%. A constant hedge against a wrong prior covered 64 players by 2 points too
much, so it falls with their number beyond 8. At the stop 15 of 920 best players were wrong, as many as the fit claims,
although each league is looked at 24 times; the wrong ones are within 0.1 beta of the best.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: one process per core, one thread each

import numpy as np
from _bench import machine_line, table

from league import matchmaking
from league.config.tournament import RatingConfig, StopConfig
from league.matchmaking import PairingContext, expand
from league.ratings import GameInfo
from league.ratings.engine import RatingEngine
from league.ratings.fit.fit import Fit
from league.ratings.fit.prior_sensitivity import dependence
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import PlannedMatch, Result, SeatResult
from league.records.run_spec import RunSpec
from league.stopping.monitor import StopMonitor

GAME = "simulated-v0"
GAMES = {GAME: GameInfo("zero_sum", ("a", "b"))}
CONFIG = RatingConfig(draw_probability={GAME: 0.0})
PAIRINGS = ("round-robin", "swiss", "uncertainty", "rank-all", "find-best")


class World(NamedTuple):
    """The truth: `skill` (n,), `edge` of the first seat, and `cycle` (n, n), antisymmetric, beside skill."""

    skill: np.ndarray
    edge: float
    cycle: np.ndarray


def _world(skill: np.ndarray, edge: float = 0.0, cycle: np.ndarray | None = None) -> World:
    return World(skill, edge, np.zeros((len(skill), len(skill))) if cycle is None else cycle)


def _clusters(rng: np.random.Generator, n: int) -> World:
    """Half of the field 4 beta above the other half, 0.3 beta within a half."""
    return _world(np.where(np.arange(n) % 2, 2.0, -2.0) + rng.normal(0.0, 0.3, n))


def _champion(rng: np.random.Generator, n: int) -> World:
    """One player 4 beta above the middle of a field of 0.5 beta."""
    skill = rng.normal(0.0, 0.5, n)
    skill[0] = 4.0
    return _world(skill)


def _cycles(rng: np.random.Generator, n: int) -> World:
    """Half of the variance of the gaps is a disc of rock, paper and scissors, which is even against the whole field."""
    skill, (u, v) = rng.normal(0.0, 1.0, n), rng.normal(0.0, 1.0, (2, n))
    u, v = u - u.mean(), v - v.mean()
    return _world(skill, cycle=np.outer(u, v) - np.outer(v, u))


FIELDS: dict[str, Callable[[np.random.Generator, int], World]] = {
    "normal 2": lambda rng, n: _world(rng.normal(0.0, 2.0, n)),
    "normal 0.5": lambda rng, n: _world(rng.normal(0.0, 0.5, n)),
    "t3": lambda rng, n: _world(rng.standard_t(3, n)),
    "seat edge": lambda rng, n: _world(rng.normal(0.0, 1.0, n), edge=1.0),
    "clusters": _clusters,
    "champion": _champion,
    "cycles": _cycles,
}


class Setting(NamedTuple):
    """The settings of a simulated league; `batch` 0: one match per player in flight, at most 32."""

    field: str
    players: int
    pairing: str
    each: int
    batch: int
    every: int = 20
    ranked: float = 0.95
    limit: int = 3000


class Table(NamedTuple):
    """The result of one league."""

    covered: float
    ranks: bool
    inside: float
    claims: int
    right: int
    warned: bool
    width: float
    moves: float
    loose: float


def league(setting: Setting, seed: int) -> tuple[World, PairingContext, Iterator[list[Result]]]:
    """The truth, the field, and the rounds as they are played."""
    n = setting.players
    rng = np.random.default_rng([seed, n, *setting.field.encode()])
    world = FIELDS[setting.field](rng, n)
    names = [f"p{i:03d}" for i in range(n)]
    field = PairingContext(dict.fromkeys(names), GAMES, 1_000_000, seed)
    batch = setting.batch or min(32, n)
    adaptive = setting.pairing.partition("(")[0] not in ("round-robin", "swiss")
    pairing = setting.pairing
    if adaptive:
        pairing = f"{pairing[:-1]}, batch={batch})" if "(" in pairing else f"{pairing}(batch={batch})"
    luck = [np.random.default_rng([seed, n, *setting.field.encode(), player]) for player in range(n)]
    return world, field, _rounds(matchmaking.make(pairing), field, world, luck)


def _rounds(
    maker: matchmaking.Matchmaker, field: PairingContext, world: World, luck: Sequence[np.random.Generator]
) -> Iterator[list[Result]]:
    place = {name: i for i, name in enumerate(field.players)}
    log: list[Result] = []
    for round in range(1_000_000):
        pairings = maker.next(field, round, () if maker.ahead else log)
        if pairings is None:
            return
        planned = expand(pairings, field.games, run="s", seed=field.seed, round=round, start=len(log))
        results = [_result(one, place, world, luck) for one in planned]
        log += results
        yield results


def _result(planned: PlannedMatch, place: dict[str, int], world: World, luck: Sequence[np.random.Generator]) -> Result:
    """The result of a match. A player's first, second, ... match of a seed has the same luck whatever the pairing."""
    match = planned.match
    i, j = (place[player] for player in match.seats.values())
    gap = world.skill[i] - world.skill[j] + world.edge + world.cycle[i, j]
    won = gap + luck[i].normal() - luck[j].normal() > 0.0
    scores = (1.0, -1.0) if won else (-1.0, 1.0)
    rows = tuple(SeatResult(seat, seat, p, s) for (seat, p), s in zip(match.seats.items(), scores, strict=True))
    return Result(planned.index, planned.round, planned.pairing, match.id, GAME, match.seed, "finished", "", rows, 0.0)


def judge(snapshot: Leaderboard, fit: Fit, world: World) -> Table:
    """The board and its fit against the truth."""
    rows = [row for row in snapshot.standings if row.bt_rating is not None]
    who = np.array([int(row.player[1:]) for row in rows])
    rating = np.array([row.bt_rating for row in rows])
    low, high = np.array([row.bt_low for row in rows]), np.array([row.bt_high for row in rows])
    skill = world.skill[who] * CONFIG.beta
    truth = skill - skill.mean() + rating.mean()
    rank = np.argsort(np.argsort(-skill)) + 1
    inside = [row.rank_low <= r <= row.rank_high for row, r in zip(rows, rank, strict=True)]  # type: ignore[operator]
    claimed = [i for i, row in enumerate(rows[:-1]) if (row.above_next or 0.0) >= 0.95]
    right = sum(bool(skill[i] > skill[i + 1]) for i in claimed)
    width = np.mean([row.rank_high - row.rank_low + 1 for row in rows])  # type: ignore[operator]
    covered = float(((low <= truth) & (truth <= high)).mean())
    depends = dependence(fit)
    moves, loose = depends.moves if depends else 0.0, fit.loosest_gap or 0.0
    warned = bool(snapshot.prior)
    return Table(covered, all(inside), float(np.mean(inside)), len(claimed), right, warned, float(width), moves, loose)


def play(setting: Setting, seed: int) -> Table:
    """One league with a given number of matches per player, and its board."""
    world, field, rounds = league(setting, seed)
    ratings, played, wanted = RatingEngine(GAMES, CONFIG, list(field.players)), 0, setting.each * setting.players
    while played < wanted:
        results = next(rounds)[: wanted - played]
        ratings.add(results)
        played += len(results)
    board = ratings.snapshot("", MatchCounts())
    return judge(board, ratings._last[GAME], world)  # the fit that the board shows


class Stopped(NamedTuple):
    """A league that searches for its best player: matches until it stopped, and whether it named a wrong one."""

    matches: int
    stopped: bool
    wrong: bool


def find(setting: Setting, seed: int) -> Stopped:
    """One league until `[stop] ranked, top = 1` ends it."""
    world, field, rounds = league(setting, seed)
    stop = StopConfig(ranked=setting.ranked, top=1, every=setting.every)
    plays = dict.fromkeys(field.players, (GAME,))
    stopping = StopMonitor(RunSpec(name="s", games=GAMES, plays=plays, ratings=CONFIG, stop=stop))
    played = 0
    while not stopping.reason and played < setting.limit:
        results = next(rounds)
        for start in range(0, len(results), setting.every):
            stopping.add(results[start : start + setting.every])
            played += len(results[start : start + setting.every])
            if stopping.reason:
                break
    first = stopping._snapshot.standings[0].player  # the table that the rule looked at
    return Stopped(played, bool(stopping.reason), int(first[1:]) != int(world.skill.argmax()))


def share(values: Sequence[float]) -> str:
    """A mean in percent and its standard error."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{100 * statistics.mean(values):.1f} ± {100 * error:.1f}"


def row_of(setting: Setting, runs: Sequence[Table]) -> list[object]:
    """One line of the table."""
    claims = sum(run.claims for run in runs)
    right = f"{100 * sum(run.right for run in runs) / claims:.1f} of {claims}" if claims else "–"
    return [
        setting.field,
        setting.players,
        setting.pairing,
        share([run.covered for run in runs]),
        share([float(run.ranks) for run in runs]),
        f"{statistics.mean(run.width for run in runs):.1f}",
        right,
        f"{100 * statistics.mean(run.warned for run in runs):.0f}",
    ]


def best_of(setting: Setting, runs: Sequence[Stopped]) -> list[object]:
    """One line of the table of wrong bests."""
    ended = [run for run in runs if run.stopped]
    wrong = share([float(run.wrong) for run in ended]) if ended else "–"
    median = statistics.median(run.matches if run.stopped else setting.limit + 1 for run in runs)
    return [setting.field, setting.players, setting.pairing, len(ended) / len(runs), wrong, median]


HEAD = ("field", "n", "pairing", "covered", "ranks", "width", "claims right", "warned")
HEAD_BEST = ("field", "n", "pairing", "stopped", "wrong best", "matches")


class Task(NamedTuple):
    """One league to simulate."""

    setting: Setting
    best: bool
    seed: int

    def run(self) -> Table | Stopped:
        """Simulate it."""
        return find(self.setting, self.seed) if self.best else play(self.setting, self.seed)

    @property
    def key(self) -> str:
        """What tells it from other leagues."""
        return json.dumps([self.setting, self.best, self.seed])


class Dump:
    """The leagues that were simulated, by the key of their task, and a file that keeps them if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.runs: dict[str, Table | Stopped] = {}
        for line in file.read_text().splitlines() if file is not None and file.exists() else ():
            key, run = json.loads(line)
            self.runs[key] = Stopped(**run) if "stopped" in run else Table(**run)

    def add(self, key: str, run: Table | Stopped) -> None:
        """Keep a league."""
        self.runs[key] = run
        if self._file is not None:
            with self._file.open("a") as out:
                out.write(json.dumps([key, run._asdict()]) + "\n")


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", nargs="+", default=list(FIELDS), choices=FIELDS)
    parser.add_argument("--players", nargs="+", type=int, default=[4, 8, 64])
    parser.add_argument("--pairings", nargs="+", default=PAIRINGS)
    parser.add_argument("--each", type=int, default=20, help="matches per player, each counted for two")
    parser.add_argument("--batch", type=int, default=0, help="matches per round; 0: one per player, at most 32")
    parser.add_argument("--leagues", type=int, default=0, help="0: 100, of more than 16 players 12")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--best", action="store_true", help="look for the best with the stop rule")
    parser.add_argument("--ranked", type=float, default=0.95)
    parser.add_argument("--limit", type=int, default=3000, help="matches after which a league of --best is abandoned")
    parser.add_argument("--every", type=int, default=20, help="matches between two looks of the stop rule")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--dump", type=Path, help="a file with a JSON line for each league")
    given = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    head = HEAD_BEST if given.best else HEAD
    cells = [
        (Setting(field, n, pairing, given.each, given.batch, given.every, given.ranked, given.limit), given.best)
        for n in given.players
        for field in given.fields
        for pairing in given.pairings
    ]
    seeds = range(given.first, given.first + (given.leagues or (100 if max(given.players) <= 16 else 12)))
    found = Dump(given.dump)
    wanted = [Task(*cell, seed) for seed in seeds for cell in cells]
    with ProcessPoolExecutor(given.jobs) as pool:
        missing = [task for task in wanted if task.key not in found.runs]
        for task, run in zip(missing, pool.map(Task.run, missing, chunksize=1), strict=True):
            found.add(task.key, run)
    rows = []
    for setting, best in cells:
        runs = [found.runs[Task(setting, best, seed).key] for seed in seeds]
        rows.append((best_of if best else row_of)(setting, runs))  # type: ignore[arg-type]
    print(table(head, rows), flush=True)


if __name__ == "__main__":
    main()
