"""Sanitizes text from outside: from a model, a server, a plugin, an environment or a database.

`clean` makes text safe to store; it is applied once, when text enters. `printable` makes text safe to show; it is
applied once, before text reaches a terminal, so text that another program wrote into a database is harmless too.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

_FORMULA = re.compile("(^|;)([ \"']*[=+@\uff1d\uff0b\uff0d\uff20-])")
# Invisible characters that Python calls printable: joiners, fillers and variation selectors.
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
_FILLER = re.compile(f"[{_FILLERS}]")
VISIBLE = bytes(c if 0x20 <= c < 0x7F or c in b"\n\t" else 0x20 for c in range(256))
"""a table for `bytes.translate` that changes the ASCII characters which `clean` does not keep"""
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# One selector of text or emoji style after a visible character is legitimate; several in a row can hide data.
_STYLED = re.compile(f"(?<=[^\\s{_FILLERS}])[\ufe0e\ufe0f](?![{_FILLERS}])")


def clean(text: str) -> str:
    r"""Returns a text that is safe to store: valid Unicode, no controls, direction marks or invisible characters.

    Every kind of line break becomes `\n`; tabs stay. Unpaired surrogates and noncharacters become U+FFFD. Text that
    needs no change is returned as it is.

    >>> clean("a\x1b[31mb\u202ec\u200b\x00\r\nd")
    'a[31mbc\nd'
    """
    if text.isascii():
        # The first test serves most actions. The second costs a sixth of `isprintable`, so it needs no cache.
        if text.isprintable() or (data := text.encode()).translate(VISIBLE) == data:
            return text
    elif _plain(text.replace("\n", "").replace("\t", "")):
        return text
    text = _LINE_BREAK.sub("\n", text)
    if any("\ud800" <= c <= "\udfff" for c in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    styled = {match.start() for match in _STYLED.finditer(text)}
    return "".join(c if i in styled else _kept(c) for i, c in enumerate(text))


def _kept(c: str) -> str:
    if c in "\n\t":
        return c
    if unicodedata.category(c) in ("Cc", "Cf") or _FILLER.match(c):
        return ""
    return "\ufffd" if ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF else c


def cleaned(value: Any) -> Any:
    """Returns JSON-like data with `clean` applied to every text, keys included."""
    if type(value) is str:
        return clean(value)
    if type(value) is dict:
        return {cleaned(key): cleaned(inner) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(cleaned, value))
    return value


def printable(text: str, *, lines: bool = False) -> str:
    r"""Returns `text` in a form that is safe in a terminal: invisible characters become escapes, such as `\x1b`.

    `lines` keeps line breaks and tabs.

    >>> print(printable("\x1b]0;title\x07 \u202egnp.exe"))
    \x1b]0;title\x07 \u202egnp.exe
    """
    kept = "\n\t" if lines else ""
    if _plain(text.replace("\n", "").replace("\t", "") if lines else text):
        return text
    styled = {match.start() for match in _STYLED.finditer(text)}
    return "".join(c if c in kept or i in styled or _shows(c) else _escape(c) for i, c in enumerate(text))


def one_line(text: str, limit: int | None = None) -> str:
    """Returns `text` as one printable line of at most `limit` characters, with single spaces."""
    line = printable(" ".join(text.split()))
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def printable_json(text: str) -> str:
    r"""Returns JSON in a form that is safe in a terminal, with the same value: invisible characters become `\uXXXX`."""
    if _plain(text.replace("\n", "")):
        return text
    return "".join(c if c in "\n\t" or _shows(c) else _json_escape(c) for c in text)


def spreadsheet_cell(text: str) -> str:
    """Returns `text` as one printable line that no spreadsheet runs as a formula: an apostrophe stands before the sign.

    Where the semicolon separates cells, a text with one becomes two cells.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("a; @SUM(A1)"), spreadsheet_cell("mcts-100")
    ("'=1+1", "a;' @SUM(A1)", 'mcts-100')
    """
    return _FORMULA.sub(r"\1'\2", printable(text))


def hidden(text: str) -> str:
    """Returns the first invisible character of a name, as `U+202E`; "" without one."""
    visible = printable(text)
    if visible == text:
        return ""
    return next(f"U+{ord(c):04X}" for i, c in enumerate(text) if visible[i : i + 1] != c)


def _plain(text: str) -> bool:
    """Returns whether every character is visible; a hundred times faster than testing each one."""
    return text.isprintable() and (text.isascii() or not _FILLER.search(text))


def _shows(c: str) -> bool:
    if c.isprintable():
        return not _FILLER.match(c)
    return unicodedata.category(c) == "Zs"


def _escape(c: str) -> str:
    code = ord(c)
    if c in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[c]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(c: str) -> str:
    return "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1]
