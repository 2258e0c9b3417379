"""Contradictions between the columns of a final board, coverage, ranks and warnings, in the fields that an audit used.

Every cell is a field with a number of players, who play a round-robin. A contradiction is one of

    best      P best of the first row is 95% or more and its rank range is not 1-1, or the reverse
    apart     `above next` exceeds 95% and the ranges of the two rows overlap, or they are apart and it is below 95%
    inverted  a row is above the next with less than one half

    covered   share of true skills inside their intervals, of players that neither won nor lost everything; where a
              player rises, of the others
    present   share of leagues in which the interval of the player that rises contains its skill at the end
    warned    leagues whose board names a player that changes, or few tasks

    .venv/bin/python scripts/bench/stress_board.py --leagues 20 --players 5 8 --each 30 --first 2000 --record
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table
from _claims import Claim, record

from league.config.tournament import RatingConfig
from league.ratings import GameInfo
from league.ratings.engine import RatingEngine
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import CELL, Result, SeatResult

BETA = 25.0 / 6.0
GAMES = {"game": GameInfo("zero_sum", ("a", "b"), chance=False)}


@dataclass(frozen=True)
class Field:
    """`skill` of n players; `rise` of the first during the league, in beta; `luck` of each player on each of ten tasks;
    `lines`: the players choose at random between so many matches of their cell.
    """

    skill: Callable[[np.random.Generator, int], np.ndarray]
    rise: float = 0.0
    luck: float = 0.0
    lines: int = 1 << 30


def _unbeaten(rng: np.random.Generator, n: int) -> np.ndarray:
    skill = rng.normal(0.0, 0.7, n)
    skill[0] += 4.0
    return skill


FIELDS = {
    "normal 1": Field(lambda rng, n: rng.normal(0.0, 1.0, n)),
    "normal 0.5": Field(lambda rng, n: rng.normal(0.0, 0.5, n)),
    "wide": Field(lambda rng, n: rng.normal(0.0, 3.0, n)),
    "random players": Field(lambda rng, n: np.zeros(n), lines=4),
    "unbeaten": Field(_unbeaten),
    "clusters": Field(lambda rng, n: np.where(np.arange(n) % 2, 2.0, -2.0) + rng.normal(0.0, 0.3, n)),
    "drift": Field(lambda rng, n: rng.normal(0.0, 0.7, n), rise=3.0),
    "ten tasks": Field(lambda rng, n: rng.normal(0.0, 1.0, n), luck=1.2),
}


def league(field: Field, n: int, each: int, seed: int) -> tuple[np.ndarray, Leaderboard]:
    """The true skills in beta, of a player that rises that at the end, and the final board."""
    rng = np.random.default_rng([seed, n, each])
    skill, names, log = field.skill(rng, n), [f"p{i:02d}" for i in range(n)], list[Result]()
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    worth, number = field.luck * rng.normal(0.0, 1.0, (10, n)), n * each // 2
    order = [int(place) for _ in range(0, number, len(pairs)) for place in rng.permutation(len(pairs))]
    for index in range(number):
        i, j = pairs[order[index]]
        now = skill + np.eye(n)[0] * field.rise * (index / (number - 1) - 0.5) + worth[task := int(rng.integers(10))]
        won = now[i] - now[j] + rng.normal(0.0, 2.0**0.5) > 0.0
        line = 2 * int(rng.integers(field.lines // 2)) + int(won)
        seats = zip("ab", (i, j), (1.0, -1.0) if won else (-1.0, 1.0), strict=True)
        rows = tuple(SeatResult(seat, seat, names[player], score) for seat, player, score in seats)
        transcript = (i * n + j + 1) << CELL | line
        log.append(
            Result(index, 0, f"q{index}", f"m{index}", "game", index, "finished", "", rows, 0.0,
                   transcript=transcript, task=task + 1 if field.luck else 0)
        )  # fmt: skip
    engine = RatingEngine(GAMES, RatingConfig(), names)
    engine.add(log)
    skill = skill + np.eye(n)[0] * 0.5 * field.rise
    return skill / (1.0 + field.luck**2) ** 0.5, engine.final("stress", MatchCounts())


def judge(field: Field, skill: np.ndarray, board: Leaderboard) -> dict[str, float]:
    """The counts of one league."""
    rows = board.games["game"]
    who = [int(row.player[1:]) for row in rows]
    finite = np.array([not row.one_sided and not (field.rise and i == 0) for row, i in zip(rows, who, strict=True)])
    rating, low, high = (np.array([getattr(row, name) for row in rows]) for name in ("rating", "low", "high"))
    truth = BETA * skill[who]
    truth += (rating - truth)[finite].mean() if finite.any() else 0.0
    ranges = [(row.rank_low or 0, row.rank_high or 0) for row in rows]
    ranks = [(1 + int((skill > skill[i]).sum()), int((skill >= skill[i]).sum())) for i in who]  # equals share ranks
    above = [row.above_next or 0.0 for row in rows[:-1]]
    apart = [here[1] < after[0] for here, after in pairwise(ranges)]
    claims = [k for k, p in enumerate(above) if p > 0.95]
    return {
        "covered": float(((low <= truth) & (truth <= high))[finite].mean()) if finite.any() else 1.0,
        "present": float(((low <= truth) & (truth <= high))[who.index(0)]) if field.rise else 1.0,
        "ranks": float(all(a <= last and first <= b for (a, b), (first, last) in zip(ranges, ranks, strict=True))),
        "width": float(np.mean([b - a + 1 for a, b in ranges])),
        "claims": len(claims),
        "right": sum(bool(skill[who[k]] > skill[who[k + 1]]) for k in claims),
        "best": float(((rows[0].p_best or 0.0) >= 0.95) != (ranges[0] == (1, 1))),
        "apart": sum((p > 0.95 and not far) or (p < 0.95 and far) for p, far in zip(above, apart, strict=True)),
        "inverted": sum(p < 0.5 for p in above),
        "warned": float(bool(board.checks)),
    }


SUMS = ("claims", "right", "best", "apart", "inverted", "warned")


def measured(fields: list[str], players: list[int], each: int, seeds: range) -> list[dict[str, float | str]]:
    """A row per field and number of players."""
    cells: list[dict[str, float | str]] = []
    for n in players:
        for name in fields:
            field = FIELDS[name]
            runs = [judge(field, *league(field, n, each, seed)) for seed in seeds]
            sums = {key: int(sum(run[key] for run in runs)) for key in SUMS}
            means = {key: float(np.mean([run[key] for run in runs])) for key in runs[0] if key not in SUMS}
            cells.append({"field": name, "players": n, "leagues": len(runs), **means, **sums})
    return cells


def claims(cells: list[dict[str, float | str]]) -> list[Claim]:
    """Contradictions of all leagues, and a claim per cell."""
    number = sum(int(cell["leagues"]) for cell in cells)
    wrong = sum(int(cell[key]) for cell in cells for key in ("best", "apart", "inverted"))
    out = [Claim("contradictions between columns of final boards", f"{wrong}", f"{number} leagues")]
    text = "{field}, {players} players: true skills inside their 95% intervals"
    rest = "{leagues} leagues; ranks hold in {ranks:.0%}; {right} of {claims} claims right; {warned} boards warn"
    return out + [Claim(text.format(**cell), f"{cell['covered']:.1%}", rest.format(**cell)) for cell in cells]


def main() -> None:
    """Print a row per cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", nargs="+", default=list(FIELDS), choices=FIELDS)
    parser.add_argument("--players", nargs="+", type=int, default=[5, 8])
    parser.add_argument("--each", type=int, default=20, help="matches per player, each counted for two")
    parser.add_argument("--leagues", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--record", action="store_true", help="write the claims")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.leagues)
    cells = measured(options.fields, options.players, options.each, seeds)
    print(machine_line("numpy", "scipy"))
    heads = list(cells[0])
    print(table(heads, [[cell[head] for head in heads] for cell in cells]))
    if options.record:
        record(claims(cells), "numpy", "scipy")


if __name__ == "__main__":
    main()
