"""What may go wrong with a request over the network, and what follows from it. The table is `fault_of`."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from arena.players._keys import Redactor
from games.text import clean, one_line

LONG = 120.0
"""seconds; an endpoint that asks for a longer wait is out of service for the run"""


READ = 20_000
"""characters that are read of an error's text"""


class Unreadable(Exception):
    """The answer came and is no chat completion."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`again`: a later try may succeed. `filtered`: something between the model and us took its answer away; another
    answer may pass. `request`: this one request cannot be answered. `closed`: none can.
    """

    kind: Literal["again", "filtered", "request", "closed"]
    line: str
    wait: float | None = None
    """seconds the server asked to wait"""
    billed: bool = False
    """the server may have worked, and charged, for it"""
    what: str = ""
    """parameter, code and message of a refused request, lower case"""


Redact = Callable[[str], str]
NO_KEY = Redactor("")


def fault_of(error: Exception, redact: Redact = NO_KEY) -> Fault:
    """What an error of the openai client, a TimeoutError or `Unreadable` means. `redact` takes the key out of texts."""
    import openai

    if isinstance(error, openai.APIError) and isinstance(error.__cause__, Unreadable):
        error = error.__cause__
    if isinstance(error, Unreadable):
        return Fault("again", f"unreadable answer: {error}", billed=True)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return Fault("again", "no answer in time", billed=True)
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error, redact)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        refused = type(cause).__name__ in ("ConnectError", "ConnectTimeout")
        return Fault("again", f"no connection: {_line(cause or error, redact)}", billed=not refused)
    return Fault("again", f"unreadable answer: {type(error).__name__}", billed=True)


def _status_fault(error: Any, redact: Redact) -> Fault:
    status, body = int(error.status_code), error.body
    if 300 <= status < 400:
        return Fault(
            "closed",
            f"HTTP {status}: it redirects to another address, where neither prompts nor the key are sent; "
            "write base_url= with the address that answers",
        )
    said = body.get("error", body) if isinstance(body, dict) else {}
    said = said if isinstance(said, dict) else {"message": said}
    code, message = str(said.get("code") or said.get("type") or ""), _line(said.get("message") or error, redact)
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


def _line(thing: object, redact: Redact, limit: int = 200) -> str:
    """A text from outside as one line: the key goes before anything is cut."""
    return one_line(redact(clean(str(thing)[:READ])), limit) or type(thing).__name__
