"""Keys are taken out of whatever a server says, before anything of it is cut, shown, logged or kept.

A server that repeats the key may do so in part and in any spelling. Every run of LEAST characters of the key is
looked for: in either case, forwards and backwards, with anything between the characters that is no letter or digit
(spaces, line breaks, zero-width characters, dashes), in hexadecimal, percent, base64, JSON and HTML notation.
"""

from __future__ import annotations

import base64
import logging
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote
from weakref import WeakSet

LEAST = 8
"""characters of a key that may stay together nowhere; a shorter key is no secret"""
GONE = "***"
_LOOKS_LIKE_ONE = re.compile(r"sk-[\w*-]{6,}")


class Redactor:
    """Takes one key out of texts."""

    def __init__(self, key: str) -> None:
        grams = set(_grams(key)) if len(_bare(key)) >= LEAST else set()
        self._by_start: dict[str, set[str]] = {}
        for gram in grams:
            self._by_start.setdefault(gram[:LEAST], set()).add(gram)

    def __call__(self, text: str) -> str:
        """`text` with the key, and what looks like one of OpenAI's, blotted out."""
        for start, end in reversed(self._spans(text) if self._by_start else []):
            text = f"{text[:start]}{GONE}{text[end:]}"
        return _LOOKS_LIKE_ONE.sub(GONE, text)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where pieces of the key stand; pieces that touch are one."""
        places: list[int] = []
        bare: list[str] = []
        for i, c in enumerate(text):
            for folded in _folded(c):
                bare.append(folded)
                places.append(i)
        squeezed = "".join(bare)
        spans: list[tuple[int, int]] = []
        for i in range(len(squeezed) - LEAST + 1):
            for gram in self._by_start.get(squeezed[i : i + LEAST], ()):
                if squeezed.startswith(gram, i):
                    start, end = places[i], places[i + len(gram) - 1] + 1
                    if spans and start <= spans[-1][1]:
                        spans[-1] = spans[-1][0], max(end, spans[-1][1])
                    else:
                        spans.append((start, end))
        return spans


def _folded(c: str) -> str:
    """The letters and digits that a character stands for, in lower case; none for what only separates."""
    if c.isascii():
        return c.lower() if c.isalnum() else ""
    return "".join(f for f in unicodedata.normalize("NFKC", c).casefold() if f.isalnum())


def _bare(text: str) -> str:
    return "".join(map(_folded, text))


def _grams(key: str) -> Iterator[str]:
    """Every run of a key's characters in every notation, without what separates."""
    for written in (key, key[::-1]):
        bare = _bare(written)
        yield from (bare[i : i + LEAST] for i in range(len(bare) - LEAST + 1))
        for i in range(len(written) - LEAST + 1):
            run = written[i : i + LEAST].encode()
            for form in ("{:02x}", "0x{:02x}", "x{:02x}", "u{:04x}", "{:d}"):
                yield "".join(form.format(byte) for byte in run)
            yield _bare(quote(run, safe=""))
            for shift in range(3):
                coded = base64.b64encode(bytes(shift) + run).decode().rstrip("=")
                # The characters at both ends also hold bits of the neighbours.
                yield _bare(coded[(0, 2, 3)[shift] : len(coded) - bool((shift + len(run)) % 3)])


_redactors: WeakSet[Redactor] = WeakSet()
_OF_HTTP = ("", ".connection", ".http11", ".http2", ".proxy", ".socks")
_OF_OPENAI = ("", "._base_client", "._legacy_response", "._response")
_LOGGERS = [f"openai{part}" for part in _OF_OPENAI]
_LOGGERS += [f"{library}{part}" for library in ("httpx", "httpx2", "httpcore", "httpcore2") for part in _OF_HTTP]


def watch_logs(redactor: Redactor) -> None:
    """Take a key out of what the HTTP libraries log while `redactor` lives: headers that a server sent back, ..."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_redacted)  # once, however often it is added
    _redactors.add(redactor)


def _redacted(record: logging.LogRecord) -> bool:
    text = record.getMessage()
    for redact in _redactors:
        text = redact(text)
    record.msg, record.args = text, ()
    return True


__all__ = ["Redactor", "watch_logs"]
