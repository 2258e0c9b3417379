"""Answers in words, ratios and other wordings that `games.verifiers.maths` rewrites before it parses."""

from __future__ import annotations

import re
from fractions import Fraction

_LETTERS = """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau
upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell hbar"""
GREEK = frozenset(_LETTERS.split())
"""commands of LaTeX that write a letter"""
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mbox)\s{0,4}\{([^{}]*)\}")
_STATEMENTS = {
    "no solution": r"(?:there (?:is|are) )?(?:no (?:real )?(?:solution|root)s?|none)(?: exists?)?|(?:the )?empty set"
    r"|\\emptyset|\\varnothing|∅|\\\{\s*\\\}",
    "undefined": r"(?:it is )?undefined|not defined",
    "does not exist": r"(?:it |the limit )?does not exist|dne",
    "infinitely many": r"(?:there are )?infinitely many(?: solutions)?",
    "true": r"true",
    "false": r"false",
    "yes": r"yes",
    "no": r"no",
}
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _STATEMENTS.items()}
_REALS = re.compile(
    r"(?:x\s*(?:∈|\\in)\s*)?(?:the set of )?all real(?: number)?s?(?: x)?|(?:the )?real numbers|ℝ", re.IGNORECASE
)
_CHOOSE = re.compile(r"\{([^{}]{1,60})\\choose(?![A-Za-z])([^{}]{1,60})\}")
_SQUARE = re.compile(r"\b(sq(?:uare|\.)?|cubic)\s+([A-Za-z]{1,20})\b(?!\^)")
_PER = re.compile(r"(?<=[A-Za-z])\s+per\s+(?=[A-Za-z])")
_RATIO = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(?:\s*(?::|\\colon(?![A-Za-z]))\s*(\d{1,15}(?:\.\d{1,9})?)){1,7}")
_RATIO_IS = re.compile(r"\$?([A-Za-z_{}\d]{1,20}\s*:\s*[A-Za-z_{}\d]{1,20})\s*=\s*(?=\d)")
_CLOCK = re.compile(r"\d{1,2}:[0-5]\d(?::[0-5]\d)?")


def statement(text: str) -> str | None:
    """Returns the statement that a text in words makes, such as "no solution"; None for any other text."""
    words = " ".join(_TEXT.sub(r"\1", text).strip(" $.!").split())
    return next((name for name, pattern in _PATTERNS.items() if pattern.fullmatch(words)), None)


def ratio(text: str) -> tuple[Fraction, ...] | None:
    """Returns the parts of a ratio such as 3:4, as shares of its last part; None for any other text.

    A time of day such as 12:30 stays as it is written, because 12:30 is not 2:5.
    """
    text = text.strip(" $.")
    if not _RATIO.fullmatch(text):
        return None
    parts = [Fraction(part) for part in re.split(r"\s*(?::|\\colon)\s*", text)]
    if _CLOCK.fullmatch(text):
        return (*parts, Fraction(-1))
    return tuple(part / parts[-1] for part in parts) if parts[-1] else None


def unnamed(one: str, other: str) -> list[str]:
    """Returns two texts without the names of their ratios, a : b = 7 : 32, where one has none or both have the same."""
    heads = [match[1] for match in map(_RATIO_IS.match, (one, other)) if match]
    return [_RATIO_IS.sub("", text, count=1) if len(set(heads)) == 1 else text for text in (one, other)]


def rewritten(text: str) -> str:
    r"""Returns the text with \binom for \choose, \mathbb{R} for "all real numbers" and m^2 for "square m"."""
    if _REALS.fullmatch(" ".join(_TEXT.sub(r"\1", text).strip(" $.").split())):
        return r"\mathbb{R}"
    text = _CHOOSE.sub(r"\\binom{\1}{\2}", text)
    text = _SQUARE.sub(lambda m: f"{m[2]}^{3 if m[1] == 'cubic' else 2}", text)
    return _PER.sub("/", text)
