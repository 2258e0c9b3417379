"""One recursive parser for formulas: propositional ones (`formula`) and those with all signs (`first_order`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Formula = Any
"""str | int | tuple, see `games.proofs.formula`; a recursive type would be checked at every use"""

VARIABLES = ("p", "q", "r", "s", "t")
INDIVIDUALS = ("x", "y", "z")
QUANTIFIERS = ("forall", "exists")
EQUATIONS = ("=", "in")
_DEEPEST = 60


class NotAFormula(ValueError):
    """A text that is not a formula; the message says why."""


@dataclass(frozen=True)
class Grammar:
    """How formulas are written.

    token: matches one token, as its first group. signs: sign -> the ways to write it. joining: the signs that join two
    formulas, the loosest first; each is right-associative. Without "forall" in `signs` there are no quantifiers.
    """

    token: re.Pattern[str]
    signs: Mapping[str, Iterable[str]]
    joining: tuple[str, ...]

    @cached_property
    def _written(self) -> dict[str, str]:
        return {written: sign for sign, forms in self.signs.items() for written in forms}

    def sign(self, token: str) -> str:
        """Returns the sign that a token writes, or the token itself."""
        return self._written.get(token, token)

    def parse(self, text: str, largest: int) -> Formula:
        """Returns the formula that a text consists of, of at most `largest` names and signs. Raises NotAFormula."""
        tokens = self._tokens(text, largest)
        formula = _Reader(self, tokens).joined(0, 0)
        if tokens:
            raise NotAFormula(f"{tokens[-1][:12]!r} follows the end of the formula")
        if size(formula) > largest:
            raise NotAFormula(f"it has {size(formula)} names and signs; at most {largest} are allowed")
        return formula

    def _tokens(self, text: str, largest: int) -> list[str]:
        """Returns the tokens of a text of at most 20 * `largest` characters, the last one first."""
        if len(text) > 20 * largest:
            raise NotAFormula(f"it is longer than {20 * largest} characters")
        tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            match = self.token.match(text, at)
            if match is None:
                raise NotAFormula(f"{text[at:].strip()[:12]!r} cannot be read")
            tokens.append(match[1])
            at = match.end()
        tokens.reverse()
        return tokens


def size(formula: Formula) -> int:
    """Returns the number of names and signs."""
    return 1 + sum(map(size, formula[1:])) if isinstance(formula, tuple) else 1


class _Reader:
    def __init__(self, grammar: Grammar, tokens: list[str]) -> None:
        self._joining, self._sign, self._tokens = grammar.joining, grammar.sign, tokens
        self._quantified = "forall" in grammar.signs

    def _next(self) -> str:
        """Returns the sign that the next token writes, or the token itself; "" at the end."""
        return self._sign(self._tokens[-1]) if self._tokens else ""

    def joined(self, level: int, depth: int) -> Formula:
        """Returns a formula whose outermost sign is in `joining[level:]`, or a formula without such a sign."""
        if level == len(self._joining):
            return self._single(depth + 1)
        left = self.joined(level + 1, depth)
        if self._next() != self._joining[level]:
            return left
        _limit(depth)
        self._tokens.pop()
        return (self._joining[level], left, self.joined(level, depth + 1))

    def _single(self, depth: int) -> Formula:
        if not self._tokens:
            raise NotAFormula("it ends too early")
        _limit(depth)
        sign, token = self._next(), self._tokens.pop()
        if sign == "~":
            return ("~", self._single(depth + 1))
        if self._quantified and sign in QUANTIFIERS:
            return (sign, self._individual(), self._single(depth + 1))
        if token in ("(", "["):
            inner = self.joined(0, depth + 1)
            if not self._tokens or self._tokens.pop() != {"(": ")", "[": "]"}[token]:
                raise NotAFormula("a bracket is not closed")
            return inner
        if self._quantified and token in INDIVIDUALS and (equation := self._next()) in EQUATIONS:
            self._tokens.pop()
            return (equation, token, self._individual())
        if token in VARIABLES:
            return token
        other = ", and no part of a formula" if self._quantified else ""
        raise NotAFormula(f"{token[:12]!r} is none of the names {', '.join(VARIABLES)}{other}")

    def _individual(self) -> str:
        token = self._tokens.pop() if self._tokens else "the end"
        if token not in INDIVIDUALS:
            raise NotAFormula(f"one of {', '.join(INDIVIDUALS)} is needed, not {token[:12]!r}")
        return token


def _limit(depth: int) -> None:
    if depth > _DEEPEST:
        raise NotAFormula("it is nested too deep")
