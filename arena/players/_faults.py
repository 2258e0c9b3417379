"""What may go wrong with a request over the network, and what follows from it. The table is `fault_of`."""

from __future__ import annotations

import email.utils
import time
from dataclasses import dataclass
from typing import Any, Literal

LONG = 120.0
"""seconds; an endpoint that asks for a longer wait is out of service for the run"""


class Unreadable(Exception):
    """The answer came and is no chat completion."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`again`: a later try may succeed. `request`: this one request cannot be answered. `closed`: none can."""

    kind: Literal["again", "request", "closed"]
    line: str
    wait: float | None = None
    """seconds the server asked to wait"""
    billed: bool = False
    """the server may have worked, and charged, for it"""
    what: str = ""
    """parameter, code and message of a refused request, lower case"""


def fault_of(error: Exception) -> Fault:
    """What an error of the openai client, or `Unreadable`, means."""
    import openai

    if isinstance(error, Unreadable):
        return Fault("again", f"unreadable answer: {error}", billed=True)
    if isinstance(error, openai.APITimeoutError):
        return Fault("again", "no answer in time", billed=True)
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        refused = type(cause).__name__ in ("ConnectError", "ConnectTimeout")
        return Fault("again", f"no connection: {_line(cause or error)}", billed=not refused)
    return Fault("again", f"unreadable answer: {type(error).__name__}", billed=True)


def _status_fault(error: Any) -> Fault:
    status, body = int(error.status_code), error.body
    said = body.get("error", body) if isinstance(body, dict) else {}
    said = said if isinstance(said, dict) else {"message": said}
    code, message = str(said.get("code") or said.get("type") or ""), _line(said.get("message") or error)
    line, what = f"HTTP {status}: {message}", f"{said.get('param') or ''} {code} {message}".lower()
    if "insufficient_quota" in what:
        return Fault("closed", f"{line} (the account's quota is used up)")
    if status in (408, 409, 425, 429) or (status >= 500 and status != 501):
        wait = _retry_after(error.response.headers)
        return Fault("closed" if wait is not None and wait > LONG else "again", line, wait)
    if status in (401, 403):
        return Fault("closed", f"{line} (is the key right?)")
    if status in (402, 404, 501) or status < 400:
        return Fault("closed", line)
    return Fault("request", line, what=what)


def too_long(fault: Fault) -> bool:
    """The prompt has more tokens than the model reads."""
    return fault.kind == "request" and any(
        hint in fault.what for hint in ("context_length", "context length", "maximum input length", "too long")
    )


def _retry_after(headers: Any) -> float | None:
    """Seconds, from `Retry-After` (seconds or a date) or `retry-after-ms`; None where neither can be read."""
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(ms) / 1000.0)
        value = headers.get("retry-after")
        if value is None:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _line(thing: object, limit: int = 200) -> str:
    text = " ".join(str(thing).split()) or type(thing).__name__
    return text[:limit]
