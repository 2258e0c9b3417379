"""How many bits English has: of a word, of letters inside a word, of a letter anywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import cache, lru_cache
from importlib import resources
from math import log2

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN, RARE, INFLECTED = 4.0, 4.0, 3.0
"""the bits of leaving the dictionary, of a letter that no other follows this way, and of an ending"""
MOST = 3.5
"""the bits of a letter of a word that the dictionary lacks, at most, on average"""
_COMMON = """i me my we us our you your he him his she her it they them what who which when where why how this that
these those am is are was were be been do does did has have had will would can could should may might must not no yes
and or but if then so because as until while of at by for with about against between into through during before after
above below to from up down in out on off over under again once here there all any both each few more most other some
such only same than too very just now please tell say said ask know think guess find people every often many one two
three first something anything thing things like use used make made give take come go see look want need try start end
word words letter letters name answer question hint hints secret game time day year good new old great right big small
long home house work life world hand place way well also back even still own never always really let us example"""
"""words of conversation, which definitions lack"""
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "er", "r")
_OFTEN = 120
_PUBLIC = 9.0
"""the bits of a word that everybody reads"""


@cache
def _counts() -> Counter[str]:
    """Returns how often the words of a dictionary with definitions occur in it."""
    text = resources.files("games.tasks.vocabulary").joinpath("words.tsv").read_text(encoding="utf-8")
    counts = Counter(re.findall(r"[a-z]+", text.casefold()))
    counts.update(dict.fromkeys(_COMMON.split(), _OFTEN))
    return counts


@cache
def _triples() -> tuple[Counter[str], Counter[str]]:
    """Returns how many words of the dictionary have each three letters in a row, and each two before a third."""
    triples: Counter[str] = Counter()
    for word, count in _counts().items():
        padded = f"  {word} "
        weight = 1 + count.bit_length()
        for at in range(len(padded) - 2):
            triples[padded[at : at + 3]] += weight
    pairs: Counter[str] = Counter()
    for triple, count in triples.items():
        pairs[triple[:2]] += count
    return triples, pairs


@cache
def letter_bits() -> dict[str, float]:
    """Returns the bits of each letter in running text."""
    counts = Counter("".join(word * min(n, 200) for word, n in _counts().items()))
    total = sum(counts.values())
    return {c: log2(total / (counts[c] + 1)) for c in ALPHABET}


@lru_cache(1 << 14)
def inside_bits(letters: str) -> float:
    """Returns the bits of letters inside a word, each after the two before it."""
    triples, pairs = _triples()
    single, out = letter_bits(), 0.0
    for at, c in enumerate(letters):
        before = letters[max(0, at - 2) : at]
        if len(before) < 2:
            out += single.get(c, RARE)
            continue
        count, of = triples[before + c], pairs[before]
        out += min(log2((of + 26) / (count + 1)), 12.0)
    return out


@lru_cache(1 << 14)
def word_bits(word: str) -> tuple[float, bool]:
    """Returns the bits of a word, and whether the dictionary has it, perhaps with an ending."""
    counts, total = _counts(), 60_000
    if word in counts:
        return log2(total / counts[word]), True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        for form in (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
            if stem != word and len(stem) > 2 and form in counts:
                return log2(total / counts[form]) + INFLECTED, True
    return UNKNOWN + min(inside_bits(word), MOST * len(word)), False


def token_bits(word: str, public: Collection[str] = ()) -> tuple[float, bool]:
    """Returns the bits of a word and whether it is an ordinary one; those that all seats read are."""
    value, ordinary = word_bits(word)
    return (min(value, _PUBLIC), True) if word in public else (value, ordinary)
