"""The data that passes between a role and the code that calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

from games import GameSpec, Observation

Answer = Literal["boxed", "json", "line", "bare"]
"""the form in which a model is asked to write its action"""
Unusable = Literal["truncated", "empty", "unparsable", "illegal"]
"""the categories of an answer that names no legal action"""


class ChatMessage(TypedDict):
    """One message of a chat template."""

    role: Literal["system", "user", "assistant"]
    content: str


class ParseError(ValueError):
    """No action could be read from the answer. The message tells the seat why; `category` is for the record."""

    def __init__(self, message: str, category: Unusable = "unparsable") -> None:
        super().__init__(message)
        self.category = category


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier turn of the same seat in the same match: what it saw and what it did."""

    observation: Observation
    action: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A refused answer to the present turn, the reason, and its category ("": unknown)."""

    text: str
    reason: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a role knows about a turn besides the observation.

    `answer` is the requested form: `boxed` (\\boxed{...}), `json` ({"action": ...}), `line` (the last line) or
    `bare` (nothing but the action; what `choice` decoding produces). `rejected` lists the refused answers to this
    turn, oldest first.
    """

    spec: GameSpec
    seat: str
    answer: Answer = "boxed"
    exchanges: Sequence[Exchange] = ()
    rejected: Sequence[Rejected] = ()
    show_legal: bool = True
    demonstrations: int | None = None
    """the largest number of demonstrations shown before the first turn; None: the role's own number"""
    show_rules: bool = True
    """whether the system message holds the rules of the game; a role that writes its own may ignore it"""


class Scored(Protocol):
    """The part of an episode that every credit can be computed from."""

    @property
    def returns(self) -> Mapping[str, float]:
        """The return of each seat."""
        ...
