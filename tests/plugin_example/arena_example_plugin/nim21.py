"""Nim with one pile, in which whoever takes the last object wins."""

from __future__ import annotations

from collections.abc import Mapping

from games import GameSpec, IllegalAction, InputError, Observation, TextGame
from games.game import KnownOutcome


class Nim21(TextGame):
    """`nim21-v0`: take 1 to `most` objects in turn from a pile; the default is 21 and 3.

    The mover wins with best play unless the pile is a multiple of most + 1: so `player_0` wins 21 and 3.
    """

    def __init__(self, pile: int = 21, most: int = 3) -> None:
        if not (isinstance(pile, int) and isinstance(most, int) and 1 <= most <= pile <= 1000):
            raise InputError(
                f"nim21(pile={pile},most={most}) cannot be; write nim21(pile=21,most=3), most <= pile <= 1000"
            )
        self.pile, self.most = pile, most
        self.spec = GameSpec(
            id="nim21-v0" if (pile, most) == (21, 3) else f"nim21-v0(pile={pile},most={most})",
            seats={"player_0": "taker", "player_1": "taker"},  # both seats share a role
            payoff="zero_sum",
            rules=f"A pile of {pile} objects. In turn, take 1 to {most} of them. Who takes the last one wins. "
            "An action is the number you take.",
            max_turns=pile,
            returns_range=(-1.0, 1.0),
        )
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start anew. There is no chance in this game, so the seed changes nothing."""
        self.left, self.taken = self.pile, list[int]()

    @property
    def acting(self) -> tuple[str, ...]:
        """One seat in turn, nobody once the pile is gone."""
        return (f"player_{len(self.taken) % 2}",) if self.left else ()

    def observe(self, seat: str) -> Observation:
        """The pile, the same for both seats: nothing is hidden here."""
        last = f" The last move took {self.taken[-1]}." if self.taken else ""
        return Observation(f"Objects left: {self.left}.{last}")

    def legal(self, seat: str) -> tuple[str, ...]:
        """How many may be taken."""
        return tuple(str(n) for n in range(1, min(self.most, self.left) + 1)) if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        """Take from the pile; look before anything changes."""
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
        """One by one to the end: the parity of the pile tells who takes the last. `arena check` replays it."""
        moves = [{f"player_{i % 2}": "1"} for i in range(self.pile)]
        first = 1.0 if self.pile % 2 else -1.0
        return (KnownOutcome(0, moves, {"player_0": first, "player_1": -first}),)
