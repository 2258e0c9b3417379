"""Scripted speakers and listeners of every level of the Rational Speech Acts model, from the observation alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.native.pragmatic.regex import automaton
from games.native.pragmatic.rsa import SpeechActs, Used
from games.shortcuts import Scripted, ScriptedTurn

_PATTERN = re.compile(r"([A-L]): ([^,\n]*)")
_EXAMPLE = re.compile(r"^Example \d+: the pattern (matches|does not match) ([012]*)$", re.MULTILINE)
_TARGET = re.compile(r"^The pattern to show is ([A-L]):", re.MULTILINE)
_WRONG = re.compile(r"^The listener names ([A-L]), which is wrong", re.MULTILINE)


class ReadPosition(NamedTuple):
    """What a seat reads of a match."""

    patterns: tuple[str, ...]
    strings: tuple[str, ...]
    used: Used
    target: int | None
    wrong: frozenset[int]

    @property
    def table(self) -> tuple[tuple[bool, ...], ...]:
        """Which string each pattern matches."""
        return tuple(tuple(automaton(p).matches(s) for p in self.patterns) for s in self.strings)


def position(text: str) -> ReadPosition:
    """The position that an observation shows."""
    first, second = text.split("\n")[:2]
    strings = tuple(second.removeprefix("Strings: ").split(", "))
    used = tuple((strings.index(s), sign == "matches") for sign, s in _EXAMPLE.findall(text) if s in strings)
    target = _TARGET.search(text)
    wrong = frozenset(ord(letter) - 65 for letter in _WRONG.findall(text))
    patterns = tuple(p for _, p in _PATTERN.findall(first.removeprefix("Patterns: ")))
    return ReadPosition(patterns, strings, used, ord(target[1]) - 65 if target else None, wrong)


def speaks(level: int, alpha: float = 4.0) -> Scripted:
    """The speaker S_level, which prefers the best strings. Level 0: a random string of the list."""

    def policy(turn: ScriptedTurn) -> str:
        seen = position(turn.text)
        target = seen.target or 0
        if level:
            return _answer(
                seen.strings[turn.stream.weighted(_model(seen.table, alpha).speaker(level, seen.used, target))]
            )
        fresh = [s for i, s in enumerate(seen.strings) if i not in {u for u, _ in seen.used}]
        return _answer(turn.stream.choice(fresh))

    return policy


def listens(level: int, alpha: float = 4.0) -> Scripted:
    """The listener L_level: a most probable pattern that was not wrong before, the first of several at random."""

    def policy(turn: ScriptedTurn) -> str:
        seen = position(turn.text)
        chances = _model(seen.table, alpha).listener(level, seen.used)
        left = [p for p in range(len(seen.patterns)) if p not in seen.wrong]
        return _answer(chr(65 + turn.stream.choice(best(chances, left))))

    return policy


def best(chances: Sequence[float], among: Sequence[int]) -> list[int]:
    """The indices with the highest chance, up to rounding."""
    most = max(chances[i] for i in among)
    return [i for i in among if chances[i] > most - 1e-9]


@lru_cache(256)
def _model(table: tuple[tuple[bool, ...], ...], alpha: float) -> SpeechActs:
    return SpeechActs(table, alpha)


def _answer(text: str) -> str:
    return f"<answer>{text}</answer>"
