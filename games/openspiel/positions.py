"""Positions of OpenSpiel games.

OpenSpiel computes a move of Kuhn poker in 1 us; making its texts takes longer. So the first positions of short games
are kept for the whole process, as a tree of histories that all matches of a game share. A kept position holds its seat,
legal texts, observations and successors. Outside the tree, and in all other games, one object is advanced in place and
only the tables of texts are shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.errors import IllegalAction
from games.game import Observation, Seat
from games.outcome import FixedReturns

CHANCE: Final = -1
SIMULTANEOUS: Final = -2
TERMINAL: Final = -4
NO_OBSERVATIONS: Final[dict[Seat, Observation]] = {}
"""of every new position, so it must stay empty"""

# Longer texts are not matched with legal actions; the longest one (battleship, colored_trails) has 59 characters.
_MAX_CHARACTERS = 4000


class Menu:
    """The legal actions of one seat: texts in OpenSpiel's order, their action numbers, and the phase of the turn."""

    __slots__ = ("_folded", "numbers", "phase", "texts")

    def __init__(self, numbers: Iterable[int], texts: list[str], phase: str = "play") -> None:
        self.texts, self.phase = tuple(texts), phase
        self.numbers = dict(zip(texts, numbers, strict=True))
        self._folded: dict[str, str | None] | None = None

    def find(self, text: str) -> str:
        """Returns the legal text equal to `text`, or the only one apart from case and spaces. Raises IllegalAction."""
        if text in self.numbers:
            return text
        if self._folded is None:
            self._folded = {}
            for legal in self.texts:
                folded = legal.casefold()
                self._folded[folded] = None if folded in self._folded else legal
        if len(text) <= _MAX_CHARACTERS:
            tidy = " ".join(text.split())
            match = tidy if tidy in self.numbers else self._folded.get(tidy.casefold())
            if match is not None:
                return match
        raise IllegalAction(self._reason(text))

    def _reason(self, text: str) -> str:
        excerpt = " ".join(text[:60].split()) or "nothing"
        more = f" and {len(self.texts) - 8} more" if len(self.texts) > 8 else ""
        return f"{excerpt!r} is not a legal action now; legal: {' | '.join(self.texts[:8])}{more}"


class Position:
    """One position: acting seats, legal actions, successors, observations."""

    __slots__ = (
        "acting",
        "children",
        "kept",
        "menus",
        "numbers",
        "observations",
        "outcomes",
        "returns",
        "seat",
        "state",
        "turn",
        "weights",
    )

    def __init__(self, state: Any, kept: bool) -> None:
        self.state, self.kept, self.turn = state, kept, TERMINAL
        self.children: dict[Any, Position] = {}
        self.observations = NO_OBSERVATIONS
        self.returns: FixedReturns | None = None
        self.acting: tuple[Seat, ...] = ()
        self.seat: Seat = ""  # unless one seat acts alone
        self.menus: dict[Seat, Menu] = {}
        self.numbers: dict[str, int] = {}  # of the menu of the seat that acts alone
        self.outcomes: tuple[int, ...] = ()  # empty unless chance acts
        self.weights: tuple[float, ...] | None = None
