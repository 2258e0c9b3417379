"""Nim with one pile; the player who takes the last object wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from annotated_types import Interval

from games import GameSpec, IllegalAction, InputError, KnownOutcome, Observation, TextGame

Count = Annotated[int, Interval(ge=1, le=1000)]
"""an id with a number out of these bounds is refused before the class is called"""


class Nim21(TextGame):
    """`nim21-v0`: players take turns taking 1 to `most` objects from a pile of 21 by default.

    With best play the player to move wins unless the pile is a multiple of most + 1, so `player_0` wins 21 and 3.
    """

    def __init__(self, pile: Count = 21, most: Count = 3) -> None:
        if most > pile:
            raise InputError(f"nim21(pile={pile},most={most}): most must not exceed pile; write nim21(pile=21,most=3)")
        self.pile, self.most = pile, most
        self.spec = GameSpec(
            id="nim21-v0",  # games.make adds the parameters
            seats={"player_0": "taker", "player_1": "taker"},  # both seats share a role
            payoff="zero_sum",
            rules=f"A pile of {pile} objects. On your turn, take 1 to {most} of them. The player who takes the "
            "last one wins. An action is the number you take.",
            max_turns=pile,
            returns_range=(-1.0, 1.0),
        )
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a new match. The game has no chance, so the seed has no effect."""
        self.left, self.taken = self.pile, list[int]()

    @property
    def acting(self) -> tuple[str, ...]:
        """The seats in turn; empty when the pile is empty."""
        return (f"player_{len(self.taken) % 2}",) if self.left else ()

    def observe(self, seat: str) -> Observation:
        """The pile; both seats see the same, because nothing is hidden."""
        last = f" The last move took {self.taken[-1]}." if self.taken else ""
        return Observation(f"Objects left: {self.left}.{last}")

    def legal(self, seat: str) -> tuple[str, ...]:
        """The numbers of objects that the seat may take."""
        return tuple(str(n) for n in range(1, min(self.most, self.left) + 1)) if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        """Take objects from the pile. All checks come before the first change."""
        if set(actions) != set(self.acting):
            raise IllegalAction(f"it is the turn of {', '.join(self.acting) or 'nobody'}")
        ((seat, action),) = actions.items()
        if action not in self.legal(seat):
            raise IllegalAction(f"take one of {', '.join(self.legal(seat))}, not {action!r}")
        self.taken.append(int(action))
        self.left -= int(action)

    def returns(self) -> Mapping[str, float]:
        """+1 for the seat that took the last object, -1 for the other."""
        winner = (len(self.taken) - 1) % 2
        return {f"player_{i}": 0.0 if self.left else 1.0 if i == winner else -1.0 for i in (0, 1)}

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Both seats always take 1, so the parity of the pile decides. `arena check` replays this match."""
        moves = [{f"player_{i % 2}": "1"} for i in range(self.pile)]
        first = 1.0 if self.pile % 2 else -1.0
        return (KnownOutcome(0, moves, {"player_0": first, "player_1": -first}),)
