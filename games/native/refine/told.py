"""Whether a text tells a number: in digits of any script or base, in words, digit by digit, in parts, or computed.

The text is read in digits first (`games.native.refine.digits`). A false alarm would need exactly this number, so many
readings are tried.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from math import isqrt

from games.native.refine.digits import LONGEST, in_digits, plain, spoken
from games.verifiers import arithmetic

_NUMERAL = re.compile(rf"{arithmetic.WHOLE}(?:\.\d+)?(?:\s?/\s?\d+)?")
_EXPRESSION = re.compile(r"[\d(](?:[\d .()+\-*/×·÷−]{0,78}[\d)])")
_POWER = re.compile(r"(?<![\d.])(\d{1,4}) ?(?:\^|\*\*) ?([23])(?!\d)")
_THAN = re.compile(r"\b(\d{1,9}) (more|greater|higher|less|fewer|lower) than (\d{1,9})\b")
_SCIENTIFIC = re.compile(r"\b(\d{1,9})(?:\.(\d{1,9}))? ?(?:e\+?|[x*×] ?10 ?\^ ?)(\d)\b")
_PREFIXED = re.compile(r"\b0(x[0-9a-f]{1,15}|b[01]{1,60}|o[0-7]{1,20})\b")
_BITS = re.compile(r"\b[01]{4,60}\b")
_ROOT = re.compile(r"(?:root of|sqrt|√) ?\(? ?(\d{1,18})")
_ROMAN = re.compile(r"\b(?=[IVXLCDM])(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})\b")
_ROMANS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_ALIKE = re.compile(rf"(?<!\w)(?=[il|o]*\d)[\dil|o]{{2,{LONGEST}}}(?!\w)")
_PLACED = re.compile(r"\b(\d{1,3}) (thousand|hundred|ten|one|unit)s?\b")
_PLACES = re.compile(
    r"\b(thousand|hundred|ten|one|unit)s?(?: digit| place| column)?s?(?: is| are| should be|:)+ (\d)\b"
)
_WORTH = {"thousand": 1000, "hundred": 100, "ten": 10, "one": 1, "unit": 1}
_BASES = {"hex": 16, "base 16": 16, "octal": 8, "base 8": 8, "binary": 2, "base 2": 2}
_GROUP = re.compile(r"\d+")
_GAP = 24
"""the largest number of characters between two parts of a number, as in "1, then 4, then 7" """


def numbers(text: str) -> Iterator[Fraction]:
    """The numbers that a text names in digits or words."""
    for source in (plain(text), in_digits(text)):
        for found in _NUMERAL.findall(source):
            value = arithmetic.number(found)
            if value is not None:
                yield value
            parts = (part.replace(",", "") for part in re.findall(r"\d[\d,]*", found))
            yield from (Fraction(part) for part in parts if len(part) <= LONGEST)
    yield from spoken(text)


def tells(text: str, truth: Fraction, known: str) -> bool:
    """Whether a text tells the number, with any sign; an expression that `known` contains tells none."""
    wanted = abs(truth)
    if any(abs(n) == wanted for n in _values(text, known)):
        return True
    named = set(numbers(text)) - set(numbers(known))
    if named and {truth - 1, truth + 1} <= named | set(numbers(known)) and {truth - 1, truth + 1} & named:
        return True
    if wanted.denominator > 1:
        return False
    read = {str(n) for n in numbers(known)}
    return any(_in_parts(_unquoted(t, known), str(wanted), read) for t in (plain(text), in_digits(text)))


def _values(text: str, known: str) -> Iterator[Fraction]:
    yield from numbers(text)
    shown, low = plain(text), in_digits(text)
    yield from _computed(shown, known)
    yield from _computed(low, known)
    yield from _in_bases(low)
    yield from (Fraction(_roman(found[0])) for found in _ROMAN.finditer(shown) if found[0])
    for found in _ALIKE.findall(shown.casefold()):
        yield Fraction(re.sub("[il|]", "1", found).replace("o", "0"))
    for whole, part, power in _SCIENTIFIC.findall(low):
        yield Fraction(f"{whole}.{part or 0}") * 10 ** int(power)
    for root in map(int, _ROOT.findall(low)):
        if isqrt(root) ** 2 == root:
            yield Fraction(isqrt(root))
    for pairs in (_PLACED.findall(low), [(n, place) for place, n in _PLACES.findall(low)]):
        if pairs:
            yield Fraction(sum(int(n) * _WORTH[place] for n, place in pairs))


def _computed(text: str, known: str) -> Iterator[Fraction]:
    """The values of the expressions of a text, powers and "three more than 144" included."""
    text = _POWER.sub(lambda found: "(" + "*".join([found[1]] * int(found[2])) + ")", text)
    spaceless = "".join(known.split())
    for found in _EXPRESSION.findall(text):
        inside = "".join(found.split())
        value = arithmetic.value(found) if inside.strip("()") not in spaceless else None
        if value is not None:
            yield value
    for by, way, of in _THAN.findall(text):
        yield Fraction(int(of) + (int(by) if way in ("more", "greater", "higher") else -int(by)))


def _in_bases(text: str) -> Iterator[Fraction]:
    for found in _PREFIXED.findall(text):
        yield Fraction(int(f"0{found}", 0))
    yield from (Fraction(int(found, 2)) for found in _BITS.findall(text))
    for name, base in _BASES.items():
        if name in text:
            digits = "0123456789abcdef"[:base]
            for found in re.findall(rf"\b[{digits}]{{1,15}}\b", text):
                yield Fraction(int(found, base))


def _roman(text: str) -> int:
    values = [_ROMANS[c] for c in text]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


def _unquoted(text: str, known: str) -> str:
    """The text with gaps instead of the expressions that `known` contains."""
    spaceless = "".join(known.split())
    gap = " " * (_GAP + 1)

    def kept(found: re.Match[str]) -> str:
        inside = "".join(found[0].split()).strip("()")
        return gap if inside in spaceless and not inside.isdecimal() else found[0]

    return _EXPRESSION.sub(kept, text)


def _in_parts(text: str, wanted: str, read: Collection[str]) -> bool:
    """Whether rows of numbers give the wanted digits: joined ("1 then 4 then 7"), as a sum of places, or reversed.

    Numbers in `read` stand for themselves and are no parts of a sum.
    """
    found = [(m[0], m.start(), m.end()) for m in _GROUP.finditer(text)]
    if re.search(r"backward|revers|mirror", text) and wanted[::-1] in (digits for digits, _, _ in found):
        return True
    for first in range(len(found)):
        joined, total, places, end = "", 0, set[int](), found[first][1]
        for digits, start, stop in found[first : first + 2 * len(wanted)]:
            if start - end > _GAP:
                break
            joined, total, end = joined + digits, total + int(digits[:40]), stop
            repeats = len(digits) in places or digits in read or digits.strip("0") not in set("123456789")
            places.add(0 if repeats else len(digits))
            if joined == wanted or (len(places) > 1 and 0 not in places and str(total) == wanted):
                return True
    return False
