"""Reads a response without trusting it: the text, how it ended, the model's name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from arena.players.endpoint.errors import Redact, RequestFailure, Unreadable, line_of, of_status
from arena.players.endpoint.transport import BYTES_PER_TOKEN
from arena.players.endpoint.words import words_of
from games.sanitize import clean
from roles.privacy import own_words

ENDS = frozenset(
    ("", "null", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete", "completed", "end")
)
"""finish reasons of servers for an answer that the model ended itself, in lower case"""
CUT = frozenset(
    (
        *("length", "max_tokens", "model_length", "max_length", "max_new_tokens", "max_output_tokens", "token_limit"),
        *("max_completion_tokens", "model_context_window_exceeded", "incomplete"),
    )
)
TOOLS = frozenset(("tool_calls", "tool_call", "function_call", "tool_use"))
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")
_DATED = re.compile(r"-20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


class Reply(msgspec.Struct, frozen=True):
    """An answer. `cut`: it reached max_tokens. `choice`: the index of the choice that a restricted answer is.

    `silent`: it ended by itself and has no text, but words in a field of the reasoning.
    """

    text: str
    cut: bool
    choice: int | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    """as the bill books them"""
    silent: bool = False


def reply_of(payload: object, max_tokens: int, redact: Redact) -> Reply | RequestFailure:
    """Returns the answer in a response, cleaned and without the key. `payload`: its JSON data, or its text.

    Returns a RequestFailure for an error of the server, and if the model's answer was lost: a content filter, a call of
    a tool that was not offered, a server that gave up. That is not an answer of the model and never counts against it.
    Raises Unreadable.
    """
    data = payload
    choices = data.get("choices") if isinstance(data, Mapping) else None
    if not choices or not isinstance(choices, list) or not isinstance(data, Mapping):
        return _without_choices(payload, redact)
    choice = choices[0]
    if not isinstance(choice, Mapping):
        raise Unreadable("its choice is no object")
    end = choice.get("finish_reason")
    end = end.strip().lower() if isinstance(end, str) else ""
    for error in filter(None, (choice.get("error"), data.get("error"))):
        failure = of_status(200, {"error": error}, {}, redact)
        return failure if failure.kind == "fatal" or failure.wait is not None else _lost(failure.message)
    if end not in ENDS | CUT | TOOLS:
        return _lost(f"it ended by {line_of(end, redact, 40)!r}")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise Unreadable("it has no message")
    text = _text_of(message.get("content"))
    if not own_words(clean(text)).text.strip():  # a line break or a thought beside a call is no answer
        if end in TOOLS or message.get("tool_calls") or message.get("function_call"):
            return _lost("it calls a tool")
        if _is_filtered(choice):
            return _lost("a filter removed it")
    refusal = message.get("refusal")
    if not text and isinstance(refusal, str):
        text = refusal
    if len(text) > BYTES_PER_TOKEN * max_tokens:
        raise Unreadable(f"its text has {len(text):,} characters, more than max_tokens={max_tokens} can give")
    thoughts = next((message[key] for key in _THOUGHTS if message.get(key)), None)
    return Reply(redact(clean(text)), end in CUT, silent=bool(thoughts) and not text.strip() and end not in CUT)


def joined(payload: object) -> object:
    """Returns a stream of events, which some proxies send unasked, as one response; anything else as it is."""
    if not isinstance(payload, str) or not re.match(r"\s*(data|event|id|retry|):", payload):
        return payload
    lines = [line.partition(":")[2].strip() for line in payload.splitlines() if line.startswith("data:")]
    whole: dict[str, Any] = {}
    message: dict[str, Any] = {"content": ""}
    end = None
    for line in lines:
        try:
            event = json.loads(line) if line != "[DONE]" else {}
        except (ValueError, RecursionError):
            return payload
        if not isinstance(event, dict) or event.get("error"):
            return event
        whole |= {key: value for key, value in event.items() if value and key in ("model", "usage", "object")}
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            delta = choice.get("delta") if isinstance(choice, dict) else None
            if not isinstance(delta, dict):
                continue
            message["content"] += _text_of(delta.get("content"))
            message |= {key: value for key, value in delta.items() if value and key in ("tool_calls", "refusal")}
            end = choice.get("finish_reason") or end
    if end is None and "[DONE]" not in lines:
        return payload
    return whole | {"choices": [{"finish_reason": end, "message": message}]}


def _without_choices(payload: object, redact: Redact) -> RequestFailure:
    """Returns what a response without an answer says. Raises Unreadable if it says nothing."""
    words = words_of(payload)
    if isinstance(payload, str) and words.text:
        raise Unreadable(f"it is not JSON; it says: {line_of(words.text, redact)}")
    if not words.text and not words.status:
        body = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
        says = f"it says: {line_of(body, redact)}" if body.strip() else "it is empty"
        raise Unreadable(f"it is not a chat completion; {says}")
    return of_status(200, payload, {}, redact)


def _lost(why: str) -> RequestFailure:
    return RequestFailure("filtered", f"the answer contains no text of the model: {why}", billed=True)


def _text_of(content: object) -> str:
    """Returns the text of a message, which some servers send in parts, with the reasoning in parts of another type.

    Raises Unreadable.
    """
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    spoken = [part for part in parts if part.get("type", "text") in ("text", "output_text")]
    texts = [part["text"] for part in spoken if isinstance(part.get("text"), str)]
    if not parts or (spoken and not texts):
        raise Unreadable("its content is not text")
    return "".join(texts)


def _is_filtered(choice: Mapping[str, Any]) -> bool:
    """Returns whether Azure's notes on an answer say that a filter removed it."""
    results = choice.get("content_filter_results")
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


__all__ = ["Reply", "is_model", "joined", "reply_of"]
