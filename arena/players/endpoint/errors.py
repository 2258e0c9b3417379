"""Classifies the errors of requests over the network: retry, shorten, give up the request, or stop asking."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from arena.players.endpoint.redaction import Redactor
from arena.players.endpoint.words import Words, payload_of, wait_of, words_of
from games.sanitize import clean, one_line

MAX_RETRY_AFTER = 120.0
"""seconds; an endpoint that asks for a longer wait pauses the run"""
NO_JSON = "unreadable answer: it is not JSON"
_WIDTH = 200
"""characters of a server's words in a line"""

Redact = Callable[[str], str]
NO_KEY = Redactor()

_FILTER = re.compile(r"content[_ ](filter|policy|management)|moderation|flagged|responsibleai")
_BILLING = re.compile(
    r"insufficient[_ ](quota|balance|credit|funds)|billing_(hard_limit|not_active)|credit balance|out of credits"
    r"|no credits|exceeded your (monthly|included)"
)
_AUTH = re.compile(r"api[ _-]?key|authenticat|unauthori[sz]ed|no connected db|bearer|credentials")
_LOST_ADDRESS = re.compile(r"unexpected endpoint|invalid url|unknown (request )?(url|endpoint|path|route)")
_BUSY = re.compile(
    r"rate.?limit|too many requests|overload|at capacity|over capacity|resource.?exhausted|busy|temporarily|unavailable"
)
_TOO_LONG = re.compile(
    r"context[ _-]?(length|window|size|limit)|string_above_max_length|(prompt|input) length|tokens_limit_reached"
    r"|(prompt|input|messages?|text|sequence|conversation|context)s?\b[^.;]{0,40}\b(too (long|large|big)|longer than)"
    r"|(prompt|inputs?|messages?)\b[^;]{0,40}\btokens?\b[^;]{0,60}(exceed|maximum|must|limit|larger)"
    r"|inputs?`? must have less than"
    r"|token (count|limit|length)[^;]{0,60}exceed|exceed[^;]{0,60}\b(token limit|limit of \d+ tokens)"
    r"|exceeded model token limit|too many tokens|reduce (the|your) (length|message|prompt|input)"
    r"|(requested )?tokens[^;]{0,40}exceed context|request_too_large|prompt_tokens_exceeded"
)
"""words of many servers for a prompt that the model cannot read whole"""
_TOO_LARGE = re.compile(r"request(_| body)?(_| )too(_| )large|reduce your message|tokens must be reduced")
"""such words also with the status of a rate limit: no wait makes this request smaller (OpenAI, Groq)"""
_READABLE = (400, 404, 413, 422, 424, 500, 501)
"""statuses with which servers refuse a part of a request or its length; 424 is TGI's for templates"""


class Unreadable(Exception):
    """The response is not a chat completion."""


@dataclass(frozen=True, slots=True)
class RequestFailure:
    """Why a request has no answer.

    `retry`: a later attempt may succeed. `filtered`: a filter took the model's answer away; another answer may pass.
    `long`: the model cannot read the whole prompt. `refused`: the server cannot answer this request. `fatal`: it cannot
    answer any request.
    """

    kind: Literal["retry", "filtered", "long", "refused", "fatal"]
    message: str
    wait: float | None = None
    """seconds that the server asked to wait"""
    billed: bool = False
    """whether the server may have worked, and charged, for the request"""
    words: Words | None = None
    """what the server says, if a part of the request may be its reason"""
    busy: bool = False
    """whether the server takes other requests, but not so many"""


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
        response = error.response
        return of_status(int(error.status_code), payload_of(response.content), response.headers, redact)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__ or error
        connected = type(cause).__name__ not in ("ConnectError", "ConnectTimeout")
        why = line_of(str(cause), redact) or type(cause).__name__
        return RequestFailure("retry", f"no connection: {why}", billed=connected)
    return RequestFailure("retry", f"unreadable answer: {type(error).__name__}", billed=True)


def of_status(status: int, payload: object, headers: Mapping[str, str], redact: Redact) -> RequestFailure:
    """Classify an error by its status and the server's words. With 200, the status that the body states counts."""
    words = words_of(payload)
    line = line_of(words.text or words.codes, redact)
    stated = words.status or status if status == 200 else status
    message = f"HTTP {status}: {line or _phrase(status)}"
    if status == 200:
        message = f"an error inside HTTP 200: {line or stated}"
    return _by_status(stated, message, words, wait_of(headers), billed=status == 200)


def _by_status(status: int, message: str, words: Words, wait: float | None, billed: bool) -> RequestFailure:
    """`status` is 200 for an error in an answer that states no status: then the words alone decide."""
    text, wait = words.all, words.wait if wait is None else wait
    read = words if status in (200, *_READABLE) else None
    if 300 <= status < 400:
        return RequestFailure(
            "fatal",
            f"{message.partition(':')[0]}: it redirects to another address, which receives neither prompts nor the "
            "key; set base_url= to the address that answers",
        )
    if _BILLING.search(text) and status not in (408, 500, 502, 503, 504):
        return RequestFailure("fatal", f"{message} (the account's quota is used up)")
    if _FILTER.search(text) and status in (200, 400, 403, 422, 451):  # 403 is OpenRouter's; a filter quotes the prompt
        return RequestFailure("refused", message, billed=billed)
    if _is_too_long(status, text):
        return RequestFailure("long", message, words=read)
    if status in (401, 403) or (status in (200, 400, 422) and _AUTH.search(text)):
        return RequestFailure("fatal", f"{message} (is the key right?)")
    if status in (408, 409, 425, 429) or (status >= 500 and status != 501) or (status == 200 and _BUSY.search(text)):
        if wait is not None and wait > MAX_RETRY_AFTER:
            return RequestFailure("fatal", f"{message} (it asks for a wait of {wait:,.0f} s)", wait, billed, read)
        busy = status in (429, 529) or (status in (200, 503) and _BUSY.search(text) is not None)
        return RequestFailure("retry", message, wait, billed, read, busy)
    if status in (402, 404, 405, 410, 501) or (status < 400 and status != 200) or _LOST_ADDRESS.search(text):
        return RequestFailure("fatal", message, words=read)
    if status == 200:
        return RequestFailure("retry", message, wait, billed=True, words=read)
    return RequestFailure("refused", message, words=read)


def _is_too_long(status: int, text: str) -> bool:
    if status == 413 or _TOO_LARGE.search(text):
        return True
    if "too long" in text and status in (400, 422):
        return True
    return status in (200, *_READABLE) and _TOO_LONG.search(text) is not None


def _phrase(status: int) -> str:
    try:
        return f"{HTTPStatus(status).phrase}, without a word of explanation"
    except ValueError:
        return "without a word of explanation"


def line_of(text: str, redact: Redact, limit: int = _WIDTH) -> str:
    """Returns a text of the server as one line. The key is removed before the text is cut."""
    return one_line(redact(clean(text)), limit)


__all__ = [
    "MAX_RETRY_AFTER",
    "NO_JSON",
    "NO_KEY",
    "Redact",
    "RequestFailure",
    "Unreadable",
    "classify",
    "line_of",
    "of_status",
]
