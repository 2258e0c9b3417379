"""What the tasks and messages of a step were like: whether players still find different ones, and still fail.

A collapse shows here before it shows in rewards: fewer different tasks or messages, more repetitions of what the pool
holds, solve rates that go to 0 or 1, judges that no longer agree with the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from arena.match import Episode
from league.tasks import key


def task_figures(episodes: Sequence[Episode]) -> dict[str, float]:
    """Per game of tasks: share of valid proposals, share of different ones among them, mean solve rate and length."""
    out: dict[str, float] = {}
    games: dict[str, list[Mapping[str, Any]]] = {}
    for episode in episodes:
        if episode.status != "void" and "task" in episode.facts and "verdict" in episode.facts:
            games.setdefault(episode.game, []).append(episode.facts)
    for game, facts in sorted(games.items()):
        out |= {f"{name}/{game}": value for name, value in _of(facts).items()}
    return out


def message_figures(episodes: Sequence[Episode], ours: Callable[[str], bool]) -> dict[str, float]:
    """Per game of talk and role: the share of different messages among those that our players chose or wrote.

    Games of talk are those that establish facts. Messages that were drawn at random in a player's place are left out.
    """
    said: dict[str, list[str]] = {}
    for episode in episodes:
        for turn in episode.turns if episode.facts else ():
            if ours(turn.player) and not turn.substituted:
                said.setdefault(f"messages/{episode.game}/{turn.role}", []).append(key(turn.action))
    return {name: len(set(texts)) / len(texts) for name, texts in sorted(said.items())}


def _of(facts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    own = [f for f in facts if not f.get("pooled")]
    valid = [f["task"] for f in own if f["verdict"] == "pass"]
    rates = [f["solve_rate"] for f in facts if f.get("solve_rate") is not None]
    agrees = [m["agrees"] for f in facts for m in f.get("marks", ()) if m.get("agrees") is not None]
    labels = [f["label_right"] for f in facts if f.get("label_right") is not None]
    found = {
        "valid": _mean(f["verdict"] == "pass" for f in own),
        "distinct": len({key(t) for t in valid}) / len(valid) if valid else None,
        "task_length": _mean(len(t) for t in valid),
        "solve_rate": _mean(rates),
        "agreement": _mean(agrees),
        "label_right": _mean(labels),
    }
    return {name: value for name, value in found.items() if value is not None}


def _mean(values: Iterable[float]) -> float | None:
    found = [float(v) for v in values]
    return sum(found) / len(found) if found else None
