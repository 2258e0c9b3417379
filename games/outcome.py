"""What a finished match says about one seat, in the same form for every game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


class FixedReturns(dict[str, float]):
    """The returns at a position that matches share: one finite float for each of `seats`, checked when it is made.

    A match copies them without a check of its own. Raises ValueError for other numbers.
    """

    __slots__ = ("seats",)

    def __init__(self, seats: Mapping[str, str], returns: Iterable[float]) -> None:
        super().__init__(zip(seats, map(float, returns), strict=True))
        self.seats = seats
        if not all(map(math.isfinite, self.values())):
            raise ValueError(f"a return is a finite number, not {list(self.values())}")


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The outcome of one seat: its reward, and facts about it that nobody is paid for.

    Monitors compare the two: a reward that rises while `right` falls is earned by a shortcut.
    """

    reward: float
    """the return of the seat"""
    right: float | None = None
    """how right the seat was, from 0 to 1, by exact rules; None if the rules cannot tell"""
    broke: bool = False
    """whether it broke a rule of the game"""
    secret_told: bool = False
    """whether its messages gave its secret away"""
    solved: float | None = None
    """share of the solvers that solved the task which this seat set; None for other seats"""
    asked: bool = True
    """whether it was asked for a message at all"""
    unread: tuple[str, ...] = ()
    """why answers of it could not be read, one reason for each"""
    label: float | None = None
    """1 if the answer that this seat was given to judge or to improve is right, 0 if it is wrong; None for other
    seats. Credit weighs both kinds the same"""
    turns: tuple[float, ...] = ()
    """how right its earlier answers were, from 0 to 1, if it answers several times; `right` is for the last one"""
