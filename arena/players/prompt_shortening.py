"""Shortens what others wrote in a prompt that a model cannot read whole: a long message is not its reader's loss."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from games.errors import InfrastructureError
from games.quoting import cut_bytes
from roles import ChatMessage

_LIMITS = (2000, 1000, 500, 250, 120, 60)
"""bytes of a quotation, at most; each is tried in turn"""
_QUOTATION = re.compile(r'"([^"\n]{61,})"')
"""`games.quoting.quote` writes one line without a double quote inside"""


class PromptTooLong(InfrastructureError):
    """A model cannot read a prompt, even with the shortest quotations. `size`: bytes of the whole prompt."""

    def __init__(self, message: str, size: int) -> None:
        super().__init__(message)
        self.size = size


def chat_bytes(chat: Sequence[ChatMessage]) -> int:
    """Returns the bytes of UTF-8 of the contents of a chat."""
    return sum(len(message["content"].encode()) for message in chat)


def shorter(chat: Sequence[ChatMessage]) -> Iterator[list[ChatMessage]]:
    """Yields the chat with ever shorter quotations, the oldest first; a mark stands where one is cut."""
    messages = list(chat)
    for limit in _LIMITS:
        for i, message in enumerate(messages):
            if message["role"] != "user":
                continue
            older = _cut(message["content"], limit, newest=False)
            if older != message["content"]:
                messages[i] = {**message, "content": older}
                yield list(messages)
            whole = _cut(older, limit, newest=True)
            if whole != older:
                messages[i] = {**message, "content": whole}
                yield list(messages)


def _cut(text: str, limit: int, *, newest: bool) -> str:
    """Returns the text with its quotations cut to a limit, the last one only if `newest`."""
    last = None if newest else max((q.start() for q in _QUOTATION.finditer(text)), default=-1)
    return _QUOTATION.sub(lambda q: q[0] if q.start() == last else f'"{cut_bytes(q[1], limit)}"', text)
