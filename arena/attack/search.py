"""Successive halving: all policies play a few matches, the better third plays more, the best play on fresh seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from statistics import fmean

from arena.attack.grammar import Candidate
from arena.attack.matches import RoleMatches
from games.attack import policy_of
from games.randomness import RandomStream, derive
from games.shortcuts import Scripted

FIRST, KEEP = 6, 3
"""matches of each policy in the first round; one of so many goes on"""
FINALISTS, PER_FAMILY = 6, 3
_WORD = re.compile(r"[\w:]+")
Progress = Callable[[int], None]
"""called with the matches played"""


class Halving:
    """A search for the policy that earns most. `best` is right at any time, so it can be interrupted."""

    def __init__(self, matches: RoleMatches, every: Sequence[Candidate], budget: int, seed: int) -> None:
        self._matches, self._seed, self._budget = matches, seed, budget
        self._rewards: dict[int, list[float]] = {}
        self.candidates = every
        self.searched = 0

    def run(self, progress: Progress) -> None:
        """Play a sample of all policies, and for the rest of the budget those most like the best ones."""
        arms = self._first()
        part = self._budget if len(arms) == len(self.candidates) else self._budget // 2
        self._rounds(arms, part, progress)
        if part < self._budget:
            near = self._near(max(1, (self._budget - part) // 2 // FIRST))
            self.searched += len(near)
            self._rounds(near, self._budget - part, progress)

    def _rounds(self, arms: Sequence[int], left: int, progress: Progress) -> None:
        """Play all rounds that the budget allows."""
        size, start = FIRST, 0
        while arms and left >= len(arms) * size:
            seeds = [derive(self._seed, "attack", self._matches.role, start + n) for n in range(size)]
            for arm in arms:
                self._rewards.setdefault(arm, []).extend(self.rewards(arm, seeds).values())
                progress(self._matches.played)
            left -= len(arms) * size
            start += size
            size *= 2
            if len(arms) <= FINALISTS:
                return
            arms = self._kept(arms)

    def _kept(self, arms: Sequence[int]) -> list[int]:
        """Returns the best third of the policies that play alone, and of those that need seats that know them."""
        return [
            arm
            for group in (self._like(arms, False), self._like(arms, True))
            for arm in sorted(group, key=self._rank)[: max(FINALISTS - PER_FAMILY, len(group) // KEEP)]
        ]

    def _near(self, most: int) -> list[int]:
        """Returns the policies not yet played whose expressions have most words in common with the best ones."""
        words = [frozenset(_WORD.findall(str(c.plays))) for c in self.candidates]
        order = sorted(self._rewards, key=self._rank)
        best = [words[arm] for agreed in (False, True) for arm in self._like(order, agreed)[:PER_FAMILY]]
        rest = (arm for arm in range(len(words)) if arm not in self._rewards)
        return sorted(rest, key=lambda arm: (min(len(words[arm] ^ of) for of in best), arm))[:most]

    def _like(self, arms: Sequence[int], agreed: bool) -> list[int]:
        return [arm for arm in arms if self.candidates[arm].agreed == agreed]

    def _first(self) -> list[int]:
        """Returns the policies of the first round: all, or as many of each family as a quarter of the budget allows."""
        most = max(1, self._budget // (2 if self._budget // 2 // FIRST >= len(self.candidates) else 4) // FIRST)
        families: dict[str, list[int]] = {}
        stream = RandomStream(derive(self._seed, "attack order", self._matches.role))
        for i in stream.shuffled(range(len(self.candidates))):
            families.setdefault(self.candidates[i].family, []).append(i)
        order = [
            queue[turn] for turn in range(len(self.candidates)) for queue in families.values() if turn < len(queue)
        ]
        self.searched = min(most, len(order))
        return sorted(order[:most])

    def _rank(self, arm: int) -> tuple[float, int]:
        return -fmean(self._rewards[arm] or [float("-inf")]), arm

    @property
    def best(self) -> list[int]:
        """The best so far, those with more matches first: a few of each family, no two of which earn the same."""
        order = sorted(self._rewards, key=lambda arm: (-len(self._rewards[arm]), self._rank(arm)))
        families: dict[str, int] = {}
        out: dict[tuple[str, tuple[float, ...]], int] = {}
        for arm in order:
            family = "agreed" if self.candidates[arm].agreed else self.candidates[arm].family
            key = (family, tuple(self._rewards[arm]))
            if key not in out and families.setdefault(family, 0) < PER_FAMILY and len(out) < FINALISTS:
                families[family] += 1
                out[key] = arm
        return list(out.values())

    def mean(self, arm: int) -> float:
        """Returns what a policy has earned in the search."""
        return fmean(self._rewards[arm] or [float("nan")])

    def rewards(self, arm: int, seeds: Sequence[int]) -> dict[int, float]:
        """Plays a candidate on these seeds."""
        return self._matches.rewards(self.plays(arm), seeds, self.candidates[arm].allied)

    def plays(self, arm: int) -> dict[str, Scripted]:
        """Returns the policies of a candidate."""
        return {role: policy_of(expression) for role, expression in self.candidates[arm].plays.items()}
