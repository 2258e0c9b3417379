"""What players that read a chat share: a turn as the role's memory, and the action in what was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from arena.match.records import Category, Decision, Sample
from arena.players.player import View
from games import InputError
from games.text import clean
from roles import ChatMessage, Exchange, Memory, ParseError, Rejected, Role
from roles.role import Answer


def memory_of(view: View, answer: Answer, show_legal: bool, exchanges: Sequence[Exchange]) -> Memory:
    """What the seat carries into this turn; `exchanges` are those of its earlier turns that it is told."""
    rejected = [Rejected(d.text or d.action or "", d.reason, d.category) for d in view.rejected]
    return Memory(view.game.spec, view.seat, answer, exchanges, rejected, show_legal)


def sendable(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """A chat that tokenizers and JSON can carry, whatever a plugin's role, rules or actions hold."""
    return [{**message, "content": clean(message["content"])} for message in chat]


def steady(role: Role, view: View, memory: Memory, chat: Sequence[ChatMessage]) -> int:
    """How many first messages of a chat do not come from the match: what a first attempt's last message follows."""
    if not memory.exchanges and not memory.rejected:
        return len(chat) - 1
    first = role.messages(view.observation, view.legal, replace(memory, exchanges=(), rejected=()))
    same = (one == other for one, other in zip(chat[:-1], first[:-1], strict=False))
    return sum(takewhile(bool, same))


def read(role: Role, text: str, cut: bool, legal: tuple[str, ...] | None, sample: Sample | None = None) -> Decision:
    """The action in a text. One that was `cut` off before an action could be read is `truncated`."""
    text = clean(text)
    try:
        action = role.parse(text, legal)
    except ParseError as error:
        category: Category = "truncated" if cut else error.category
        return Decision(None, category, text=text, reason=str(error), sample=sample)
    return Decision(action, text=text if text != action else None, sample=sample)


def check_sampling(kind: str, temperature: float, top_p: float, max_tokens: int) -> None:
    """Raise InputError for a parameter that no model takes; `kind` is the player's."""
    if not 0 <= temperature < float("inf"):
        raise InputError(f"{kind}(temperature={temperature!r}): temperature must be at least 0")
    if not 0 < top_p <= 1:
        raise InputError(f"{kind}(top_p={top_p!r}): top_p must be above 0 and at most 1")
    if max_tokens < 1:
        raise InputError(f"{kind}(max_tokens={max_tokens!r}): max_tokens must be a whole number above 0")
