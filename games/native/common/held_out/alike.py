"""How many bits a token has as a version of a word: with letters left out, added, doubled, exchanged or covered."""

from __future__ import annotations

from functools import lru_cache

_SAME, _LEFT_OUT, _VOWEL_OUT, _ADDED, _EXCHANGED, _DOUBLED, _OTHER = 0.4, 4.0, 2.0, 7.5, 5.0, 2.0, 7.5
_VOWELS = frozenset("aeiou")
_LONGEST = 40


@lru_cache(1 << 14)
def alike_bits(token: str, word: str) -> float:
    """Returns the bits of the cheapest way to make the token of the word, or of the word backwards."""
    if len(token) > _LONGEST or 2 * len(token) < len(word):
        return 99.0
    return min(_steps(token, word), _steps(token, word[::-1]) + 1.0)


def _steps(token: str, word: str) -> float:
    before: list[float] = []
    row = [0.0]
    for c in word:
        row.append(row[-1] + (_VOWEL_OUT if c in _VOWELS else _LEFT_OUT))
    for i, c in enumerate(token, 1):
        after = [row[0] + _ADDED]
        for j, w in enumerate(word, 1):
            out = _VOWEL_OUT if w in _VOWELS else _LEFT_OUT
            options = [
                row[j - 1] + (_SAME if c == w else _OTHER),
                row[j] + (_DOUBLED if c == w else _ADDED),
                after[j - 1] + out,
            ]
            if i > 1 and j > 1 and c == word[j - 2] and token[i - 2] == w:
                options.append(before[j - 2] + _EXCHANGED)
            after.append(min(options))
        before, row = row, after
    return row[-1]
