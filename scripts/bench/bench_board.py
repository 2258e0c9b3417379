"""Milliseconds per frame of the live board with 64 players, next to the same table laid out by rich.Table.

`frame` is the frame before it is compared with the previous one; `painted` also sends the changes to a null terminal;
`Text` is the same frame as a rich Text. All figures are medians. The last lines count the bytes sent.

    .venv/bin/python scripts/bench/bench_board.py [--players 64] [--columns 200] [--lines 70]
"""

from __future__ import annotations

import argparse
import io
import os
import random
import statistics
import time
from collections.abc import Callable

import msgspec
from _bench import machine_line, table
from _claims import Claim, record
from rich.console import Console
from rich.table import Table

from league.board import BoardState
from league.board.render import frame, render
from league.board.screen import Screen
from league.records.leaderboard import Leaderboard, MatchCounts, Standing

GAMES = ("openspiel/kuhn_poker", "pettingzoo/connect_four_v3", "bargain-v1")


def made_up(players: int) -> BoardState:
    """A board with rows in every column."""
    rng = random.Random(1)

    def rows() -> tuple[Standing, ...]:
        ratings = sorted((rng.gauss(25, 5) for _ in range(players)), reverse=True)
        return tuple(
            Standing(
                f"player-{i}", i + 1, r, r - 1.8, r + 1.8, 900, 500, 100, 300, i % 3, {"illegal": i % 3}, score=0.1
            )
            for i, r in enumerate(ratings)
        )

    snapshot = Leaderboard("bench", rows(), {g: rows() for g in GAMES}, {}, MatchCounts(4000, 1234, 2, 32, 4000))
    return BoardState(snapshot, matches_per_second=18.2, tokens_per_second=1530.0, elapsed=68.0, to_go=152.0)


def rich_table(state: BoardState) -> Table:
    """The same columns as a rich Table without a box."""
    out = Table(box=None)
    names = ["#", "player", "rating", "±", "games", "W", "D", "L", "forfeits", "faults", "illegal", "score"]
    for name in [*names, *state.snapshot.games]:
        out.add_column(name, no_wrap=True)
    per_game = [{s.player: s for s in rows} for rows in state.snapshot.games.values()]
    for s in state.snapshot.standings:
        cells = [s.rank, s.player, f"{s.rating:.1f}", f"±{s.high - s.rating:.1f}", s.games, s.wins, s.draws, s.losses]
        cells += [s.forfeits, sum(s.faults.values()), s.faults["illegal"], f"{s.score:+.2f}"]
        out.add_row(*map(str, cells), *(f"{rows[s.player].rating:.1f}" for rows in per_game))
    return out


def median_ms(work: Callable[[], object], repeats: int) -> float:
    """Median time of one call in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--lines", type=int, default=70)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    given = parser.parse_args()
    size = given.columns, given.lines
    state = made_up(given.players)
    console = Console(file=io.StringIO(), width=given.columns, height=given.lines, force_terminal=True)
    null = os.open(os.devnull, os.O_WRONLY)
    screen = Screen(null, clock=lambda: 0.0)
    tick = iter(range(10**9))

    def paint() -> int:
        return screen.paint(frame(msgspec.structs.replace(state, elapsed=float(next(tick))), *size), size)

    first = paint()
    figures = {
        "frame": median_ms(lambda: frame(state, *size), given.repeats),
        "frame, painted": median_ms(paint, given.repeats),
        "Text": median_ms(lambda: render(state, *size), given.repeats),
        "Text, printed by rich": median_ms(lambda: console.print(render(state, *size)), given.repeats),
        "rich.Table, printed": median_ms(lambda: console.print(rich_table(state)), max(10, given.repeats // 10)),
    }
    base = figures["frame, painted"]
    print(machine_line())
    print(f"{given.players} players on {given.columns} x {given.lines}")
    print(table(["", "ms", "ratio"], [[k, f"{v:.2f}", f"{v / base:.1f}"] for k, v in figures.items()]))
    if given.record:
        size_words = f"{given.players} players on {given.columns} x {given.lines}"
        ratio = figures["rich.Table, printed"] / base
        claim = f"a frame of the board is painted in ({size_words})"
        record(
            [
                Claim(claim, f"{base:.2f} ms", f"median of {given.repeats} frames"),
                Claim(f"time of rich.Table over that of the board ({size_words})", f"{ratio:.0f}", "ratio of medians"),
            ],
            "rich",
        )
    lines = frame(state, *size)
    screen.paint(lines, size)
    print(f"bytes: first frame {first:,}, a second later {paint():,}, ", end="")
    screen.paint(lines, size)
    print(f"nothing changed {screen.paint(frame(state, *size), size):,}")
    os.close(null)


if __name__ == "__main__":
    main()
