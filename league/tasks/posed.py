"""What a match says of the tasks that were answered in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.match import Episode


def posed_tasks(episodes: Iterable[Episode]) -> Iterator[tuple[Episode, Mapping[str, Any]]]:
    """Yields the facts of every task that was answered in the matches: those of `tried`, then the match's own."""
    for episode in episodes:
        for tried in episode.facts.get("tried", ()):
            yield episode, {"verdict": "pass", "pooled": bool(episode.task), **tried}
        yield episode, episode.facts


def solve_rate(episode: Episode, facts: Mapping[str, Any]) -> float | None:
    """Returns the solve rate of a valid task in a match; None if it has none."""
    if episode.status == "void" or facts.get("verdict") != "pass" or facts.get("solve_rate") is None:
        return None
    return float(facts["solve_rate"])


def answers_to(facts: Mapping[str, Any]) -> int:
    """Returns the number of answers to a task: those of the facts, else one, since a rate does not say of how many."""
    answers = facts.get("answers")
    return max(1, len(answers)) if isinstance(answers, Mapping) else 1
