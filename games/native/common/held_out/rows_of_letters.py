"""How many bits a row of letters or numbers saves: the word either way, in any order or alphabet, with a wrong letter.

All rows of a text are first searched as one long row, because most texts hold the word in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from math import lgamma, log, log2
from operator import add, sub
from typing import NamedTuple

from games.native.common.held_out.english import ALPHABET, letter_bits
from games.native.common.held_out.streams import CHEAP, LONGEST, Figures, Row

BITS = 8.0
"""a text that saves so many bits gives the word away; one that knows nothing of it does so once in 2 ** BITS"""
REVERSED, SORTED = 1.0, 2.0
"""the bits of reading a row backwards, and in any order"""
_SHIFTED, _RARE, _DRIFTING, _MISSED = 6.0, 3.0, 3.0, 7.0
"""the bits of another alphabet, of one that few use, of one that moves by a place a letter, and of a wrong letter"""
_STARTS = (0, 1, ord("A"), ord("a"))
"""the number of the letter a, usually"""
_KEYBOARD = "qwertyuiopasdfghjklzxcvbnm"
_ALPHABETS = ((_SHIFTED, ALPHABET), (_SHIFTED + _RARE, _KEYBOARD))
_PAIRS = tuple(
    {a + b: chr(40 + (order.index(b) - order.index(a)) % 26) for a in order for b in order} for _, order in _ALPHABETS
)
"""for each alphabet: two letters -> the step between them, as a character"""
_PHONE = dict(zip(ALPHABET, "22233344455566677778889999", strict=True))
_WEIGHTS = {c: 1 << 6 * i for i, c in enumerate(ALPHABET)}
"""six bits for the count of each letter: the sum tells the letters of a row in any order"""
_NO_LETTER = 1 << 200


class Letters(NamedTuple):
    """A row of letters, prepared for many searches."""

    text: str
    steps: tuple[str, ...]
    """for each alphabet the steps from letter to letter, as characters"""
    sums: tuple[int, ...]
    """sums of the weights of the first letters"""


@lru_cache(1 << 10)
def letters_of(text: str) -> Letters:
    """Returns a row of letters with its steps and sums."""
    steps = tuple(_steps(text, pairs) for pairs in _PAIRS)
    return Letters(text, steps, tuple(accumulate(map(_WEIGHTS.get, text, repeat(_NO_LETTER)), initial=0)))


def _steps(text: str, pairs: Mapping[str, str]) -> str:
    return "".join(map(pairs.get, map(add, text, text[1:]), repeat("~")))


@lru_cache(4096)
def _needles(word: str) -> tuple[tuple[float, int, str], ...]:
    """Returns (bits, number of the alphabet, steps) of each alphabet in which a word may stand, cheapest first."""
    costs: dict[tuple[int, str], float] = {}
    for i, (cost, order) in enumerate(_ALPHABETS):
        for back, each in ((0.0, word), (REVERSED, word[::-1])):
            plain = [order.index(b) - order.index(a) for a, b in pairwise(each)]
            for sign in (1, -1):
                for drift in (0, 1, -1):
                    key = i, "".join(chr(40 + (sign * step + drift) % 26) for step in plain)
                    bits = cost + back + _DRIFTING * (drift != 0)
                    costs[key] = min(bits, costs.get(key, bits))
    return tuple(sorted((bits, *key) for key, bits in costs.items()))


def shift_bits(letters: Letters, word: str, spare: float) -> float:
    """Returns the bits of the alphabet in which letters are those of the word, at most `spare`; else infinity."""
    for bits, alphabet, steps in _needles(word):
        if bits > spare:
            break
        if steps in letters.steps[alphabet]:
            return bits
    return float("inf")


def sorted_bits(letters: Letters, word: str, spare: float) -> float:
    """Returns the bits of the order of letters that are those of the word, at most `spare`; else infinity."""
    bits = SORTED + order_bits(word)
    return bits if bits <= spare and _weight(word) in _weights(letters.text, len(word)) else float("inf")


@lru_cache(4096)
def _weight(word: str) -> int:
    return sum(_WEIGHTS[c] for c in word)


@lru_cache(4096)
def _weights(text: str, length: int) -> frozenset[int]:
    """Returns the weights of the letters of each part of this length."""
    sums = letters_of(text).sums
    return frozenset(map(sub, sums[length:], sums))


@lru_cache(4096)
def order_bits(word: str) -> float:
    """Returns the bits of the order of the letters of a word."""
    orders = lgamma(len(word) + 1) - sum(lgamma(word.count(c) + 1) for c in set(word))
    return orders / log(2)


def _missed_bits(text: str, word: str, spare: float) -> float:
    """Returns the bits of one wrong letter: then one half of the word is right."""
    bits, middle = _MISSED + log2(25 * len(word)), len(word) // 2
    if bits > spare:
        return float("inf")
    for start, half in ((0, word[:middle]), (middle, word[middle:])):
        at = text.find(half)
        while at >= 0:
            part = text[max(0, at - start) : at - start + len(word)]
            if len(part) == len(word) and sum(a != b for a, b in zip(part, word, strict=True)) == 1:
                return bits
            at = text.find(half, at + 1)
    return float("inf")


def _change_bits(letters: Letters, word: str, spare: float) -> float:
    """Returns the bits of what was done to the word to write the letters, at most `spare`; else infinity."""
    if word in letters.text:
        return 0.0
    if word[::-1] in letters.text:
        return REVERSED
    missed = _missed_bits(letters.text, word, spare)
    return min(missed, sorted_bits(letters, word, spare), shift_bits(letters, word, spare))


def bits_in_rows(rows: Sequence[Row], word: str) -> float:
    """Returns the most bits that a row saves; 0 if none saves `BITS`."""
    value, best = sum(letter_bits()[c] for c in word), 0.0
    spare = value - CHEAP - BITS
    if spare < 0 or _change_bits(letters_of(" ".join(row.letters for row in rows)), word, spare) > spare:
        return 0.0
    for row in rows:
        if (places := len(row.letters) - len(word) + 1) > 0:
            most = value - row.cost - log2(places)
            best = max(best, most - _change_bits(letters_of(row.letters), word, most - BITS))
    return best


def cheapest(rows: Iterator[Row], shortest: int) -> tuple[Row, ...]:
    """Returns the different rows of at least so many letters, each by its cheapest rule."""
    costs: dict[str, float] = {}
    for row in rows:
        if len(letters := row.letters[:LONGEST]) >= shortest:
            costs[letters] = min(row.cost, costs.get(letters, row.cost))
    return tuple(Row(letters, cost) for letters, cost in costs.items())


def bits_in_figures(numbers: Figures, word: str) -> float:
    """Returns the bits that a row of numbers saves: places in the alphabet from any start, or keys of a telephone."""
    values, n = numbers.values, len(word)
    places = len(values) - n + 1
    if places < 1:
        return 0.0
    best, rest = 0.0, numbers.cost + log2(places)
    of = [ALPHABET.index(c) for c in word]
    for each, sign in ((of, 1), (of, -1), (of[::-1], 1), (of[::-1], -1)):
        for at in range(places):
            gap = values[at] - sign * each[0]
            if values[at + 1] - sign * each[1] == gap and all(
                v - sign * w == gap for v, w in zip(values[at:], each, strict=False)
            ):
                usual = sign == 1 and gap in _STARTS
                best = max(best, numbers.unit * n - rest - (2.0 if usual else numbers.unit + 2.0))
    keys = tuple(int(_PHONE[c]) for c in word)
    if any(values[at : at + n] == keys for at in range(places)):
        best = max(best, min(numbers.unit, 3.1) * n - rest - 1.0)
    return best


@lru_cache(1 << 8)
def _points(text: str) -> str:
    signs = [ord(c) for c in text if not c.isspace()]
    return f",{','.join(str(b - a) for a, b in pairwise(signs))},"


def bits_in_points(text: str, word: str) -> float:
    """Returns the bits of a row of signs whose code points are as far from each other as the letters of the word."""
    if _points(word) not in (points := _points(text)) or word in "".join(text.split()):
        return 0.0
    return 4.7 * (len(word) - 1) - log2(points.count(",")) - CHEAP
