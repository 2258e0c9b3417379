"""The table of docs/attack.md: what honest, competent and the best lazy policies earned before and earn now.

From scripts/bench/attack_before.json (an audit of commit 562425b) and attack.json (`scripts/bench/attack.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from page_text import table

BENCH = Path(__file__).parents[1] / "bench"
_T95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78}
"""seeds -> the 97.5% point of Student's t with one less degree of freedom"""
_HEAD = ("game, role", "before: honest, competent", "best policy", "now: honest", "competent", "best policy", "finds")


def attack_table() -> str:
    """Returns a row for each role that was attacked."""
    before = {(of["game"], of["role"]): of for of in json.loads((BENCH / "attack_before.json").read_text())}
    games = json.loads((BENCH / "attack.json").read_text())["games"]
    return table(_HEAD, _rows(games, before))


def _rows(games: Mapping[str, Any], before: Mapping[tuple[str, str], Mapping[str, Any]]) -> Iterator[list[str]]:
    for game, entry in sorted(games.items()):
        for roles in zip(*(run["roles"] for run in entry["runs"]), strict=True):
            name = roles[0]["role"]
            then = before.get((game, name))
            scale = f"{then['honest']:.2f}, {then['competent']:.2f}" if then else "not attacked"
            best = [_best(role) for role in roles]
            earns = interval([of["mean"] for of in best if of], len(roles))
            finds = sum(attempt["find"] for role in roles for attempt in role["attempts"])
            figures = (interval([role[part] for role in roles]) for part in ("honest", "competent"))
            old = f"{then['earns']:.2f}, {then['policy']}" if then else ""
            yield [f"{game}, {name}", scale, old, *figures, earns, str(finds)]


def _best(role: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the policy that earns most of those that count: it plays alone or is a find, and does not do the task."""
    counts = [of for of in role["attempts"] if of["find"] or not (of["why_not"] or len(of["plays"]) > 1)]
    return max(counts, key=lambda of: of["mean"], default={})


def interval(values: Sequence[float], seeds: int = 0) -> str:
    """Returns the mean over seeds with its 95% interval by Student's t; without it if some of so many have no value."""
    if not values:
        return "none"
    if len(values) < max(2, seeds):
        return f"{fmean(values):z.2f}, {len(values)} of {max(seeds, len(values))} seeds"
    return f"{fmean(values):z.2f} ± {_T95[len(values)] * stdev(values) / len(values) ** 0.5:.2f}"
