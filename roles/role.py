"""Who an LLM is told to be: what it reads, how its answer is read, what it is credited with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

from games import GameSpec, Observation

Answer = Literal["boxed", "json", "line", "bare"]
Unusable = Literal["truncated", "empty", "unparsable", "illegal"]


class ChatMessage(TypedDict):
    """One message of a chat template."""

    role: Literal["system", "user", "assistant"]
    content: str


class ParseError(ValueError):
    """No action could be read from the answer; `category` says how it failed, the message tells the seat why."""

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
    """An answer given for the present turn and refused, with the reason and how it failed ("": not known)."""

    text: str
    reason: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat carries into a turn beside the observation.

    `answer` is the form asked for: `boxed` (\\boxed{...}), `json` ({"action": ...}), `line` (the last line) or
    `bare` (nothing but the action; what `choice` decoding produces).
    """

    spec: GameSpec
    seat: str
    answer: Answer = "boxed"
    exchanges: Sequence[Exchange] = ()
    rejected: Sequence[Rejected] = ()
    show_legal: bool = True


class Scored(Protocol):
    """The part of an episode that credit is computed from."""

    @property
    def returns(self) -> Mapping[str, float]:
        """The return of each seat."""
        ...


class Role:
    """The generic role: a player of whatever game it sits in. Subclass it to tell an LLM to be somebody else.

    A role holds no state of a match: the same object serves every seat of every match.
    """

    name: str = "player"

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            self.name = name

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """The chat the model answers: first what never changes in a match (rules, role), last what changes."""
        from roles.prompts import messages

        return messages(self.name, observation, legal, memory)

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """The action in the model's own text: the last answer wins. Raises ParseError. Never sees the prompt.

        Where any text may do (`legal` is None) it is the whole visible text, or the answer that the text ends with in
        one of the forms that are asked for, such as a box.
        """
        if legal is None:
            from roles.free_text import message

            return message(text)
        from roles.parsing import parse

        return parse(text, legal)

    def credit(self, episode: Scored, seat: str) -> float:
        """What the learner maximises for this seat; by default the game's return.

        Called once per finished episode and seat, after `credit_batch` has declined. It may use all of the episode
        (an `arena.match.Episode`: turns, actions, returns), so that a role is credited with less than the game
        pays, such as a proposer with how hard its task was. Ratings never read it: they use the returns.
        """
        return episode.returns[seat]

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """A reward for each phase of the seat's turns, in place of `credit`; None (the default): one for all.

        Turns of a phase that is left out are not trained on.
        """
        return None

    def split_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, Sequence[float]]] | None:
        """How advantages are divided over turns: for each episode, seat -> a factor for each of its turns, in order.

        A seat that is left out, and all seats where this is None (the default), have the factor 1 at every turn; turns
        without a factor are not trained on. The mappings hold this role's own seats.
        """
        return None

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Rewards that need the whole batch, such as a proposer's from the rate its task was solved at.

        One mapping seat -> reward per episode, in order; a seat that is left out falls back to `credit`, and None
        (the default) leaves all to `credit`. The mappings hold this role's own seats.
        """
        return None
