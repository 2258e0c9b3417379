"""Games that go stage by stage, all seats of a stage acting at once: the fan-out of one task to many solvers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from games.errors import IllegalAction, InputError
from games.game import Seat, TextGame

LONGEST = 20_000
"""characters of a message that are read; what goes beyond is cut, and usually loses its closing tag"""


def seats_of(role: str, n: int) -> tuple[Seat, ...]:
    """solver_0, solver_1, ...: the seats of one role."""
    return tuple(f"{role}_{i}" for i in range(n))


def whole(game: str, name: str, value: object, low: int, high: int) -> int:
    """A game parameter that is a whole number. Raises InputError."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{game}: {name} must be a whole number from {low} to {high}, not {value!r}")
    return value


def share(game: str, name: str, value: object) -> float:
    """A game parameter from 0 to 1. Raises InputError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"{game}: {name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def named(id: str, given: Mapping[str, tuple[Any, Any]]) -> str:
    """A game id with the parameters that are not as usual; `given`: name -> (value, usual value)."""
    shown = ",".join(f"{name}={value}" for name, (value, usual) in given.items() if value != usual)
    return f"{id}({shown})" if shown else id


class Staged(TextGame):
    """A game of stages. A subclass sets `_due` to the seats of the next stage and takes their messages in `_take`."""

    def __init__(self) -> None:
        self._due: tuple[Seat, ...] = ()

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats of the stage."""
        return self._due

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """What may be chosen where the game is closed, else any text."""
        return self._options(seat) if seat in self._due else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Take the messages of a stage. Any text is taken: what cannot be read is an invalid answer, not illegal."""
        if not self._due or actions.keys() != set(self._due):
            raise IllegalAction(f"expected one message each of {', '.join(self._due) or 'nobody: the match is over'}")
        for seat, text in actions.items():
            options = self._options(seat)
            if not isinstance(text, str):
                raise IllegalAction("a message is a text", seat)
            if options is not None and text not in options:
                raise IllegalAction(f"choose one of {', '.join(options[:8])}{', ...' * (len(options) > 8)}", seat)
        self._take({seat: actions[seat][:LONGEST] for seat in self._due})

    @abstractmethod
    def _take(self, said: Mapping[Seat, str]) -> None:
        """Play the messages of the stage, in seat order, and set the next stage."""

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return None


def listed(lines: Sequence[str]) -> str:
    """Lines of an observation, empty ones left out."""
    return "\n".join(line for line in lines if line)
