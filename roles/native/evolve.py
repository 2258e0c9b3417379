"""The evolver of evolve-v1; its solvers are those of `proposer_solver`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.tasks.canonical import canonical_of
from roles.native.proposer_solver import Proposer
from roles.rewards.credit import EpisodeWithFacts

_PARTS = re.compile(r"[^\s()]+")


class Evolver(Proposer):
    """Changes a task that solvers tried; credited like a proposer by the solve rate of the variant.

    A variant repeats others if its text does, or if what it adds to its parent does: parents differ, so one addition to
    every task would look new each time.
    difficulty: D, such as tent(scale=2); empty: the game's own (`pays`).
    """

    name = "evolver"

    def _shares(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        added = self._repeats(episodes, [_added(e.facts) for e in episodes])
        return list(map(max, super()._shares(episodes), added))


def _added(facts: Mapping[str, Any]) -> str:
    """Returns the terms of a variant that its parent lacks; all of them if it lacks none, and in a closed game, in
    which few numbers can be added.
    """
    text, tried = canonical_of(facts), facts.get("tried") or ()
    parent = canonical_of(tried[0]) if tried and isinstance(tried[0], Mapping) else ""
    new = Counter(_PARTS.findall(text)) - Counter(_PARTS.findall(parent))
    added = list(new.elements())
    return " ".join(added) if added and facts.get("repeat_once") else text
