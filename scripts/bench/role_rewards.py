#!/usr/bin/env python
"""Measures what honest, competent and the best shortcut earn in each role of the native games, over several seeds.

    python scripts/bench/role_rewards.py [GAME...] [--seeds 3] [--first 100] [--matches 100]
    python scripts/docs/game_readmes.py                 # writes the results into the games' READMEs

The best shortcut is the one whose credit comes furthest from honest (0) towards competent play (1) in the mean over
the seeds, so that no single seed chooses it. role_rewards.json keeps the results, the mean of each seed among them; a
game that is not measured keeps its entry. All games take about 8 CPU minutes a seed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from _bench import machine_line

from arena.evaluation.shortcuts import ShortcutReport, ShortcutRow, check_shortcuts
from games.native import NATIVE

RESULTS = Path(__file__).with_suffix(".json")
Rows = Sequence[ShortcutRow]
"""one row of a report, from each seed"""


def main() -> None:
    """Measures the games that are named, else all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[re.sub(r"-v\d+$", "", id) for id in NATIVE])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--matches", type=int, default=100, help="of each policy with each seed")
    options = parser.parse_args()
    machine = machine_line()
    for game in options.games:
        seeds = range(options.first, options.first + options.seeds)
        figures = _measured([check_shortcuts(game, options.matches, seed) for seed in seeds]) | {"machine": machine}
        results = json.loads(RESULTS.read_text()) | {game: figures}  # another run may have measured other games
        RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
        print(game, flush=True)


def _measured(reports: Sequence[ShortcutReport]) -> dict[str, object]:
    """Returns the figures of a game from one report for each seed."""
    report, date = reports[0], datetime.datetime.now(datetime.UTC).date()
    return {
        "game": report.game,
        "matches": report.matches,
        "seeds": [of.seed for of in reports],
        "date": date.isoformat(),
        "shortcuts": len({row.policy for row in report.rows}),
        "best": [_figures(rows) for rows in _best(reports)],
        "solves": {row.policy: [row.role, row.solves] for row in report.rows if row.solves},
    }


def _best(reports: Sequence[ShortcutReport]) -> Iterator[Rows]:
    """Yields the rows of the best shortcut of each credit that pays competence, one row a seed."""
    every: dict[tuple[str, str], dict[str, list[ShortcutRow]]] = {}
    for row in (row for report in reports for row in report.rows if row.reward != "return" and not row.solves):
        every.setdefault((row.role, row.reward), {}).setdefault(row.policy, []).append(row)
    for policies in every.values():
        paid = [rows for rows in policies.values() if all(row.half is not None for row in rows)]
        if paid:
            yield max(paid, key=_progress)


def _progress(rows: Rows) -> float:
    honest, competent, mean = (fmean(getattr(row, name) for row in rows) for name in ("honest", "competent", "mean"))
    return (mean - honest) / (competent - honest)


def _figures(rows: Rows) -> dict[str, object]:
    """Returns mean and margin over all seeds. A margin is that of a table of all policies, so it is a wide one."""
    return {
        "role": rows[0].role,
        "credit": rows[0].reward.removeprefix("credit").strip(),
        "honest": _pooled([row.honest for row in rows], [row.honest_margin for row in rows]),
        "competent": _pooled([row.competent for row in rows], [row.competent_margin for row in rows]),
        "shortcut": rows[0].policy,
        "earns": _pooled([row.mean for row in rows], [row.high - row.mean for row in rows]),
        "by_seed": [[round(value, 4) for value in (row.honest, row.competent, row.mean)] for row in rows],
    }


def _pooled(means: Sequence[float], margins: Sequence[float]) -> list[float]:
    """Returns the mean of independent means of equal size, and its margin."""
    return [fmean(means), sum(margin**2 for margin in margins) ** 0.5 / len(margins)]


if __name__ == "__main__":
    main()
