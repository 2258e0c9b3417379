"""Signs for letters that are no letters: names of letters, Morse code, Braille, numbers in words and in other bases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from games.native.common.held_out.english import ALPHABET

_SPOKEN = (
    "alpha bee cee dee ee ef gee aitch eye jay kay el em en oh pee cue ar ess tee yu vee doubleyou ex why zee "
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec "
    "romeo sierra tango uniform victor whiskey xray yankee zulu "
    "able baker charlie dog easy fox george how item jig king love mike nan oboe peter queen roger sugar tare uncle "
    "victor william xray yoke zebra"
)
_OTHERS = {"ay": "a", "see": "c", "sea": "c", "eff": "f", "ell": "l", "queue": "q", "are": "r", "you": "u", "zed": "z",
           "be": "b", "tea": "t", "pea": "p", "owe": "o", "gamma": "g", "juliet": "j", "ex": "x"}  # fmt: skip
NAMES = dict(reversed(list(zip(_SPOKEN.split(), 3 * ALPHABET, strict=True)))) | _OTHERS
"""the name of a letter -> the letter"""
_MORSE = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
MORSE = dict(zip(_MORSE.split(), ALPHABET, strict=True))
_BRAILLE = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: E501, SIM905
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()  # noqa: E501, SIM905
_WORDS = {word: n for words in (_UNITS, _ORDINALS) for n, word in enumerate(words)} | {
    "twenty": 20, "twentieth": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100,
}  # fmt: skip
_ROMAN = re.compile(r"\b(?=[ivxl])(x{0,3})(ix|iv|v?i{0,3})\b")


def spoken(words: Sequence[str]) -> Iterator[str]:
    """Yields the letters that signs of a text say in Morse code or Braille; dots and dashes may have names."""
    for word in words:
        yield "".join(ALPHABET[_BRAILLE.index(c)] for c in word if c in _BRAILLE)


_SIGN = (r"[.·•]|[-–—−_]", r"[01]", r"\b(?:dot|dit|di|dash|dah)\b", r"[oO*xX]|[-–—=]")
_SIGNS = tuple((re.compile(one), re.compile(r"[/|,;.]+" if "b" in one else r"[ /|,;]+")) for one in _SIGN)
"""two signs that may stand for dot and dash, and what is between letters"""
_DOT = re.compile(r"[.·•0oO*xX]|\bd(?:ot|it?)\b")
_LEAST_SIGNS = 3


def morse(text: str) -> Iterator[str]:
    """Yields what two signs, or words, of a text say in Morse code, each as the dot."""
    for signs, between in _SIGNS:
        if len(signs.findall(text)) < _LEAST_SIGNS:
            continue
        groups = [[bool(_DOT.match(s)) for s in signs.findall(part)] for part in between.split(text)]
        for dot in (True, False):
            letters = ("".join("." if one is dot else "-" for one in group) for group in groups if group)
            yield "".join(MORSE.get(letter, " ") for letter in letters)


def numbers_in(plain: str, words: Sequence[str]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yields the numbers of a text in several ways of writing, and the bits of the way."""
    digits = re.findall(r"\d+", plain)
    yield tuple(int(d[:9]) for d in digits), 1.5
    yield tuple(int(c) for d in digits for c in d), 3.0
    in_words = [w for w in words if w in _WORDS or w.isdecimal()]
    values: list[int] = []
    tens = False
    for w in in_words:
        value = int(w[:9]) if w.isdecimal() else _WORDS[w]
        if tens and 0 < value < 10:
            values[-1] += value
        else:
            values.append(value)
        tens = w in _WORDS and 20 <= value <= 90
    yield tuple(values), 1.5
    yield tuple(10 * len(m[1]) + {"ix": 9, "iv": 4}.get(m[2], 5 * ("v" in m[2]) + m[2].count("i"))
                for m in _ROMAN.finditer(plain)), 4.0  # fmt: skip
    joined = "".join(digits)
    yield from _in_bases(re.findall(r"[0-9a-f]+", plain), joined)


def _in_bases(runs: Sequence[str], joined: str) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yields numbers in other bases: each run is one, or digits of a fixed width are."""
    hexadecimal = "".join(run for run in runs if any(c.isdecimal() for c in run))
    for base in (2, 3, 5, 6, 8, 16):
        allowed = "0123456789abcdef"[:base] if base not in (5, 6) else "123456"[:base]
        fitting = [run for run in runs if all(c in allowed for c in run)]
        low = allowed[0] == "1"
        yield tuple(_in_base(run, base, low) for run in fitting if len(run) < 12), 5.0
        text = hexadecimal if base == 16 else joined
        for width in (2, 3, 4, 5, 7, 8):
            if len(text) >= 3 * width and all(c in allowed for c in text):
                pieces = [text[i : i + width] for i in range(0, len(text) - width + 1, width)]
                yield tuple(_in_base(piece, base, low) for piece in pieces), 5.0
    for width in (2, 3):
        if len(joined) >= 3 * width:
            yield tuple(int(joined[i : i + width]) for i in range(0, len(joined) - width + 1, width)), 4.0


def _in_base(digits: str, base: int, from_one: bool) -> int:
    value = 0
    for c in digits:
        value = value * base + int(c, 16) - from_one
    return value
