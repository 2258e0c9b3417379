"""ask-v1: seekers find the item that a user wants, each alone; a turn asks about an attribute or recommends an item.

The decision of Estimation-Action-Reflection (Lei et al. 2020, arXiv 2002.09102) with a user whose answers are exact. Of
its rewards the success (1), the end without one (-0.3) and the cost of a turn (-0.1) are kept. Its bonus for a question
that the user confirms is not: it would pay for questions that find nothing. Since ask-v1 a wrong recommendation costs
at least 0.5: in ask-v0 with four items and four turns, blind recommendations earn 0.85 and the best play 0.87.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from annotated_types import Interval

from games.errors import IllegalAction
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.naming import Value
from games.native.common.stages import game_id, seats_of
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

NAME = "ask"
STREAM = "ask-v0"
"""part of every seed, in all versions"""
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "colour": ("red", "blue", "green", "white"),
    "size": ("small", "medium", "large"),
    "material": ("wood", "metal", "glass"),
    "age": ("new", "old"),
}
MORE: Mapping[str, tuple[str, ...]] = {"shape": ("round", "square", "long"), "price": ("cheap", "fair", "costly")}
"""attributes since ask-v1"""
SUCCESS, QUIT, TURN, REJECTED = 1.0, -0.3, -0.1, 0.5


class Item(NamedTuple):
    """An item of the catalogue."""

    name: str
    values: Mapping[str, str]

    def line(self) -> str:
        """The item as a line of the catalogue."""
        return f"{self.name}: {', '.join(self.values.values())}"


class AskGame(TextGame):
    """Seekers look for the same unknown item of a catalogue, each alone; who finds it in fewer turns wins.

    items: the size of the catalogue. turns: of each seeker, questions and recommendations together. seekers: who look
    for the item at the same time, without seeing each other. rejected: the cost of a wrong recommendation, beside the
    turn; by default 0.5, or 2 / (items - 1) if that is more.
    """

    version = 1
    attributes: ClassVar[Mapping[str, tuple[str, ...]]] = {**ATTRIBUTES, **MORE}

    def __init__(
        self,
        items: Annotated[int, Interval(ge=2, le=26)] = 12,
        turns: Annotated[int, Interval(ge=2, le=10)] = 6,
        seekers: Annotated[int, Interval(ge=1, le=8)] = 2,
        rejected: Annotated[float, Interval(ge=0, le=10)] | None = None,
    ) -> None:
        usual = max(REJECTED, 2 / (items - 1)) if self.version else 0.0
        self.rejected = usual if rejected is None else float(rejected)
        params: dict[str, Value] = {"items": items, "turns": turns, "seekers": seekers, "rejected": self.rejected}
        self.items, self.turns = items, turns
        cost = f" A wrong recommendation costs {self.rejected:g}." if self.rejected else ""
        self.spec = GameSpec(
            id=game_id(f"{NAME}-v{self.version}", AskGame, params, {"rejected": usual}),
            seats=dict.fromkeys(seats_of("seeker", seekers), "seeker"),
            payoff="general_sum",
            rules=(
                "A user wants one item of the catalogue. Each turn, ask about an attribute, and the user answers "
                "truthfully, or recommend an item. The right item earns 1, less 0.1 for each earlier turn."
                f"{cost} After {turns} turns without it you lose."
            ),
            max_turns=turns * seekers,
            returns_range=(QUIT + TURN * (turns - 1) - self.rejected * min(turns, items), SUCCESS),
            rated=seekers > 1,
        )
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw the catalogue and the item."""
        stream = RandomStream(derive(seed, STREAM))
        drawn = stream.shuffled(list(product(*self._values(stream).values())))[: self.items]
        self._catalogue = [
            Item(chr(ord("A") + i), dict(zip(self.attributes, values, strict=True))) for i, values in enumerate(drawn)
        ]
        self._wanted = stream.choice(self._catalogue)
        self._done: dict[Seat, list[str]] = {seat: [] for seat in self.spec.seats}

    def _values(self, stream: RandomStream) -> dict[str, tuple[str, ...]]:
        """The values of each attribute in this catalogue: as many attributes as possible have only one.

        So a question is worth its cost only after a look at the catalogue. In ask-v0 three fixed questions earn 0.03
        less than the best ones.
        """
        values = dict(self.attributes)
        for name in stream.shuffled(list(values)) if self.version else ():
            fewer = values | {name: (stream.choice(values[name]),)}
            if prod(map(len, fewer.values())) >= self.items:
                values = fewer
        return values

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seekers that have turns left and have not found the item."""
        return tuple(seat for seat in self.spec.seats if not self._found(seat) and len(self._done[seat]) < self.turns)

    def _found(self, seat: Seat) -> bool:
        return f"recommend {self._wanted.name}" in self._done[seat]

    def observe(self, seat: Seat) -> Observation:
        """The catalogue, and the seat's own questions with their answers."""
        lines = [f"Attributes: {', '.join(self.attributes)}. Catalogue:", *(item.line() for item in self._catalogue)]
        lines += [self._answer(action) for action in self._done[seat]] or ["Nothing has been asked yet."]
        left = self.turns - len(self._done[seat])
        over = self._found(seat) or not left
        lines.append("The match is over." if over else f"{left} turn{'s are' if left > 1 else ' is'} left.")
        return Observation("\n".join(lines), "over" if over else "play")

    def _answer(self, action: str) -> str:
        verb, _, what = action.partition(" ")
        if verb == "ask":
            return f"You asked: the {what} is {self._wanted.values[what]}."
        return f"You recommended {what}: {'right' if what == self._wanted.name else 'not this one'}."

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """The questions and recommendations that the seat has not made."""
        if seat not in self.acting:
            return ()
        every = [f"ask {name}" for name in self.attributes] + [f"recommend {item.name}" for item in self._catalogue]
        return tuple(action for action in every if action not in self._done[seat])

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Answer every acting seat."""
        if set(actions) != set(self.acting):
            raise IllegalAction(f"expected actions of {', '.join(self.acting) or 'nobody: the match is over'}")
        for seat, action in actions.items():
            if action not in self.legal(seat):
                raise IllegalAction(
                    f"{action!r:.60} is not possible; ask about an attribute or recommend an item", seat
                )
        for seat, action in actions.items():
            self._done[seat].append(action)

    def returns(self) -> Mapping[Seat, float]:
        """1 for the item or -0.3 without it, less 0.1 for each turn before the last, and the wrong recommendations."""
        return {seat: self._earned(seat, done) for seat, done in self._done.items()}

    def _earned(self, seat: Seat, done: Sequence[str]) -> float:
        found = self._found(seat)
        wrong = sum(action.startswith("recommend") for action in done) - found
        return round((SUCCESS if found else QUIT) + TURN * max(0, len(done) - 1) - self.rejected * wrong, 10)

    def facts(self) -> Mapping[str, Any]:
        """The wanted item, and how many questions and recommendations each seat made."""
        return {
            "wanted": self._wanted.name,
            "found": {seat: self._found(seat) for seat in self.spec.seats},
            "asked": {seat: sum(a.startswith("ask") for a in done) for seat, done in self._done.items()},
            "recommended": {seat: sum(a.startswith("rec") for a in done) for seat, done in self._done.items()},
        }

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the module `shortcuts`."""
        return suite_beside(self)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Found at the second turn, and never found, for two seekers with the default parameters."""
        if self.spec.id != f"{NAME}-v{self.version}":
            return ()
        game = type(self)()
        wanted = game._wanted.name
        others = [item.name for item in game._catalogue if item.name != wanted]
        moves: list[dict[Seat, str]] = [
            {"seeker_0": "ask colour", "seeker_1": f"recommend {others[0]}"},
            {"seeker_0": f"recommend {wanted}", "seeker_1": f"recommend {others[1]}"},
            *({"seeker_1": f"recommend {name}"} for name in others[2:6]),
        ]
        return (KnownOutcome(0, moves, {"seeker_0": 0.9, "seeker_1": -0.8 - 6 * self.rejected}),)


class PublishedAskGame(AskGame):
    """ask-v0, in which a wrong recommendation costs its turn alone."""

    version = 0
    attributes = ATTRIBUTES
