"""The base class of native games: matches in stages, in which all seats of a stage act at the same time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Interval

from games.dialogue.answers import AnswerKind, read
from games.dialogue.messages import SHOWN, check_message, exceeds
from games.errors import IllegalAction
from games.game import Seat, TextGame
from games.naming import Name, Value
from games.parameters import canonical, check_parameters
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

Share = Annotated[float, Interval(ge=0, le=1)]
"""the type of a parameter from 0 to 1"""


@lru_cache(256)
def seats_of(role: str, n: int) -> tuple[Seat, ...]:
    """The seats of one role: solver_0, solver_1, ..."""
    return tuple(f"{role}_{i}" for i in range(n))


def game_id(
    name: str,
    factory: Callable[..., TextGame],
    params: Mapping[str, Value],
    defaults: Mapping[str, Value] = MappingProxyType({}),
) -> str:
    """The canonical id of a game with these parameters, which leaves out the default values.

    `defaults` replaces those of the signature of `factory`. Raises InputError if a parameter has a wrong type or is out
    of bounds.
    """
    check_parameters(name, factory, params)
    return str(Name(name, canonical(factory, params, defaults)))


class StagedGame(TextGame):
    """A game of stages.

    A subclass sets `_due` to the seats of the next stage, () at the end, and handles their messages in `_take`. If it
    sets `closed`, the seats choose from `_messages`; otherwise any text is legal and `_messages` are examples.
    """

    closed: bool = False
    message_bytes = SHOWN

    def __init__(self) -> None:
        self._due: tuple[Seat, ...] = ()
        self._unread: dict[Seat, list[str]] = {}
        """seat -> why answers of it could not be read"""
        self._cut: dict[Seat, int] = {}
        """seat -> the number of its messages that others read only in part"""

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats of the stage."""
        return self._due

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """The listed messages in a closed game; None, which allows any text, in an open one."""
        if seat not in self._due:
            return ()
        return self._messages(seat) if self.closed else None

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """The listed messages, or typical messages of an open game: good, bad and unreadable ones."""
        return self._messages(seat) if seat in self._due else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play the messages of a stage.

        In an open game any text is legal: an unreadable one is an invalid answer, not an illegal action.
        """
        if not self._due or actions.keys() != set(self._due):
            raise IllegalAction(f"expected one message each of {', '.join(self._due) or 'nobody: the match is over'}")
        for seat, text in actions.items():
            check_message(seat, text, self._messages(seat) if self.closed else None)
        for seat in self._due:
            self._count_cut(seat, actions[seat], self._limit(seat))
        self._take({seat: actions[seat] for seat in self._due})

    def _limit(self, seat: Seat) -> int | None:
        """The bytes of the message of an acting seat that others read; None if they do not read it."""
        return None

    def _count_cut(self, seat: Seat, text: str, limit: int | None) -> None:
        """Count a message, or a part of it, of which others read at most `limit` bytes."""
        if limit is not None and exceeds(text, limit):
            self._cut[seat] = self._cut.get(seat, 0) + 1

    def _miss(self, seat: Seat, reason: str) -> None:
        """Record why an answer could not be read; "": it could."""
        if reason:
            self._unread.setdefault(seat, []).append(reason)

    def _read(self, seat: Seat, text: str, kind: AnswerKind) -> str | None:
        """The last explicit answer in a message; None if there is none, with the reason in the facts."""
        found = read(text, kind)
        self._miss(seat, found.reason)
        return found.value

    def _start(self) -> None:
        """Forget what was recorded of an earlier match; called by `reset`."""
        self._unread, self._cut = {}, {}

    def _heard(self) -> dict[str, Any]:
        """For the facts: why answers could not be read, and how many messages others read only in part."""
        return {"unread": {seat: list(why) for seat, why in self._unread.items()}, "cut": dict(self._cut)}

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the module `shortcuts` in the game's package.

        None for a closed game, which has no free text, and for tasks of a source, which the scripts do not know.
        """
        return None if self.closed or self.task_source is not None else suite_beside(self)

    @property
    def _over(self) -> bool:
        return not self._due

    @abstractmethod
    def _take(self, said: Mapping[Seat, str]) -> None:
        """Play the messages of the stage, in seat order, and set the next stage."""

    @abstractmethod
    def _messages(self, seat: Seat) -> tuple[str, ...]:
        """The messages that an acting seat may choose in a closed game; examples in an open one."""


def joined(lines: Sequence[str]) -> str:
    """The lines of an observation without the empty ones."""
    return "\n".join(line for line in lines if line)
