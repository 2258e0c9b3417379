"""Rating updates per second: our closed form next to the `trueskill` package, and results through the rating engine.

All rows of a table rate the same games. Each figure is the best of --repeat runs. "x" is the ratio to the package with
its exact backend, scipy.

    .venv/bin/python scripts/bench/bench_ratings.py [--updates 100000] [--results 50000] [--repeat 3]

With --live, it prints instead how the CPU time of a live update (all tables after 20 more results, the mean of
consecutive updates) grows with players, results and games, here and at another commit, which take turns; --record
writes the claims.

    .venv/bin/python scripts/bench/bench_ratings.py --live COMMIT [--repeat 3] [--record]
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from _bench import machine_line, table
from _claims import Claim, record

from league.ratings import GameInfo, OnlineRatings, Rating, TrueSkill
from league.ratings.online.trueskill_package import trueskill
from league.records.matches import Result, SeatResult

SLOW = 100
"""Fraction of the games given to the package, which would take minutes for all."""


def best(run: Callable[[], Any], repeat: int) -> float:
    """Seconds of the shortest of `repeat` runs."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def two_players(updates: int, repeat: int, drawn: bool) -> list[list[object]]:
    """Independent two-player updates: package default, package scipy, ours."""
    rng = np.random.default_rng(1)
    mu_a, mu_b = rng.normal(25, 8, (2, updates))
    sigma_a, sigma_b = rng.uniform(1, 8, (2, updates))
    games = list(zip(*(c.tolist() for c in (mu_a, sigma_a, mu_b, sigma_b)), strict=True))
    ours = TrueSkill()
    few = games[: max(1, updates // SLOW)]
    rates: dict[str, float] = {}
    for backend in (None, "scipy"):
        env = trueskill.TrueSkill(tau=0.0, backend=backend)
        pairs = [(env.create_rating(a, b), env.create_rating(c, d)) for a, b, c, d in few]
        seconds = best(functools.partial(package_rates, env, pairs, drawn), repeat)
        rates[f"trueskill, {backend or 'default (inexact)'}"] = len(few) / seconds
    update = ours.update
    rates["ours, one by one"] = updates / best(lambda: [update(a, b, c, d, drawn) for a, b, c, d in games], repeat)
    name = "draw" if drawn else "win"
    return [[name, how, rate, rate / rates["trueskill, scipy"]] for how, rate in rates.items()]


def package_rates(env: Any, pairs: list[tuple[Any, Any]], drawn: bool) -> None:
    """Updates of the package with an explicit environment."""
    for a, b in pairs:
        trueskill.rate_1vs1(a, b, drawn=drawn, env=env)


def four_players(repeat: int) -> list[list[object]]:
    """Free-for-all of four: the package's factor graph with its backends and with our exact tails."""
    ours, scipy = TrueSkill(), trueskill.TrueSkill(tau=0.0, backend="scipy")
    seats = [Rating(25.0 + i, 5.0) for i in range(4)]
    theirs = [(scipy.create_rating(*r),) for r in seats]
    n = 50
    slow = n / best(lambda: [scipy.rate(theirs, ranks=[0, 1, 2, 3]) for _ in range(n)], repeat)
    fast = n / best(lambda: [ours.rate_ranks(seats, [0, 1, 2, 3]) for _ in range(n)], repeat)
    return [["four seats", "trueskill, scipy", slow, 1.0], ["four seats", "ours", fast, fast / slow]]


def all_pairs(repeat: int, players: int = 64) -> list[list[object]]:
    """Milliseconds for the match quality of every two players."""
    ours, rng = TrueSkill(), np.random.default_rng(3)
    mu, sigma = rng.normal(25.0, 8.0, players), rng.uniform(1.0, 8.0, players)
    env = trueskill.TrueSkill(tau=0.0)
    made = [env.create_rating(*one) for one in zip(mu.tolist(), sigma.tolist(), strict=True)]
    slow = best(lambda: [trueskill.quality_1vs1(a, b, env=env) for a, b in combinations(made, 2)], repeat)
    fast = best(lambda: ours.qualities(mu, sigma), 100 * repeat)
    return [["trueskill", 1e3 * slow, 1.0], ["ours", 1e3 * fast, slow / fast]]


def log_of(results: int, players: int) -> tuple[list[Result], dict[str, GameInfo], list[str]]:
    """Pairings of a zero-sum and a general-sum game alternately, 5% draws in the former."""
    rng = random.Random(2)
    names = [f"player-{i:02d}" for i in range(players)]
    games = {
        "openspiel/tic_tac_toe": GameInfo("zero_sum", ("player_0", "player_1")),
        "bargain-v1": GameInfo("general_sum", ("player_0", "player_1")),
    }
    log: list[Result] = []
    for pairing in range(results // 2):
        pair = rng.sample(names, 2)
        game = "bargain-v1" if pairing % 2 else "openspiel/tic_tac_toe"
        for players_ in (pair, pair[::-1]):
            score = rng.choices([1.0, -1.0, 0.0], [0.5, 0.45, 0.05])[0]
            scores = (score, -score) if pairing % 2 == 0 else (rng.random(), rng.random())
            seats = tuple(
                SeatResult(f"player_{i}", f"role_{i}", p, s, turns=5)
                for i, (p, s) in enumerate(zip(players_, scores, strict=True))
            )
            index = len(log)
            log.append(Result(index, 0, f"p{pairing}", f"m{index}", game, 1, "finished", "", seats, 0.1))
    return log, games, names


def through_the_log(results: int, repeat: int, players: int = 64) -> list[list[object]]:
    """Results per second through `OnlineRatings` (three ratings and the counts of both players for each)."""
    log, games, names = log_of(results, players)
    rng = random.Random(3)
    late = sorted(log, key=lambda r: r.index + 32 * rng.random())

    def one_by_one(order: list[Result]) -> OnlineRatings:
        live = OnlineRatings(games, players=names)
        for result in order:
            live.add([result])
        return live

    whole = OnlineRatings(games, players=names)
    whole.add(log)
    assert one_by_one(late).tables() == whole.tables(), "the order of arrival changed the table"
    return [
        ["rebuild, all at once", len(log) / best(lambda: OnlineRatings(games, players=names).add(log), repeat)],
        ["live, in plan order", len(log) / best(lambda: one_by_one(log), repeat)],
        ["live, out of order within 32", len(log) / best(lambda: one_by_one(late), repeat)],
    ]


GROWTH = (
    (10, 400, 1),
    (100, 4_000, 1),
    (1_000, 40_000, 1),
    (64, 2_000, 1),
    (64, 16_000, 1),
    (64, 4_000, 4),
)
"""players, results and games of leagues in which all skills differ by one beta"""


def live_updates(players: int, results: int, games: int, updates: int = 12) -> float:
    """CPU seconds of `RatingEngine.snapshot` after 20 more results, the mean of several updates."""
    from league.config.tournament import RatingConfig
    from league.ratings.engine import RatingEngine
    from league.records.leaderboard import MatchCounts

    rng, names, log = random.Random(2), [f"p{i:04d}" for i in range(players)], list[Result]()
    skill = {name: rng.gauss(0.0, 1.0) for name in names}
    infos = {f"game-{g}": GameInfo("zero_sum", ("player_0", "player_1")) for g in range(games)}
    for pairing in range((results + 20 * updates) // 2):
        pair = rng.sample(names, 2)
        for both in (pair, pair[::-1]):
            won = 1.0 if skill[both[0]] - skill[both[1]] + rng.gauss(0.0, 2**0.5) > 0.0 else -1.0
            scores = zip(("player_0", "player_1"), both, (won, -won), strict=True)
            seats = tuple(SeatResult(seat, seat, player, score, turns=5) for seat, player, score in scores)
            game, index = f"game-{pairing % games}", len(log)
            log.append(Result(index, 0, f"q{pairing}", f"m{index}", game, 1, "finished", "", seats, 0.1))
    engine, out = RatingEngine(infos, RatingConfig(), names), []
    for end in range(results, len(log) + 1, 20):
        engine.add(log[:results] if end == results else log[end - 20 : end])
        start = time.process_time()
        engine.snapshot("run", MatchCounts())
        out.append(time.process_time() - start)
    return mean(out[1:])  # the first fits from nothing


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """Yields a folder with the files of a commit, which is removed afterwards."""
    git = ("git", "-C", str(Path(__file__).parent), "worktree")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*git, "add", "--quiet", "--detach", folder, commit], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)


def growth(other: Path, repeat: int) -> list[list[object]]:
    """Milliseconds in the other tree and here, medians over `repeat` processes each, and the ratios."""
    here, rows = Path(__file__).resolve(), []
    for league in GROWTH:
        seconds: dict[Path, list[float]] = {other.resolve(): [], here.parents[2]: []}
        for _ in range(repeat):
            for tree, times in seconds.items():
                paths = {"PYTHONPATH": f"{tree}:{here.parent}", "PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "1"}
                code = f"import bench_ratings, league; print(league.__file__, bench_ratings.live_updates(*{league}))"
                told = subprocess.run(
                    [sys.executable, "-c", code],
                    env={**os.environ, **paths},
                    cwd=tree,
                    stdout=subprocess.PIPE,
                    check=True,
                ).stdout.split()
                assert Path(told[0].decode()).is_relative_to(tree), f"{told[0]!r} is not of {tree}"
                times.append(float(told[1]))
        old, new = seconds.values()
        ratios = sorted(a / b for a, b in zip(old, new, strict=True))
        rows.append(
            [*league, 1e3 * median(old), 1e3 * median(new), median(ratios), f"{ratios[0]:.1f} to {ratios[-1]:.1f}"]
        )
    return rows


def _over(ratios: object, repeat: int) -> str:
    return f"{ratios}, {repeat} repeats" if repeat > 1 else "one run, no interval"


def claims(rows: list[list[object]], repeat: int) -> list[Claim]:
    """A claim per league."""
    text = "CPU time of a live update, before over now ({} players, {} results, {} games; now {:.0f} ms)"
    return [Claim(text.format(*row[:3], row[4]), f"{row[5]:.1f}", _over(row[6], repeat)) for row in rows]


def main() -> None:
    """Print the machine and four tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--updates", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--live", metavar="COMMIT")
    parser.add_argument("--record", action="store_true", help="write the claims of --live")
    args = parser.parse_args()
    print(machine_line("trueskill", "numpy", "scipy"))
    if args.live:
        with worktree(args.live) as other:
            rows = growth(other, args.repeat)
        print(table(["players", "results", "games", "before, ms", "now, ms", "x", "over repeats"], rows))
        if args.record:
            record(claims(rows, args.repeat), "numpy", "scipy")
        return
    rows = [row for drawn in (False, True) for row in two_players(args.updates, args.repeat, drawn)]
    print(table(["game", "how", "updates/s", "x"], rows + four_players(args.repeat)))
    print(table(["quality of all pairs of 64", "ms", "x"], all_pairs(args.repeat)))
    print(
        table(
            [f"online ratings, {args.results} results of 64 players", "results/s"],
            through_the_log(args.results, args.repeat),
        )
    )


if __name__ == "__main__":
    main()
