"""Cleans, cuts and pads text by its width in terminal cells, and formats numbers."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len, set_cell_size

from games.sanitize import printable

ELLIPSIS = "…"
ZWJ = "\u200d"
"""Zero-width joiner: joins emoji."""
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")


@lru_cache(4096)
def clean(text: str) -> str:
    """`text` without escape sequences, control characters, joiners and bidirectional marks.

    An invisible character becomes a visible escape, such as `\\u202e`, so that different names look different. A joined
    emoji becomes its parts and a flag its two letters, because terminals disagree about the width of both.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_char, unicodedata.normalize("NFC", _ANSI.sub("", text))))


def _char(c: str) -> str:
    code = ord(c)
    if 0x1F1E6 <= code <= 0x1F1FF:  # regional indicators, two of which make a flag
        return chr(ord("A") + code - 0x1F1E6)
    if 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF:  # variation selectors, skin tones
        return ""
    category = unicodedata.category(c)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if category == "Cf":
        return "" if c == ZWJ else printable(c)
    return "�" if category in ("Cs", "Co", "Cn") else printable(c)


def fit(text: str, width: int) -> str:
    """`text` in at most `width` cells; longer text ends in an ellipsis."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS


def cut(label: str, room: int) -> str:
    """Returns a label in at most `room` characters. It loses a piece before its end, because ends often differ.

    >>> cut("wins as player_0 against a-checkpoint-of-long-ago", 34)
    'wins as player_0 against…-long-ago'
    """
    tail = room // 4 + 1
    return label if len(label) <= room else f"{label[: room - tail - 1]}…{label[-tail:]}"


def pad(text: str, width: int, right: bool = False) -> str:
    """`text` in exactly `width` cells, cut or filled with spaces; `right` aligns it to the right."""
    if text.isascii() and len(text) <= width:  # the common case, ten times as fast
        return text.rjust(width) if right else text.ljust(width)
    text = fit(text, width)
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def number(value: float, digits: int = 1, sign: bool = False) -> str:
    """Returns a number with `digits` decimals, none from 1000 on; `–` if it is not finite."""
    if not math.isfinite(value):
        return "–"
    if abs(value) >= 1000:
        digits = 0
    text = f"{value:{'+' if sign else ''},.{digits}f}"
    if abs(value) >= 1 or float(text.replace(",", "")) != 0:
        return text
    return text.replace("-", "+" if sign else "", 1)


def rate(value: float | None) -> str:
    """Returns a rate with about three figures: `0.42`, `18.2`, `1,530`."""
    if value is None:
        return "–"
    return number(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def span(seconds: float) -> str:
    """Returns a duration: `0:07`, `12:30`, `3:05:00`, `2d 04h`."""
    if not math.isfinite(seconds):
        return "–"
    s = max(0, round(seconds))
    if s >= 48 * 3600:
        return f"{s // 86400}d {s % 86400 // 3600:02}h"
    if s >= 3600:
        return f"{s // 3600}:{s % 3600 // 60:02}:{s % 60:02}"
    return f"{s // 60}:{s % 60:02}"
