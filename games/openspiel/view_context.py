"""What a renderer receives besides the raw text; all of it is public."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.openspiel.positions import CHANCE, SIMULTANEOUS


@dataclass(slots=True, eq=False)
class ViewContext:
    """The player who looks, whose turn it is (OpenSpiel's number), the number of players, the game's parameters."""

    player: int
    turn: int
    players: int
    params: Mapping[str, Any]
    frame: tuple[bytearray, int] | None = None
    """kept by a renderer: what is the same in all positions"""

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.turn < SIMULTANEOUS

    def name(self, player: int) -> str:
        """Returns how this player refers to a player."""
        return "you" if player == self.player else f"player_{player}"

    @property
    def status(self) -> str:
        """Whose turn it is, in one sentence."""
        if self.turn == self.player:
            return "It is your turn."
        if self.turn >= 0:
            return f"It is player_{self.turn}'s turn."
        if self.turn == SIMULTANEOUS:
            return "All players choose now, without seeing each other's choices."
        return "A chance event is next." if self.turn == CHANCE else "The game is over."


Renderer: TypeAlias = Callable[[str, ViewContext], str]


def fields(raw: str) -> dict[str, str]:
    """Returns the parts of a text such as `[Round 1][Player: 0][Pot: 2]`, by name."""
    parts = raw.strip("[]").split("][")
    return {key.strip(): value.strip() for key, _, value in (part.partition(":") for part in parts)}


def grid(rows: list[str], columns: list[str], labels: list[str]) -> str:
    """Returns rows of one-character cells with a label before each row and above each column."""
    width = max(len(label) for label in labels)
    head = " " * width + " " + " ".join(columns)
    lines = [f"{label:>{width}} {' '.join(row)}" for label, row in zip(labels, rows, strict=True)]
    return "\n".join([head, *lines])
