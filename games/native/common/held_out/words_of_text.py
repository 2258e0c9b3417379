"""How many bits the words of a text save: as pieces of the word, as parts that hold it, or as what is like it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, log2

from games.native.common.held_out.alike import alike_bits
from games.native.common.held_out.english import UNKNOWN, inside_bits, letter_bits, token_bits
from games.native.common.held_out.rows_of_letters import BITS, REVERSED, letters_of, shift_bits, sorted_bits
from games.native.common.held_out.streams import CHEAP, LENGTH, USUAL

_EXTRA = 4
"""letters of a token beside those of the word, at most"""
_RULE = 3.0
"""the bits of a rule that makes another word of the word"""
_GAP = "_*?•·."
_GAPPED = re.compile(rf"(?<![^\s\"'(])(?:[^\W\d_] ?|[{_GAP}] ?){{3,24}}(?![^\s\"').,!?])")


def bits_in_words(words: Sequence[str], word: str, public: frozenset[str]) -> float:
    """Returns the bits that the words of a text save."""
    if not words:
        return 0.0
    priced, strange = _prices(tuple(words), public)
    best = max(_joined(words, each, public) - cost for each, cost in ((word, 0.0), (word[::-1], REVERSED)))
    pieces, letters, changed_by_rule = 0.0, frozenset(word), by_rule(word)
    for token, (value, ordinary) in priced.items():
        if not any(c.isalpha() for c in token):
            pieces += LENGTH if token == str(len(word)) else 0.0
            continue
        place = log2(len(words)) if ordinary else min(strange, log2(len(words)))
        spare = value - place - CHEAP
        pieces += max(0.0, value - _piece_bits(token, word) - place)
        if spare < BITS:
            continue
        if (token in changed_by_rule or word in (token[::2], token[1::2])) and token not in public:
            best = max(best, spare - _RULE)
        if spare - 7 * sum(c not in letters for c in token) >= BITS:
            best = max(best, spare - alike_bits(token, word))
        if not ordinary:
            best = max(best, _rearranged(token, word, value - place))
    return max(best, pieces - CHEAP)


@lru_cache(64)
def _prices(words: tuple[str, ...], public: frozenset[str]) -> tuple[dict[str, tuple[float, bool]], float]:
    """Returns the bits of each word and whether it is ordinary, and the bits of the place of one that is not."""
    priced = {token: token_bits(token, public) for token in words}
    return priced, log2(1 + sum(not ordinary for _, ordinary in priced.values()))


def _piece_bits(token: str, word: str) -> float:
    """Returns the bits of a token as a piece of the word, of two letters or more; many if it is none."""
    if not 2 <= len(token) < len(word):
        return 99.0
    if word.startswith(token) or word.endswith(token):
        return log2(len(word)) + 0.5
    if token in word or token[::-1] in word:
        return 2 * log2(len(word)) + (0.0 if token in word else REVERSED)
    return 99.0


@lru_cache(4096)
def by_rule(word: str) -> frozenset[str]:
    """Returns the words that a rule makes of a word: its consonants, and Pig Latin."""
    cut = next((i for i, c in enumerate(word) if c in "aeiou"), 0)
    moved = (f"{word[n:]}{word[:n]}" for n in {0, 1, cut})
    consonants = "".join(c for c in word if c not in "aeiou")
    return frozenset({f"{one}{end}" for one in moved for end in ("ay", "way", "yay", "hay")} | {consonants}) - {word}


def _rearranged(token: str, word: str, value: float) -> float:
    """Returns the bits that a token saves as the letters of the word in another order or alphabet."""
    extra = len(token) - len(word)
    if not 0 <= extra <= _EXTRA:
        return 0.0
    value -= (4.7 + 1.0) * extra
    letters = letters_of(token)
    return value - min(sorted_bits(letters, word, value), shift_bits(letters, word, value - BITS))


def _joined(words: Sequence[str], word: str, public: frozenset[str]) -> float:
    """Returns the bits of the letters of the word in a row, over the bounds of words or inside one."""
    text = "".join(words)
    at, best = text.find(word), 0.0
    if at < 0:
        return best
    bounds = [0]
    for token in words:
        bounds.append(bounds[-1] + len(token))
    while at >= 0:
        end, value = at + len(word), 0.0
        for start, token in zip(bounds, words, strict=False):
            low, high = max(at, start), min(end, start + len(token))
            if low >= high:
                continue
            whole, ordinary = token_bits(token, public)
            part = inside_bits(text[low:high])
            value += whole if high - low == len(token) else min(whole, part + (0.0 if ordinary else 3.0))
        aligned = (at in bounds) + (end in bounds)
        cost = log2(len(words)) if aligned else log2(len(text))
        best = max(best, value - cost - (CHEAP if aligned == 2 else USUAL if aligned else USUAL + 1))
        at = text.find(word, at + 1)
    return best


@lru_cache(64)
def gapped(text: str) -> tuple[str, ...]:
    """Returns the words of a text in lower case with signs in place of letters, such as b__k or b _ _ k."""
    return tuple(dict.fromkeys(_parts(text)))


def _parts(text: str) -> Iterator[str]:
    for part in _GAPPED.findall(text):
        for one in (*part.split(), "".join(part.split())):
            bare = one.rstrip(".?") if one[-1:] in ".?" and one[:-1].isalpha() else one
            if any(c in _GAP for c in bare) and any(c.isalpha() for c in bare):
                yield "".join("_" if c in _GAP else c for c in bare)


def bits_in_gaps(text: str, word: str) -> float:
    """Returns the bits of the letters that a word with gaps shows."""
    best, single = 0.0, letter_bits()
    for each in (parts := gapped(text)):
        if len(each) == len(word) and all(c in ("_", d) for c, d in zip(each, word, strict=True)):
            letters = sum(single[c] for c in each if c != "_")
            hidden = log2(comb(len(word), each.count("_")))
            best = max(best, UNKNOWN + LENGTH + letters - hidden - log2(len(parts)) - CHEAP)
    return best
