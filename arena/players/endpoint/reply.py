"""Reads a response without trusting it: the text, how it ended, the tokens used, the model's name."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from arena.players.endpoint.errors import Redact, RequestFailure, Unreadable
from arena.players.endpoint.transport import BYTES_PER_TOKEN
from games.sanitize import clean, one_line

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


def reply_of(response: Any, form: str, max_tokens: int, redact: Redact) -> Reply | RequestFailure:
    """The answer in a response of the client, cleaned and without the key. Raises Unreadable.

    Returns a RequestFailure if the model's answer was lost: a content filter, a call of a tool that was not offered, a
    server that gave up. That is not an answer of the model and never counts against it.
    """
    try:
        choice = response.choices[0]
        text, refusal, end = choice.message.content, getattr(choice.message, "refusal", None), choice.finish_reason
    except (AttributeError, TypeError, IndexError, KeyError):
        raise Unreadable("it is not a chat completion") from None
    if not isinstance(text, str | None):
        raise Unreadable("its content is not text")
    end = end.lower() if isinstance(end, str) else ""
    called = end in TOOLS or bool(getattr(choice.message, "tool_calls", None))
    if (called and not text) or end not in (*ENDS, *CUT, *TOOLS):
        why = "it calls a tool" if called else f"it ended by {one_line(redact(clean(end)), 40)!r}"
        return RequestFailure("filtered", f"the answer contains no text of the model: {why}", billed=True)
    if text is None:
        text = refusal if isinstance(refusal, str) else ""
    if len(text) > BYTES_PER_TOKEN * max_tokens:
        raise Unreadable(f"its text has {len(text):,} characters, more than max_tokens={max_tokens} can give")
    return Reply(redact(clean(text)), end in CUT, form)


def usage_of(response: Any, most_read: int, most_written: int) -> tuple[int, int] | None:
    """Tokens read and written as the server counts them, but not more than possible; None if it does not say.

    The limits keep a server's false claims from using up a budget.
    """
    usage = getattr(response, "usage", None)
    read, wrote = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if type(read) is not int or type(wrote) is not int or read < 0 or wrote < 0:
        return None
    return min(read, most_read), min(wrote, most_written)


def is_model(answered: object, model: str, answers_as: str) -> bool:
    """Whether the name in an answer is the requested model, letter by letter, or `answers_as` if that is set.

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


__all__ = ["Reply", "is_model", "reply_of", "usage_of"]
