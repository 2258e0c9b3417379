"""How many bits a text saves if the word is in hand: the most of several ways to write it down with the word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from math import lgamma, log, log2

from games.native.common.held_out.alike import alike_bits
from games.native.common.held_out.english import ALPHABET, inside_bits, letter_bits, token_bits
from games.native.common.held_out.letters import latin, with_digits, words_of
from games.native.common.held_out.signs import morse
from games.native.common.held_out.streams import CHEAP, LONGEST, USUAL, Figures, Row, decoded, figures, rows

BITS = 8.0
"""a text that saves so many bits gives the word away; one that knows nothing of it does so once in 2 ** BITS"""
_REVERSED, _SORTED, _SHIFTED, _MISSED, _DECODED = 1.0, 2.0, 6.0, 3.0, 3.0
"""the bits of reading a row backwards, in any order, in another alphabet, with a wrong letter, and out of bytes"""
_RARE = 3.0
"""the bits of an alphabet that few use"""
_STARTS = (0, 1, ord("A"), ord("a"))
"""the number of the letter a, usually"""
_KEYBOARD = "qwertyuiopasdfghjklzxcvbnm"
_PHONE = dict(zip(ALPHABET, "22233344455566677778889999", strict=True))
_SHORTEST, _EXTRA = 3, 4
"""letters of a word, at least; letters of a token beside those of the word, at most"""


def gives_away(text: str, words: Collection[str], public: Collection[str] = ()) -> bool:
    """Returns whether a text says the letters of one of the words. Words in `public` are read by everybody."""
    return any(bits(text, word, frozenset(public)) >= BITS for word in words)


@lru_cache(4096)
def bits(text: str, word: str, public: frozenset[str] = frozenset()) -> float:
    """Returns the bits that a text saves by the letters of a word; 0 for a word of less than three letters."""
    word = "".join(c for c in latin(word) if c in ALPHABET)
    if len(word) < _SHORTEST:
        return 0.0
    values = [_plain(text, word, public)]
    values += [_plain(other, word, public) - _DECODED for other in _decoded(text)]
    return max(values)


@lru_cache(64)
def _decoded(text: str) -> tuple[str, ...]:
    """Returns what the text says in codes of bytes, of one step or of two."""
    once = list(decoded(text))
    return tuple(dict.fromkeys([*once, *(two for one in once[:20] for two in decoded(one))]))


def _plain(text: str, word: str, public: frozenset[str]) -> float:
    best = 0.0
    for row in _rows(text):
        best = max(best, _in_row(row, word))
    for numbers in _figures(text):
        best = max(best, _in_figures(numbers, word))
    for spelled in _spellings(text):
        best = max(best, _in_words(spelled, word, public))
    return max(best, _in_points(text, word))


@lru_cache(64)
def _rows(text: str) -> tuple[Row, ...]:
    every = [*rows(text), *(Row(letters, CHEAP) for letters in morse(text))]
    cheapest: dict[str, float] = {}
    for row in every:
        if len(letters := row.letters[:LONGEST]) >= _SHORTEST:
            cheapest[letters] = min(row.cost, cheapest.get(letters, row.cost))
    return tuple(Row(letters, cost) for letters, cost in cheapest.items())


@lru_cache(64)
def _figures(text: str) -> tuple[Figures, ...]:
    return tuple(dict.fromkeys(f for f in figures(text) if len(f.values) >= _SHORTEST))


@lru_cache(64)
def _spellings(text: str) -> tuple[tuple[str, ...], ...]:
    """Returns the words of a text, with other scripts read by looks or by sounds, and digits as letters."""
    every = [latin(text), latin(text, True)]
    every += with_digits(every[0])
    return tuple(dict.fromkeys(words_of(one.replace("'", "").replace("’", "")) for one in every))


@lru_cache(4096)
def _order_bits(word: str) -> float:
    """Returns the bits of the order of the letters of a word."""
    orders = lgamma(len(word) + 1) - sum(lgamma(word.count(c) + 1) for c in set(word))
    return orders / log(2)


def _in_row(row: Row, word: str) -> float:
    """Returns the bits that a row of letters saves: either way, in any order, shifted, with one wrong letter."""
    letters, n = row.letters, len(word)
    places = len(letters) - n + 1
    if places < 1:
        return 0.0
    value = sum(letter_bits()[c] for c in word) - row.cost - log2(places)
    if value < BITS:
        return 0.0
    if word in letters:
        return value
    best = value - _REVERSED if word[::-1] in letters else 0.0
    if value - _SORTED - _order_bits(word) >= BITS and _has_anagram(letters, word):
        best = value - _SORTED - _order_bits(word)
    missed = value - _MISSED - log2(25 * n)
    if missed - 4 >= BITS and any(_differs_once(letters[i : i + n], word) for i in range(places)):
        best = max(best, missed - 4)
    return max(best, value - shift) if value - _SHIFTED >= BITS and (shift := _shift_bits(letters, word)) else best


def _has_anagram(letters: str, word: str) -> bool:
    left = {c: word.count(c) for c in set(word)}
    n, missing = len(word), len(word)
    for i, c in enumerate(letters):
        if c in left:
            missing -= left[c] > 0
            left[c] -= 1
        if i >= n and (gone := letters[i - n]) in left:
            left[gone] += 1
            missing += left[gone] > 0
        if not missing:
            return True
    return False


def _differs_once(part: str, word: str) -> bool:
    return sum(a != b for a, b in zip(part, word, strict=True)) == 1


def _shift_bits(letters: str, word: str) -> float:
    """Returns the bits of the alphabet in which letters are those of the word; 0 if there is none.

    It begins elsewhere. It may also be that of the keyboard, be reversed, or drift by one a letter.
    """
    for cost, order in ((_SHIFTED, ALPHABET), (_SHIFTED + _RARE, _KEYBOARD)):
        values = [order.find(c) for c in letters]
        for back, each in ((0.0, word), (_REVERSED, word[::-1])):
            of = [order.index(c) for c in each]
            if drift := _drift(values, of, len(order)):
                return cost + back + drift - 1.0
    return 0.0


def _drift(values: Sequence[int], of: Sequence[int], size: int) -> float:
    """Returns 1 if a part of `values` is sign * of + start, modulo the size, more if it drifts; 0 if it is neither."""
    for sign in (1, -1):
        for at in range(len(values) - len(of) + 1):
            gaps = [(v - sign * w) % size for v, w in zip(values[at:], of, strict=False)]
            steps = {(b - a) % size for a, b in pairwise(gaps)}
            if len(steps) == 1 and (step := steps.pop()) in (0, 1, size - 1):
                return 1.0 + _RARE * (step != 0)
    return 0.0


def _in_figures(numbers: Figures, word: str) -> float:
    """Returns the bits that a row of numbers saves: places in the alphabet from any start, or keys of a telephone."""
    values, n = numbers.values, len(word)
    places = len(values) - n + 1
    if places < 1:
        return 0.0
    best, rest = 0.0, numbers.cost + log2(places)
    of = [ALPHABET.index(c) for c in word]
    for each, sign in ((of, 1), (of, -1), (of[::-1], 1), (of[::-1], -1)):
        for at in range(places):
            gaps = {v - sign * w for v, w in zip(values[at:], each, strict=False)}
            if len(gaps) == 1:
                usual = sign == 1 and gaps.pop() in _STARTS
                best = max(best, numbers.unit * n - rest - (2.0 if usual else numbers.unit + 2.0))
    keys = tuple(int(_PHONE[c]) for c in word)
    if any(values[at : at + n] == keys for at in range(places)):
        best = max(best, min(numbers.unit, 3.1) * n - rest - 1.0)
    return best


def _in_points(text: str, word: str) -> float:
    """Returns the bits of a row of signs whose code points are as far from each other as the letters of the word."""
    signs = "".join(c for c in text if not c.isspace())
    n, of = len(word), [ord(c) for c in word]
    for at in range(len(signs) - n + 1):
        gap = ord(signs[at]) - of[0]
        if gap and all(ord(signs[at + i]) - of[i] == gap for i in range(1, n)):
            return 4.7 * (n - 1) - log2(len(signs) - n + 1) - CHEAP
    return 0.0


def _in_words(words: Sequence[str], word: str, public: frozenset[str]) -> float:
    """Returns the bits that the words of a text save: as pieces of it, as parts that hold it, or as what is like it."""
    if not words:
        return 0.0
    place = log2(len(words))
    best = max(_joined(words, each, public) - cost for each, cost in ((word, 0.0), (word[::-1], _REVERSED)))
    pieces = 0.0
    for token in dict.fromkeys(words):
        value, ordinary = token_bits(token, public)
        if not token.isalpha() and not any(c.isalpha() for c in token):
            continue
        changed = value - alike_bits(token, word) - place - CHEAP
        pieces += max(0.0, value - _piece_bits(token, word) - place - CHEAP)
        if not ordinary or changed > BITS:
            best = max(best, changed, _rearranged(token, word, value) - place)
    return max(best, pieces)


def _piece_bits(token: str, word: str) -> float:
    """Returns the bits of a token as a piece of the word, of two letters or more; many if it is none."""
    if 2 <= len(token) < len(word) and (token in word or token[::-1] in word):
        return log2(len(word) * len(word)) + (0.0 if token in word else _REVERSED)
    return 99.0


def _rearranged(token: str, word: str, value: float) -> float:
    """Returns the bits that a token saves as the letters of the word in another order or alphabet."""
    extra = len(token) - len(word)
    if not 0 <= extra <= _EXTRA:
        return 0.0
    value -= (4.7 + 1.0) * extra
    best = value - _SORTED - _order_bits(word) if _has_anagram(token, word) else 0.0
    return max(best, value - shift) if value - _SHIFTED >= BITS and (shift := _shift_bits(token, word)) else best


def _joined(words: Sequence[str], word: str, public: frozenset[str]) -> float:
    """Returns the bits of the letters of the word in a row, over the bounds of words or inside one."""
    text = "".join(words)
    starts, at = [], 0
    for token in words:
        starts.append(at)
        at += len(token)
    ends = {start + len(token) for start, token in zip(starts, words, strict=True)}
    best, at = 0.0, text.find(word)
    while at >= 0:
        end = at + len(word)
        aligned = (at in starts) + (end in ends)
        value = 0.0
        for start, token in zip(starts, words, strict=True):
            low, high = max(at, start), min(end, start + len(token))
            if low >= high:
                continue
            whole, ordinary = token_bits(token, public)
            part = inside_bits(text[low:high])
            value += whole if high - low == len(token) else min(whole, part + (0.0 if ordinary else 3.0))
        cost = log2(len(words)) if aligned else log2(len(text))
        best = max(best, value - cost - (CHEAP if aligned == 2 else USUAL if aligned else USUAL + 1))
        at = text.find(word, at + 1)
    return best
