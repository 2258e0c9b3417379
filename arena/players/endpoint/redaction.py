"""Removes API keys from everything a server sends, before it is cut, shown, logged or stored.

A server may repeat the key in part and in any spelling. The redactor searches every sequence of MIN_LENGTH characters
of the key: in upper and lower case, forwards and backwards, with separators between the characters (spaces, line
breaks, zero-width characters, dashes), in hexadecimal, octal, binary, percent (also twice), base64, base32, JSON and
HTML notation.
"""

from __future__ import annotations

import base64
import logging
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote
from weakref import WeakSet

MIN_LENGTH = 8
"""characters of a key that are searched; a shorter key is not secret"""
REDACTED = "***"
_FORMS = (
    *("{:02x}", "0x{:02x}", "x{:02x}", "u{:02x}", "u{:04x}", "u{:08x}", "{:04x}", "25{:02x}"),
    *("{:d}", "chr{:d}", "{:o}", "{:03o}", "0o{:o}", "{:08b}"),
)
"""how a byte of the key may be written, without separators"""
# With a digit or a mask in it: task-oriented and sk-learning are words.
_OPENAI_KEY = re.compile(r"(?<![^\W_])sk-(?=[\w*-]{0,200}[\d*])[\w*-]{6,}")


class Redactor:
    """Removes keys from texts."""

    def __init__(self, *keys: str) -> None:
        grams = {gram for key in keys if len(_bare(key)) >= MIN_LENGTH for gram in _grams(key)}
        self._by_start: dict[str, set[str]] = {}
        for gram in grams:
            self._by_start.setdefault(gram[:MIN_LENGTH], set()).add(gram)

    def __call__(self, text: str) -> str:
        """Returns `text` with the key, and anything that looks like an OpenAI key, replaced by `***`."""
        kept: list[str] = []
        done = 0
        for start, end in self._spans(text) if self._by_start else ():
            kept += (text[done:start], REDACTED)
            done = end
        return _OPENAI_KEY.sub(REDACTED, "".join((*kept, text[done:])))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Returns the start and end of each piece of the key. Adjacent pieces are merged."""
        positions: list[int] = []
        bare: list[str] = []
        for i, c in enumerate(text):
            for folded in _folded(c):
                bare.append(folded)
                positions.append(i)
        squeezed = "".join(bare)
        spans: list[tuple[int, int]] = []
        for i in range(len(squeezed) - MIN_LENGTH + 1):
            for gram in self._by_start.get(squeezed[i : i + MIN_LENGTH], ()):
                if squeezed.startswith(gram, i):
                    start, end = positions[i], positions[i + len(gram) - 1] + 1
                    if spans and start <= spans[-1][1]:
                        spans[-1] = spans[-1][0], max(end, spans[-1][1])
                    else:
                        spans.append((start, end))
        return spans


def _folded(c: str) -> str:
    """Returns the letters and digits that a character represents, in lower case; "" for a separator."""
    if c.isascii():
        return c.lower() if c.isalnum() else ""
    return "".join(f for f in unicodedata.normalize("NFKC", c).casefold() if f.isalnum())


def _bare(text: str) -> str:
    return "".join(map(_folded, text))


def _grams(key: str) -> Iterator[str]:
    """Yields every sequence of MIN_LENGTH characters of a key in every notation, without separators."""
    for written in (key, key[::-1]):
        bare = _bare(written)
        yield from (bare[i : i + MIN_LENGTH] for i in range(len(bare) - MIN_LENGTH + 1))
        for i in range(len(written) - MIN_LENGTH + 1):
            run = written[i : i + MIN_LENGTH].encode()
            for form in _FORMS:
                yield "".join(form.format(byte) for byte in run)
            yield _bare(quote(run, safe=""))
            for shift in range(5):
                coded = base64.b32encode(bytes(shift) + run).decode().rstrip("=")
                yield coded[-(-8 * shift // 5) : len(coded) - bool((shift + len(run)) % 5)].lower()
            for shift in range(3):
                coded = base64.b64encode(bytes(shift) + run).decode().rstrip("=")
                # The characters at both ends also encode bits of their neighbours.
                yield _bare(coded[(0, 2, 3)[shift] : len(coded) - bool((shift + len(run)) % 3)])


_redactors: WeakSet[Redactor] = WeakSet()
_OF_HTTP = ("", ".connection", ".http11", ".http2", ".proxy", ".socks")
_OF_OPENAI = ("", "._base_client", "._legacy_response", "._response")
_LOGGERS = [f"openai{part}" for part in _OF_OPENAI]
_LOGGERS += [f"{library}{part}" for library in ("httpx", "httpx2", "httpcore", "httpcore2") for part in _OF_HTTP]


def watch_logs(redactor: Redactor) -> None:
    """Redact the logs of the HTTP libraries, such as echoed headers, for the lifetime of `redactor`."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_redacted)  # adding it again has no effect
    _redactors.add(redactor)


def _redacted(record: logging.LogRecord) -> bool:
    text = record.getMessage()
    for redact in _redactors:
        text = redact(text)
    record.msg, record.args = text, ()
    return True


__all__ = ["Redactor", "watch_logs"]
