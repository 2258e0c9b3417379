"""Successive halving: all policies play a few matches, the better third plays more, and the best ones are varied.

The best of all then play on fresh seeds (`arena.attack.run`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from arena.attack.grammar import Candidate
from arena.attack.matches import RoleMatches
from arena.attack.variants import key_of, size_of, uncoded, variants
from games.attack import policy_of
from games.attack.expression import Expression
from games.randomness import RandomStream, derive
from games.shortcuts import Scripted

FIRST, KEEP = 6, 3
"""matches of each policy in the first round, at most; one of so many goes on"""
FINALISTS, PER_FAMILY = 6, 3
SCREENED, GENERATIONS, PARENTS = 0.55, 6, 5
"""the share of the budget for the policies of the grammar; how often variants are made, and of how many"""
TOLD_APART = 6
"""matches in which two policies must say the same to count as one"""
Progress = Callable[[int], None]
"""called with the matches played"""


class Halving:
    """A search for the policy that earns most. `best` is right at any time, so it can be interrupted."""

    def __init__(self, matches: RoleMatches, every: Sequence[Candidate], budget: int, seed: int) -> None:
        self._matches, self._seed, self._budget = matches, seed, budget
        self._rewards: dict[int, list[float]] = {}
        self._transcripts: dict[int, tuple[int, ...]] = {}
        self._moments = (0, 0.0, 0.0)
        """of all rewards: how many, their sum, the sum of their squares"""
        self._keys = {key_of(candidate) for candidate in every}
        self.candidates = list(every)
        self.searched = 0

    def run(self, progress: Progress) -> None:
        """Play all policies of the grammar, and for the rest of the budget variants of the best ones."""
        grammar, stream = list(self.candidates), RandomStream(derive(self._seed, "attack variants"))
        self._rounds(self._first(), int(self._budget * SCREENED), progress)
        part = (self._budget - self._matches.played) // GENERATIONS
        for _ in range(GENERATIONS):
            parents = [self.candidates[arm] for arm in self._parents()]
            made = variants(parents, grammar, max(1, part // (2 * FIRST)), stream)
            fresh = [candidate for candidate in made if key_of(candidate) not in self._keys]
            self._keys |= {key_of(candidate) for candidate in fresh}
            arms = range(len(self.candidates), len(self.candidates) + len(fresh))
            self.candidates += fresh
            self.searched += len(fresh)
            self._rounds(arms, part, progress)

    def _rounds(self, arms: Sequence[int], left: int, progress: Progress) -> None:
        """Play all rounds that the budget allows, the first as long as all of them, at most `FIRST` matches."""
        size, start = max(1, min(FIRST, left // (2 * max(1, len(arms))))), 0
        while arms and left >= len(arms) * size:
            seeds = [derive(self._seed, "attack", self._matches.role, start + n) for n in range(size)]
            for arm in arms:
                self._add(arm, list(self.rewards(arm, seeds).values()))
                self._transcripts[arm] = (*self._transcripts.get(arm, ()), self._matches.transcript)
                progress(self._matches.played)
            left -= len(arms) * size
            start += size
            size = start
            if len(arms) <= FINALISTS:
                return
            arms = self._kept(arms if start < TOLD_APART else self._different(arms))

    def _add(self, arm: int, rewards: list[float]) -> None:
        self._rewards.setdefault(arm, []).extend(rewards)
        n, total, squares = self._moments
        self._moments = n + len(rewards), total + sum(rewards), squares + sum(x * x for x in rewards)

    def _different(self, arms: Sequence[int]) -> list[int]:
        """Returns one of each group of policies that said the same in all matches so far."""
        return list({self._transcripts[arm]: arm for arm in reversed(arms)}.values())[::-1]

    def _kept(self, arms: Sequence[int]) -> list[int]:
        """Returns the best third of the policies that play alone, and of those that need seats that know them."""
        return [
            arm
            for group in (self._like(arms, False), self._like(arms, True))
            for arm in sorted(group, key=self._rank)[: max(FINALISTS - PER_FAMILY, len(group) // KEEP)]
        ]

    def _parents(self) -> list[int]:
        """Returns the best policies beyond chance, of those that play alone and of the others, no two that earn the
        same.
        """
        order = {tuple(self._rewards[arm]): arm for arm in reversed(self._order())}
        every = list(order.values())[::-1]
        groups = (self._like(every, agreed)[:PARENTS] for agreed in (False, True))
        return sorted(itertools.chain(*groups), key=every.index)

    def _order(self) -> list[int]:
        """Returns all policies that have played, the best beyond chance first, the simplest of equals."""
        return sorted(self._rewards, key=lambda arm: (-self._lowest(arm), size_of(self.candidates[arm])))

    def _lowest(self, arm: int) -> float:
        """Returns the mean of a policy less its standard error, as if all spread alike: few matches count less."""
        rewards = self._rewards[arm]
        return fmean(rewards) - self._spread() / len(rewards) ** 0.5 if rewards else float("-inf")

    def _spread(self) -> float:
        """Returns the standard deviation of all rewards of the search."""
        n, total, squares = self._moments
        return math.sqrt(max(0.0, squares / n - (total / n) ** 2))

    def _like(self, arms: Sequence[int], agreed: bool) -> list[int]:
        return [arm for arm in arms if self.candidates[arm].agreed == agreed]

    def _first(self) -> list[int]:
        """Returns the policies of the first round: all, or as many of each family as can play one match each."""
        most = max(1, int(self._budget * SCREENED) // 2)
        families: dict[str, list[int]] = {}
        stream = RandomStream(derive(self._seed, "attack order", self._matches.role))
        for i in stream.shuffled(range(len(self.candidates))):
            families.setdefault(self.candidates[i].family, []).append(i)
        order = [arm for turn in itertools.zip_longest(*families.values()) for arm in turn if arm is not None]
        self.searched = min(most, len(order))
        return sorted(order[:most])

    def _rank(self, arm: int) -> tuple[float, int]:
        return -fmean(self._rewards[arm] or [float("-inf")]), arm

    @property
    def best(self) -> list[int]:
        """The best so far beyond chance: a few of each family, no two of which earn the same."""
        families: dict[str, int] = {}
        out: dict[tuple[str, tuple[float, ...]], int] = {}
        for arm in self._order():
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
        of = self.candidates[arm]
        return self._matches.rewards(_policies(of.plays), seeds, of.allied)

    def plain_rewards(self, arm: int, seeds: Sequence[int]) -> Iterator[dict[int, float]]:
        """Plays a candidate on these seeds without its coded part, and with that part in plain words."""
        of = self.candidates[arm]
        in_words = {role: uncoded(expression) for role, expression in of.plays.items()}
        for plays in ({**of.plays, **(of.plain or {})}, in_words):
            yield self._matches.rewards(_policies(plays), seeds, of.allied)


def _policies(plays: Mapping[str, Expression]) -> dict[str, Scripted]:
    return {role: policy_of(expression) for role, expression in plays.items()}
