"""The Rational Speech Acts model of examples, exact by recursion: listeners L0, L1, ... and speakers S1, S2, ...

    L0(p | u1..uk) = 1 / (number of patterns that agree with u1..uk), for those that do
    S_n(u_k | u_<k, p) ~ L_(n-1)(p | u_<k, u_k)^alpha, over the strings not used yet
    L_n(p | u1..uk) ~ prior(p) * product over k of S_n(u_k | u_<k, p)

Incremental, as in "Program synthesis with pragmatic communication" (Pu et al. 2020, arXiv 2007.05060); for regular
expressions, with speaker and listener trained by self-play on S1's examples: PraX (Vaduguru et al. 2023, 2311.05740).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from games.native.pragmatic.regex import automaton

ALPHA = 4.0
"""how strongly the speaker of the reward, and the competent one, prefers better examples"""

Table = tuple[tuple[bool, ...], ...]
"""row: a string; column: whether each pattern matches it"""
Used = tuple[tuple[int, bool], ...]
"""the examples so far: the number of a string, whether the target matches it"""


class SpeechActs:
    """The model of one match. `alpha`: how strongly a speaker prefers better examples.

    Without `negative` a speaker only gives strings that its pattern matches.
    """

    def __init__(self, table: Table, alpha: float = 1.0, negative: bool = True) -> None:
        self.table, self.alpha, self.negative = table, alpha, negative
        self.patterns = len(table[0])
        self.listener = cache(self._listener)
        self.speaker = cache(self._speaker)

    def _listener(self, level: int, used: Used) -> tuple[float, ...]:
        """L_level(pattern | examples); uniform if no pattern agrees with all of them."""
        agree = [all(self.table[u][p] is sign for u, sign in used) for p in range(self.patterns)]
        weights = [float(a) for a in agree]
        if level:
            for k in range(len(used)):
                for p in range(self.patterns):
                    weights[p] *= self.speaker(level, used[:k], p)[used[k][0]] if agree[p] else 0.0
        return normal(weights)

    def _speaker(self, level: int, used: Used, pattern: int) -> tuple[float, ...]:
        """S_level(string | examples, pattern): 0 for a string that was used. The sign follows from the pattern."""
        spent = {u for u, _ in used}
        weights = [
            0.0
            if u in spent or not (row[pattern] or self.negative)
            else self.listener(level - 1, (*used, (u, row[pattern])))[pattern] ** self.alpha
            for u, row in enumerate(self.table)
        ]
        return normal(weights)


def normal(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights as probabilities; uniform if all are 0."""
    total = sum(weights)
    return tuple(w / total if total > 0 else 1 / len(weights) for w in weights)


@lru_cache(256)
def acts_of(patterns: tuple[str, ...], strings: tuple[str, ...]) -> SpeechActs:
    """Returns the model of a seat's lists."""
    return SpeechActs(tuple(tuple(automaton(p).matches(s) for p in patterns) for s in strings), ALPHA)


def likeliest(chances: Sequence[float], wrong: Collection[int]) -> list[int]:
    """Returns the indices with the highest chance, up to rounding, without those that were wrong before."""
    left = [i for i in range(len(chances)) if i not in wrong]
    most = max(chances[i] for i in left)
    return [i for i in left if chances[i] > most - 1e-9]


def understood(acts: SpeechActs, used: Used, wrong: Collection[int], target: int) -> float:
    """Returns the chance that the listener L1, who knows of no agreement, names the target after the examples."""
    named = likeliest(acts.listener(1, used), wrong)
    return (target in named) / len(named)


def worth(acts: SpeechActs) -> float:
    """Returns what pragmatics is worth in one example: how much more often S1 is understood by L1 than by L0, or than a
    random string that the target matches is by L1, whichever is less.
    """
    both = literal = plain = 0.0
    for target in range(acts.patterns):
        chances = acts.speaker(1, (), target)
        matching = sum(row[target] for row in acts.table)
        for string, row in enumerate(acts.table):
            used = ((string, row[target]),)
            named = likeliest(acts.listener(0, used), ())
            share = understood(acts, used, (), target)
            both += chances[string] * share
            literal += chances[string] * (target in named) / len(named)
            plain += share * row[target] / matching if matching else 0.0
    return (both - max(literal, plain)) / acts.patterns
