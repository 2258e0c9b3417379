"""Wrong bests of `[stop] ranked = 0.95, top = 1`: many leagues of 8 advance at once, and the board's fit decides.

The fields are those of stress.py. Matches are paired in turn (`round-robin`) or by double Thompson sampling
(`thompson`, the rule of find-best without bridging matches), 20 between two looks. Pairings and the choice of looks use
a quick posterior in arrays over all leagues: skills of one population or of two that the widest gap divides, their
width integrated over a grid. The board's fit (`SkillModel`) and the rule's level (`Ranked`) decide at the looks where
the quick P(best) is at least 0.93 (`--from`); `quick` in the table is its smallest value at a stop. For the whole
tournament, ten times slower, use `stress.py --best`.

`--dump FILE` adds a JSON line per block of leagues; blocks that FILE holds are not played again.

    .venv/bin/python scripts/bench/find_best.py --leagues 500 --fields clusters
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table
from scipy.special import ndtr
from stress import FIELDS, share

from league.ratings.comparisons import Counts
from league.ratings.fit.fit import Fit
from league.ratings.fit.skill_model import SkillModel
from league.stopping.rules import Ranked

Array = np.ndarray
PAIRINGS = ("round-robin", "thompson")
WIDTHS = np.exp(np.linspace(np.log(0.1), np.log(3.5), 5))
"""widths of a population, in beta"""
HYPER = -0.5 * np.log(WIDTHS) ** 2
APART, FREE, DIVIDED = 2.0, 10.0, 1.5
"""in beta: prior deviations of a population's mean and of the mean of all, and the gap that divides two populations"""
BLOCK = 100
"""leagues at once"""
DRAWS = 300


class Look(NamedTuple):
    """The first player at a look, by the board's fit."""

    league: int
    matches: int
    p: float
    """P(best) of the first player"""
    wrong: bool
    lead: float
    """true skill of the best player minus that of the next, in beta"""
    quick: float
    """the quick P(best)"""


def precision(mean: Array) -> Array:
    """(B, W, n, n) prior precision of skills, in the link's unit, for each width; populations by the means (B, n)."""
    n = mean.shape[1]
    order = np.sort(mean, 1)
    gaps = np.diff(order, axis=1)
    at = gaps.argmax(1)
    rows = np.arange(len(mean))
    cut = np.where(gaps[rows, at] * 2.0**0.5 > DIVIDED, 0.5 * (order[rows, at] + order[rows, at + 1]), np.inf)
    above = mean > cut[:, None]
    same = (above[:, :, None] == above[:, None, :]) * APART**2 * np.isfinite(cut)[:, None, None]
    own = np.eye(n) * WIDTHS[:, None, None] ** 2
    out: Array = np.linalg.inv((own + same[:, None] + FREE**2) / 2.0)
    return out


class Quick:
    """The quick posterior of B leagues: skills for each width, and the weight of each width."""

    def __init__(self, leagues: int, n: int, rng: np.random.Generator) -> None:
        self.x = np.zeros((leagues, len(WIDTHS), n))
        self.normal = rng.standard_normal((DRAWS, n))

    def update(self, wins: Array, live: Array) -> Array:
        """(B, n) P(best) of the leagues `live`, whose `wins` are (B, n, n), row over column."""
        x, n = self.x[live], wins.shape[1]
        prior = precision(x.mean(1))
        for _ in range(3):
            d = x[..., :, None] - x[..., None, :]
            p = np.maximum(ndtr(d), 1e-12)
            h = np.exp(-0.5 * d * d) / (2.0 * np.pi) ** 0.5 / p
            gain, bend = wins[:, None] * h, wins[:, None] * h * (h + d)
            bend = bend + np.swapaxes(bend, -1, -2)
            covariance = np.linalg.inv(np.eye(n) * bend.sum(-1)[..., None] - bend + prior)
            slope = gain.sum(-1) - gain.sum(-2) - (prior @ x[..., None])[..., 0]
            step = (covariance @ slope[..., None])[..., 0]
            x = x + step / np.maximum(1.0, np.abs(step).max(-1, keepdims=True))
        self.x[live] = x
        fit = (wins[:, None] * np.log(p)).sum((-1, -2)) - 0.5 * (x * (prior @ x[..., None])[..., 0]).sum(-1)
        evidence = fit + 0.5 * (np.linalg.slogdet(prior)[1] + np.linalg.slogdet(covariance)[1]) + HYPER
        weight = np.exp(evidence - evidence.max(1, keepdims=True))
        weight /= weight.sum(1, keepdims=True)
        root = np.linalg.cholesky(covariance + 1e-9 * np.eye(n))
        first = (x[..., None, :] + self.normal @ np.swapaxes(root, -1, -2)).argmax(-1)
        shares = np.stack([(first == i).mean(-1) for i in range(n)], -1)
        out: Array = (weight[..., None] * shares).sum(1)
        return out


def paired(pairing: str, p: Array, matches: int, every: int, rng: np.random.Generator) -> Array:
    """(B, every, 2) players of the next matches, in random seats; `p` (B, n): P(best)."""
    leagues, n = p.shape
    if pairing == "round-robin" or matches == 0:
        all_pairs = np.array([(i, j) for i in range(n) for j in range(i)])
        out = np.broadcast_to(all_pairs[(np.arange(every) + matches) % len(all_pairs)], (leagues, every, 2)).copy()
    else:
        drawn = (rng.random((leagues, every, 6, 1)) > p.cumsum(1)[:, None, None, :]).sum(-1).clip(0, n - 1)
        out = drawn[..., :2].copy()
        for k in range(2, 6):
            again = out[..., 0] == out[..., 1]
            out[..., 1][again] = drawn[..., k][again]
        again = out[..., 0] == out[..., 1]
        out[..., 1][again] = (out[..., 0][again] + rng.integers(1, n, int(again.sum()))) % n
    flip = rng.random((leagues, every)) < 0.5
    out[flip] = out[flip][:, ::-1]
    return out


def block(field: str, pairing: str, number: int, given: argparse.Namespace) -> Iterator[Look]:
    """The looks of a block of leagues, each up to its first with `given.until` or more."""
    n = given.players
    rng = np.random.default_rng([number, n, PAIRINGS.index(pairing), *field.encode()])
    worlds = [FIELDS[field](rng, n) for _ in range(BLOCK)]
    skill, edge = np.stack([w.skill for w in worlds]), worlds[0].edge
    best, ordered = skill.argmax(1), np.sort(skill, 1)
    quick, wins, p = Quick(BLOCK, n, rng), np.zeros((BLOCK, n, n)), np.full((BLOCK, n), 1.0 / n)
    log: list[list[Array]] = [[] for _ in range(BLOCK)]
    last: dict[int, Fit] = {}
    live, model, names = np.arange(BLOCK), SkillModel(), [f"p{i}" for i in range(n)]
    for matches in range(0, given.limit, given.every):
        pairs = paired(pairing, p, matches, given.every, rng)
        first, second = pairs[..., 0], pairs[..., 1]
        gap = skill[live[:, None], first] - skill[live[:, None], second] + edge
        lost = (gap + rng.normal(0.0, 2.0**0.5, gap.shape) <= 0.0).astype(np.int64)
        winner, loser = np.where(lost, second, first), np.where(lost, first, second)
        np.add.at(wins, (np.broadcast_to(live[:, None], winner.shape), winner, loser), 1.0)
        p = quick.update(wins[live], live)
        kept = np.ones(len(live), bool)
        for k, i in enumerate(live.tolist()):
            log[i].append(np.column_stack([first[k], second[k], 2 * lost[k]]))
            if p[k].max() < given.start:
                continue
            a, b, outcome = np.concatenate(log[i]).T
            last[i] = model.fit(Counts.of_matches(names, a, b, outcome), start=last.get(i))  # as the stop rule does
            found = last[i].posterior.p_best(range(n))
            lead = int(found.argmax())
            kept[k] = found[lead] < given.until
            gap_to_next = float(ordered[i, -1] - ordered[i, -2])
            wrong = lead != int(best[i])
            yield Look(i, matches + given.every, float(found[lead]), wrong, gap_to_next, float(p[k].max()))
        live, p = live[kept], p[kept]


def row_of(looks: Sequence[Sequence[Look]], level: float, limit: int) -> list[object]:
    """One line of the table: blocks of looks, by a rule that stops at `level`."""
    stops = []
    for found in looks:
        first: dict[int, Look] = {}
        for look in found:
            if look.p >= level:
                first.setdefault(look.league, look)
        stops += list(first.values())
    leagues = BLOCK * len(looks)
    if not stops:
        return [leagues, 0, "–", "–", "–", "–"]
    matches = sorted([s.matches for s in stops] + [limit + 1] * (leagues - len(stops)))
    claimed = f"{100 * float(np.mean([1.0 - s.p for s in stops])):.1f}"
    middle = matches[len(matches) // 2]
    shown = f"> {limit}" if middle > limit else middle
    quick = f"{min(s.quick for s in stops):.2f}"
    return [leagues, len(stops), share([float(s.wrong) for s in stops]), claimed, shown, quick]


HEAD = ("field", "pairing", "level", "leagues", "stopped", "wrong, %", "claimed, %", "median matches", "quick")


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", nargs="+", default=[f for f in FIELDS if f != "cycles"], choices=FIELDS)
    parser.add_argument("--pairings", nargs="+", default=PAIRINGS, choices=PAIRINGS)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--leagues", type=int, default=500, help=f"leagues of each cell, in blocks of {BLOCK}")
    parser.add_argument("--first", type=int, default=0, help="the first block")
    parser.add_argument("--limit", type=int, default=480, help="matches after which a league is abandoned")
    parser.add_argument("--every", type=int, default=20, help="matches between two looks")
    parser.add_argument("--from", dest="start", type=float, default=0.93, help="quick P(best) at which the fit decides")
    parser.add_argument("--levels", nargs="+", type=float, default=[Ranked(0.95, 1).required])
    parser.add_argument("--dump", type=Path, help="a file with a JSON line for each block of leagues")
    given = parser.parse_args()
    given.until = max(given.levels)
    print(machine_line("numpy", "scipy"))
    held: dict[str, list[Look]] = {}
    for line in given.dump.read_text().splitlines() if given.dump and given.dump.exists() else ():
        key, looks = json.loads(line)
        held[key] = [Look(*look) for look in looks]
    cells = [(field, pairing) for field in given.fields for pairing in given.pairings]
    found: dict[tuple[str, str], list[list[Look]]] = {cell: [] for cell in cells}
    for number in range(given.first, given.first + -(-given.leagues // BLOCK)):
        for cell in cells:
            key = json.dumps([*cell, number, given.players, given.limit, given.every, given.start, given.until])
            if key not in held:
                held[key] = list(block(*cell, number, given))
                if given.dump:
                    with given.dump.open("a") as out:
                        out.write(json.dumps([key, held[key]]) + "\n")
            found[cell].append(held[key])
    rows = [[*c, f"{x:g}", *row_of(found[c], x, given.limit)] for c in cells for x in given.levels]
    print(table(HEAD, rows), flush=True)


if __name__ == "__main__":
    main()
