"""What an endpoint answered, read with suspicion: the text, why it ended, what it used, under which name."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from arena.players._faults import Fault, Redact, Unreadable
from arena.players._wire import BYTES_PER_TOKEN
from games.text import clean, one_line

ENDS = ("", "stop", "eos", "eos_token", "end_turn", "stop_sequence")
"""what servers call an answer that its model ended itself"""
CUT = ("length", "max_tokens")
TOOLS = ("tool_calls", "function_call", "tool_use")
_DATED = re.compile(r"-20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


class Reply(msgspec.Struct, frozen=True):
    """An answer. `cut`: it ended because it was too long. `restricted_by`: the form the request used for choices."""

    text: str
    cut: bool
    restricted_by: str = ""


def reply_of(got: Any, form: str, max_tokens: int, redact: Redact) -> Reply | Fault:
    """The answer in what the client returned, clean and without the key. Raises Unreadable.

    A Fault where the model's answer was taken away on its way (a content filter, a call of a tool that nobody
    offered, a server that gave up): that is no answer of the model and never counts against it.
    """
    try:
        choice = got.choices[0]
        text, refusal, end = choice.message.content, getattr(choice.message, "refusal", None), choice.finish_reason
    except (AttributeError, TypeError, IndexError, KeyError):
        raise Unreadable("no chat completion") from None
    if not isinstance(text, str | None):
        raise Unreadable("its content is no text")
    end = end.lower() if isinstance(end, str) else ""
    called = end in TOOLS or bool(getattr(choice.message, "tool_calls", None))
    if (called and not text) or end not in (*ENDS, *CUT, *TOOLS):
        why = "it calls a tool" if called else f"it ended by {one_line(redact(clean(end)), 40)!r}"
        return Fault("filtered", f"the answer holds nothing of the model: {why}", billed=True)
    if text is None:
        text = refusal if isinstance(refusal, str) else ""
    if len(text) > BYTES_PER_TOKEN * max_tokens:
        raise Unreadable(f"its text has {len(text):,} characters, more than max_tokens={max_tokens} can give")
    return Reply(redact(clean(text)), end in CUT, form)


def usage_of(got: Any, read_at_most: int, wrote_at_most: int) -> tuple[int, int] | None:
    """Tokens read and written as the server counts them, but no more than there can be; None where it does not tell.

    A server may claim anything; what it claims must not use up a budget.
    """
    usage = getattr(got, "usage", None)
    read, wrote = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if type(read) is not int or type(wrote) is not int or read < 0 or wrote < 0:
        return None
    return min(read, read_at_most), min(wrote, wrote_at_most)


def is_model(answered: object, model: str, answers_as: str) -> bool:
    """Whether an answer comes from the model that was asked for, by the name in the answer, letter by letter.

    Without `answers_as` OpenAI's name of a snapshot is taken too: the model's name, a dash and a date, such as
    `gpt-4o-mini-2024-07-18` for `gpt-4o-mini`, and nothing else.
    """
    if answered is None or answered == "":
        return True  # not told
    if not isinstance(answered, str):
        return False
    if answers_as:
        return answered == answers_as
    return answered == model or (
        answered.startswith(model) and _DATED.fullmatch(answered.removeprefix(model)) is not None
    )


__all__ = ["Reply", "is_model", "reply_of", "usage_of"]
