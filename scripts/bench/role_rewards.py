#!/usr/bin/env python
"""Measures what honest, competent and the best shortcut earn in each role of the native games.

    python scripts/bench/role_rewards.py [GAME...]      # all of them in about 15 CPU minutes
    python scripts/docs/game_readmes.py                 # writes the results into the games' READMEs

The best shortcut is the one whose credit comes furthest from honest (0) towards competent play (1). role_rewards.json
keeps the results; a game that is not measured keeps its entry.
"""

from __future__ import annotations

import datetime
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from _bench import machine_line

from arena.evaluation.shortcuts import ShortcutRow, check_shortcuts
from games.native import NATIVE

RESULTS = Path(__file__).with_suffix(".json")


def main() -> None:
    """Measures the games that are named, else all."""
    machine = machine_line()
    for game in sys.argv[1:] or [re.sub(r"-v\d+$", "", id) for id in NATIVE]:
        report = check_shortcuts(game)
        figures = {
            "game": report.game,
            "matches": report.matches,
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "machine": machine,
            "shortcuts": len({row.policy for row in report.rows}),
            "best": [_figures(row) for row in _best(report.rows)],
            "solves": {row.policy: [row.role, row.solves] for row in report.rows if row.solves},
        }
        results = json.loads(RESULTS.read_text()) | {game: figures}  # another run may have measured other games
        RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
        print(game, flush=True)


def _best(rows: Iterable[ShortcutRow]) -> Iterator[ShortcutRow]:
    """Yields the row of the best shortcut of each credit that pays competence."""
    paid = [row for row in rows if row.reward != "return" and row.half is not None and not row.solves]
    for role, reward in dict.fromkeys((row.role, row.reward) for row in paid):
        yield max((row for row in paid if (row.role, row.reward) == (role, reward)), key=_progress)


def _progress(row: ShortcutRow) -> float:
    return (row.mean - row.honest) / (row.competent - row.honest)


def _figures(row: ShortcutRow) -> dict[str, object]:
    return {
        "role": row.role,
        "credit": row.reward.removeprefix("credit").strip(),
        "honest": [row.honest, row.honest_margin],
        "competent": [row.competent, row.competent_margin],
        "shortcut": row.policy,
        "earns": [row.mean, row.high - row.mean],
    }


if __name__ == "__main__":
    main()
