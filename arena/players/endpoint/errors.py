"""Classifies the errors of requests over the network: retry, give up the request, or stop asking."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from arena.players.endpoint.redaction import Redactor
from games.sanitize import clean, one_line

MAX_RETRY_AFTER = 120.0
"""seconds; an endpoint that asks for a longer wait pauses the run"""
MAX_READ = 20_000
"""characters of an error message that are read"""

_FILTERED = ("content_filter", "content filter", "content_policy", "content policy", "moderation", "flagged")
"""words of a server that refuses a prompt for what it says"""

Redact = Callable[[str], str]
NO_KEY = Redactor("")


class Unreadable(Exception):
    """The response is not a chat completion."""


@dataclass(frozen=True, slots=True)
class RequestFailure:
    """Why a request has no answer.

    `retry`: a later attempt may succeed. `filtered`: a filter took the model's answer away; another answer may pass.
    `refused`: the server cannot answer this request. `fatal`: it cannot answer any request.
    """

    kind: Literal["retry", "filtered", "refused", "fatal"]
    message: str
    wait: float | None = None
    """seconds that the server asked to wait"""
    billed: bool = False
    """whether the server may have worked, and charged, for the request"""
    details: str = ""
    """parameter, code and message of a refused request in lower case"""


def classify(error: Exception, redact: Redact = NO_KEY) -> RequestFailure:
    """Classify an error of the openai client, a TimeoutError or `Unreadable`. `redact` removes the key from texts."""
    import openai

    if isinstance(error, openai.APIError) and isinstance(error.__cause__, Unreadable):
        error = error.__cause__
    if isinstance(error, Unreadable):
        return RequestFailure("retry", f"unreadable answer: {error}", billed=True)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return RequestFailure("retry", "no answer in time", billed=True)
    if isinstance(error, openai.APIStatusError):
        return _classify_status(error, redact)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        connected = type(cause).__name__ not in ("ConnectError", "ConnectTimeout")
        return RequestFailure("retry", f"no connection: {_text(cause or error, redact)}", billed=connected)
    return RequestFailure("retry", f"unreadable answer: {type(error).__name__}", billed=True)


def _classify_status(error: Any, redact: Redact) -> RequestFailure:
    status, body = int(error.status_code), error.body
    if 300 <= status < 400:
        return RequestFailure(
            "fatal",
            f"HTTP {status}: it redirects to another address, which receives neither prompts nor the key; "
            "set base_url= to the address that answers",
        )
    payload = body.get("error", body) if isinstance(body, dict) else {}
    payload = payload if isinstance(payload, dict) else {"message": payload}
    code, text = str(payload.get("code") or payload.get("type") or ""), _text(payload.get("message") or error, redact)
    message, details = f"HTTP {status}: {text}", f"{payload.get('param') or ''} {code} {text}".lower()
    if "insufficient_quota" in details:
        return RequestFailure("fatal", f"{message} (the account's quota is used up)")
    if status in (408, 409, 425, 429) or (status >= 500 and status != 501):
        wait = _retry_after(error.response.headers)
        return RequestFailure("fatal" if wait is not None and wait > MAX_RETRY_AFTER else "retry", message, wait)
    if status == 403 and _is_filter(details):  # OpenRouter's answer to a prompt that moderation flags
        return RequestFailure("refused", message, details=details)
    if status in (401, 403):
        return RequestFailure("fatal", f"{message} (is the key right?)")
    if status in (402, 404, 501) or status < 400:
        return RequestFailure("fatal", message)
    return RequestFailure("refused", message, details=details)


def _is_filter(details: str) -> bool:
    return any(word in details for word in _FILTERED)


def too_long(failure: RequestFailure) -> bool:
    """Returns whether the prompt has more tokens than the model reads."""
    if failure.kind != "refused" or _is_filter(failure.details):  # a filter may quote the prompt
        return False
    return any(
        hint in failure.details for hint in ("context_length", "context length", "maximum input length", "too long")
    )


def _retry_after(headers: Any) -> float | None:
    """Returns seconds, from `Retry-After` (seconds or a date) or `retry-after-ms`; None if neither can be read."""
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(ms) / 1000.0)
        value = headers.get("retry-after")
        if value is None:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):  # a date with a year or an offset of many digits
        return None


def _text(thing: object, redact: Redact, limit: int = 200) -> str:
    """Returns a text of the server as one line. The key is removed before the text is cut."""
    return one_line(redact(clean(str(thing)[:MAX_READ])), limit) or type(thing).__name__
