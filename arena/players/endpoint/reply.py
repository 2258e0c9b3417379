"""Reads a response without trusting it: the text, how it ended, the model's name."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from arena.players.endpoint.errors import Redact, RequestFailure, Unreadable
from arena.players.endpoint.transport import BYTES_PER_TOKEN
from games.sanitize import clean, one_line
from roles.privacy import own_words

ENDS = ("", "stop", "eos", "eos_token", "end_turn", "stop_sequence")
"""finish reasons of servers for an answer that the model ended itself"""
CUT = ("length", "max_tokens")
TOOLS = ("tool_calls", "function_call", "tool_use")
_DATED = re.compile(r"-20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


class Reply(msgspec.Struct, frozen=True):
    """An answer. `cut`: it reached max_tokens. `restricted_by`: the parameter that restricted it to the choices."""

    text: str
    cut: bool
    restricted_by: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    """as the bill books them"""


def reply_of(response: Any, form: str, max_tokens: int, redact: Redact) -> Reply | RequestFailure:
    """Returns the answer in a response of the client, cleaned and without the key. Raises Unreadable.

    Returns a RequestFailure if the model's answer was lost: a content filter, a call of a tool that was not offered, a
    server that gave up. That is not an answer of the model and never counts against it.
    """
    try:
        choice = response.choices[0]
        end, message = choice.finish_reason, choice.message
    except (AttributeError, TypeError, IndexError, KeyError):
        raise Unreadable("it is not a chat completion") from None
    end = end.strip().lower() if isinstance(end, str) else ""
    if end not in (*ENDS, *CUT, *TOOLS) or getattr(choice, "error", None) or getattr(response, "error", None):
        return _lost(f"it ended by {one_line(redact(clean(end)), 40)!r}")
    if not hasattr(message, "content"):
        raise Unreadable("it has no message")
    text = _text_of(getattr(message, "content", None))
    if not own_words(clean(text)).text.strip():  # a line break or a thought beside a call is no answer
        if end in TOOLS or getattr(message, "tool_calls", None) or getattr(message, "function_call", None):
            return _lost("it calls a tool")
        if _is_filtered(choice):
            return _lost("a filter removed it")
    refusal = getattr(message, "refusal", None)
    if not text and isinstance(refusal, str):
        text = refusal
    if len(text) > BYTES_PER_TOKEN * max_tokens:
        raise Unreadable(f"its text has {len(text):,} characters, more than max_tokens={max_tokens} can give")
    return Reply(redact(clean(text)), end in CUT, form)


def _lost(why: str) -> RequestFailure:
    return RequestFailure("filtered", f"the answer contains no text of the model: {why}", billed=True)


def _text_of(content: object) -> str:
    """Returns the text of a message, which some servers send in parts, with the reasoning in parts of another type.

    Raises Unreadable.
    """
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    if not parts or (not texts and any(part.get("type") == "text" for part in parts)):
        raise Unreadable("its content is not text")
    return "".join(texts)


def _is_filtered(choice: Any) -> bool:
    """Returns whether Azure's notes on an answer say that a filter removed it."""
    results = getattr(choice, "content_filter_results", None)
    return isinstance(results, dict) and any(
        isinstance(v, dict) and v.get("filtered") is True for v in results.values()
    )


def is_model(answered: object, model: str, answers_as: str) -> bool:
    """Returns whether the name in an answer is the requested model, letter by letter, or `answers_as` if that is set.

    Without `answers_as`, OpenAI's dated names match too: `gpt-4o-mini-2024-07-18` matches `gpt-4o-mini`. An answer
    without a name matches.
    """
    if answered is None or answered == "":
        return True
    if not isinstance(answered, str):
        return False
    if answers_as:
        return answered == answers_as
    return answered == model or (
        answered.startswith(model) and _DATED.fullmatch(answered.removeprefix(model)) is not None
    )


__all__ = ["Reply", "is_model", "reply_of"]
