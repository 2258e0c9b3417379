"""Regular expressions over 0, 1 and 2 as automata: parsing, matching and equality of languages, all bounded.

A pattern is untrusted text, and never reaches Python's `re`: it is parsed here into Glushkov's automaton (Glushkov
1961), whose states are positions of the pattern, and run on sets of states. Matching takes time in proportion to the
string; equality is decided by the algorithm of Hopcroft and Karp (1971) on the deterministic automata.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

SYMBOLS = "012"
LONGEST = 40
"""characters of a pattern at most"""
_DEEPEST = 12
"""nested parentheses at most"""
_PAIRS = 5000
"""pairs of states that a comparison visits at most"""


class PatternError(ValueError):
    """A text that is not a pattern; the message says why."""


class _Part(NamedTuple):
    """What Glushkov's construction needs of a part: bit sets of positions."""

    empty: bool
    first: int
    last: int


class Automaton:
    """A pattern as an automaton without empty moves. State 0 is the start, state i the i-th symbol of the pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._symbols: list[str] = [""]
        self._follow: list[int] = [0]
        self._at, self._depth = 0, 0
        if len(pattern) > LONGEST:
            raise PatternError(f"a pattern has at most {LONGEST} characters, not {len(pattern)}")
        whole = self._choice()
        if self._at < len(pattern):
            raise PatternError(f"unexpected {pattern[self._at]!r} at position {self._at + 1}")
        self._follow[0] = whole.first
        self.accepting = whole.last | whole.empty
        self._of = {c: sum(1 << i for i, s in enumerate(self._symbols) if s == c) for c in SYMBOLS}

    def _peek(self) -> str:
        return self.pattern[self._at] if self._at < len(self.pattern) else ""

    def _choice(self) -> _Part:
        part = self._sequence()
        while self._peek() == "|":
            self._at += 1
            other = self._sequence()
            part = _Part(part.empty or other.empty, part.first | other.first, part.last | other.last)
        return part

    def _sequence(self) -> _Part:
        part = _Part(True, 0, 0)
        while self._peek() not in ("", "|", ")"):
            other = self._repeated()
            self._link(part.last, other.first)
            part = _Part(
                part.empty and other.empty,
                part.first | (other.first if part.empty else 0),
                other.last | (part.last if other.empty else 0),
            )
        return part

    def _repeated(self) -> _Part:
        part = self._atom()
        while (sign := self._peek()) and sign in "*+?":
            self._at += 1
            if sign != "?":
                self._link(part.last, part.first)
            part = _Part(part.empty or sign != "+", part.first, part.last)
        return part

    def _atom(self) -> _Part:
        sign = self._peek()
        self._at += 1
        if sign == "(":
            return self._group()
        if sign not in (*SYMBOLS, "."):
            raise PatternError(f"{sign!r} is not allowed; write 0, 1, 2, ., |, *, +, ? and parentheses")
        bits = 0
        for symbol in SYMBOLS if sign == "." else sign:
            bits |= 1 << len(self._symbols)
            self._symbols.append(symbol)
            self._follow.append(0)
        return _Part(False, bits, bits)

    def _group(self) -> _Part:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise PatternError(f"more than {_DEEPEST} nested parentheses")
        part = self._choice()
        if self._peek() != ")":
            raise PatternError("a parenthesis is not closed")
        self._at += 1
        self._depth -= 1
        return part

    def _link(self, sources: int, targets: int) -> None:
        for i in _bits(sources):
            self._follow[i] |= targets

    def step(self, states: int, symbol: str) -> int:
        """The set of states after a symbol."""
        reached = 0
        for i in _bits(states):
            reached |= self._follow[i]
        return reached & self._of[symbol]

    def accepts(self, states: int) -> bool:
        """Whether a set of states accepts."""
        return bool(states & self.accepting)

    def matches(self, string: str) -> bool:
        """Whether the pattern matches the whole string."""
        states = 1
        for symbol in string:
            states = self.step(states, symbol) if symbol in SYMBOLS else 0
        return self.accepts(states)


def _bits(states: int) -> list[int]:
    found = []
    while states:
        low = states & -states
        found.append(low.bit_length() - 1)
        states ^= low
    return found


@lru_cache(4096)
def automaton(pattern: str) -> Automaton:
    """The automaton of a pattern. Raises PatternError."""
    return Automaton(pattern)


def equal(one: str, other: str) -> bool:
    """Whether two patterns match the same strings. Raises PatternError, also if a comparison needs too many states."""
    a, b = automaton(one), automaton(other)
    merged: dict[tuple[str, int], tuple[str, int]] = {}

    def root(state: tuple[str, int]) -> tuple[str, int]:
        while state in merged:
            state = merged[state]
        return state

    waiting = [(1, 1)]
    for _ in range(_PAIRS):
        if not waiting:
            return True
        left, right = waiting.pop()
        first, second = root(("a", left)), root(("b", right))
        if first == second:
            continue
        if a.accepts(left) != b.accepts(right):
            return False
        merged[first] = second
        waiting += [(a.step(left, c), b.step(right, c)) for c in SYMBOLS]
    raise PatternError("the patterns have too many states to be compared")
