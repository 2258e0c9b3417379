"""Shared by the players that read a chat: a turn as the role's memory, the action in a text, sampling parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from math import inf
from typing import Annotated

from annotated_types import Ge, Interval

from arena.inference.template import joined
from arena.players.player import View
from arena.records import Category, Decision, Sample
from games import InputError
from games.sanitize import clean
from games.template_tokens import split_tokens
from roles import ChatMessage, Exchange, Memory, ParseError, Rejected, Role
from roles.registry import chosen
from roles.types import Answer

Temperature = Annotated[float, Interval(ge=0, lt=inf)]
TopP = Annotated[float, Interval(gt=0, le=1)]
MaxTokens = Annotated[int, Ge(1)]
ShownDemonstrations = Annotated[int, Ge(0)]


def memory_of(
    view: View,
    answer: Answer,
    show_legal: bool,
    exchanges: Sequence[Exchange],
    demonstrations: int | None = None,
    show_rules: bool = True,
) -> Memory:
    """Returns the memory of a seat at this turn. `exchanges` are the earlier turns that the prompt shows."""
    rejected = [Rejected(d.text or d.action or "", d.reason, d.category) for d in view.rejected]
    return Memory(view.game.spec, view.seat, answer, exchanges, rejected, show_legal, demonstrations, show_rules)


def chat_of(role: Role, view: View, memory: Memory) -> list[ChatMessage]:
    """Returns the chat for one turn, with the view's notes at the end of its system message, or before the first."""
    chat = role.messages(view.observation, view.legal, memory)
    if not view.notes:
        return chat
    notes = "\n".join(["Notes:", *(f"- {note}" for note in view.notes)])
    first = chat[0]
    if first["role"] == "system":
        return [{**first, "content": f"{first['content']}\n{notes}"}, *chat[1:]]
    return [{**first, "content": f"{notes}\n{first['content']}"}, *chat[1:]]


def role_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yields roles and ids in a parameter such as "judge=strict(marks=3); solver=poet". Raises InputError."""
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, sign, id = (piece.strip() for piece in part.partition("="))
        if not (name and sign and id):
            raise InputError(f'roles: {part!r} is not ROLE=ID; write roles="judge=my-judge; solver=my-solver"')
        yield name, id


def role_ids(text: str) -> dict[str, str]:
    """Returns the ids in a parameter `roles`, by role.

    Raises InputError, also for an id that is neither registered nor the name of the game's role.
    """
    ids = {}
    for name, id in role_pairs(text):
        chosen(id, {name})
        ids[name] = id
    return ids


def sendable(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns a chat whose texts tokenizers and JSON can encode, whatever a plugin wrote."""
    return [{**message, "content": clean(message["content"])} for message in chat]


def sendable_outside(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns a chat for a server: texts that look like tokens of a chat template are split."""
    return [{**message, "content": split_tokens(message["content"])} for message in sendable(chat)]


def folded(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns a chat for a model that takes no system message and needs its users and assistants to alternate.

    The system message stands at the start of the first user message; messages of one role in a row become one.
    """
    return joined([{**message, "role": "user"} if message["role"] == "system" else message for message in chat])


def shared_messages(role: Role, view: View, memory: Memory, chat: Sequence[ChatMessage]) -> int:
    """Returns the number of first messages that do not depend on the turn: all but the last one of a first attempt."""
    if not memory.exchanges and not memory.rejected:
        return len(chat) - 1
    first = chat_of(role, view, replace(memory, exchanges=(), rejected=()))
    same = (one == other for one, other in zip(chat[:-1], first[:-1], strict=False))
    return sum(takewhile(bool, same))


def read(role: Role, text: str, cut: bool, legal: tuple[str, ...] | None, sample: Sample | None = None) -> Decision:
    """Returns the decision in a text. A text that was `cut` off before an action could be read is `truncated`."""
    text = clean(text)
    try:
        action = role.parse(text, legal)
    except ParseError as error:
        category: Category = "truncated" if cut else error.category
        return Decision(None, category, text=text, reason=str(error), sample=sample)
    return Decision(action, text=text if text != action else None, sample=sample)
