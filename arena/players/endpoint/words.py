"""What a server says in the body of a response, whatever shape its vendor gives to errors.

Bodies that servers really send: `{"error": {"message": ..., "param": ...}}` (OpenAI), `{"error": "text"}` (LM Studio,
TGI, xAI), `[{"error": {...}}]` (Gemini), `{"detail": [{"loc": ["body", "seed"], "msg": ...}]}` (FastAPI, Mistral),
`{"object": "error", "message": ...}` (older vLLM, SGLang), an error as JSON inside a text (OpenRouter's `metadata.raw`,
litellm), plain text, and the HTML page of a proxy.
"""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

MAX_READ = 20_000
"""characters of a body that are read"""
LONGEST_RESET = 60.0
"""seconds"""
_DEPTH = 8
_TEXTS = (
    *("message", "msg", "error", "errors", "detail", "details", "title", "description", "error_description"),
    *("metadata", "raw", "data", "innererror", "fieldViolations", "body"),
)
"""keys under which messages stand; others may repeat the request, such as FastAPI's `input`"""
_CODES = ("code", "type", "status", "error_type", "error_code", "reason")
_NAMES = ("param", "field", "loc")
_WAITS = ("retryDelay", "retry_after", "retry_after_seconds", "estimated_time")
_MARKUP = re.compile(r"(?is)<(script|style)\b.*?</\1>|<[^>]*>")
_PAGE = re.compile(r"(?i)<(!doctype|html|head|body|\?xml|center|h1|title)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_AMOUNT = r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)(?:ec(?:ond)?s?|in(?:ute)?s?|ours?|ays?)?(?![a-z])"
_DURATION = re.compile(_AMOUNT)
_AGAIN = re.compile(rf"(?:try again|retry|wait)\s+(?:in|after|for)?\s*((?:{_AMOUNT}\s?){{1,4}})")


class Words(NamedTuple):
    """What a body says."""

    text: str = ""
    """its messages, joined"""
    names: frozenset[str] = frozenset()
    """parts of the request that fields such as `param` and `loc` name"""
    codes: str = ""
    """its codes and types"""
    status: int = 0
    """an HTTP status that it states"""
    wait: float | None = None
    """seconds that it asks to wait"""

    @property
    def all(self) -> str:
        """Everything it says, in lower case."""
        return f"{' '.join(sorted(self.names))} {self.codes} {self.text}".lower()


def payload_of(content: bytes) -> Any:
    """Returns a body as JSON data, or as text if it is not JSON."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content.decode("utf-8", "replace")


def words_of(payload: object) -> Words:
    """Returns what a body says: JSON data or a text."""
    texts: list[str] = []
    codes: list[str] = []
    names: set[str] = set()
    status, wait = 0, None
    for key, value in _facts(payload, "", _DEPTH):
        if key in _TEXTS and isinstance(value, str):
            texts.append(value)
        if key in _NAMES:
            names |= {str(value), *re.findall(r"\w+", str(value))} if value else set()
        elif key in _CODES and value:
            codes.append(str(value))
            if not status and re.fullmatch(r"[45]\d\d", str(value)):
                status = int(str(value))
        elif key in _WAITS and wait is None:
            wait = seconds_of(str(value))
        elif key == "headers" and wait is None and isinstance(value, Mapping):
            wait = wait_of({str(name).lower(): str(v) for name, v in value.items()})
    text = "; ".join(dict.fromkeys(filter(None, map(str.strip, texts))))[:MAX_READ]
    if wait is None and (again := _AGAIN.search(text.lower())):
        wait = seconds_of(again[1])
    return Words(text, frozenset(names), " ".join(codes)[:MAX_READ], status, wait)


def _facts(value: object, key: str, depth: int) -> Iterator[tuple[str, object]]:
    """Yields keys and values of a body that may say something, inner ones too; a text without a key is a message."""
    if isinstance(value, str):
        inner = _inner(value) if depth else None
        if inner is None:
            yield key or "message", value
        else:
            yield from _facts(inner, key, depth - 1)
    elif isinstance(value, Mapping) and depth:
        if key == "headers":
            yield key, value
            return
        for name in (*_TEXTS, *_CODES, *_NAMES, *_WAITS, "headers"):
            if name in value:
                yield from _facts(value[name], name, depth - 1)
    elif isinstance(value, list | tuple) and depth:
        for item in value[:50]:
            yield from _facts(item, key, depth - 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, value


def _inner(text: str) -> object:
    """Returns what a text is made of: data if it is JSON, the words of an HTML page; None if it is plain."""
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        try:
            data = json.loads(start[:MAX_READ])
        except (ValueError, RecursionError):
            return None
        return data if isinstance(data, dict | list) else None
    if _PAGE.match(start):
        plain = " ".join(html.unescape(_MARKUP.sub(" ", start[:MAX_READ])).split())
        return {"message": f"(an HTML page) {plain}"}
    return None


def wait_of(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds that headers ask to wait, as far as they can be read.

    A limit's reset counts only if the headers do not say that something of the limit is left. It is when the limit is
    whole again, long after a next request may pass, so no more than LONGEST_RESET of it counts.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0), ("x-retry-after", 1.0)):
        if (wait := seconds_of(headers.get(name) or "")) is not None:
            return wait * unit
    waits = []
    for name, value in headers.items():
        if "ratelimit" in name and "reset" in name and (wait := seconds_of(value)) is not None:
            left = headers.get(name.replace("reset", "remaining"), "0").strip()
            waits += [wait] if left in ("0", "0.0") else []
    return min(max(waits), LONGEST_RESET) if waits else None


def seconds_of(text: str) -> float | None:
    """Returns the seconds from now in `7`, `1.5`, `6m0s`, `250ms`, a time in seconds or milliseconds, or a date."""
    text = text.strip()
    if not text or len(text) > 64:
        return None
    try:
        if re.fullmatch(r"\d+(\.\d+)?", text):
            number = float(text)
            stamp = number / 1000 if number > 1e11 else number if number > 1e9 else 0.0
            return max(0.0, stamp - time.time()) if stamp else number
        parts = _DURATION.findall(text.lower())
        if parts and not _DURATION.sub("", text.lower()).strip():
            return sum(float(amount) * _UNITS[unit] for amount, unit in parts)
        date = datetime.fromisoformat(text) if text[:2] == "20" else parsedate_to_datetime(text)
        return max(0.0, date.timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):  # a date with a year or an offset of many digits
        return None


__all__ = ["MAX_READ", "Words", "payload_of", "seconds_of", "wait_of", "words_of"]
