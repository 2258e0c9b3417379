"""The base class of players made of other players, and how one of them asks another."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from arena.players.player import Player, View
from arena.records import Decision
from games import InputError, TextGame
from games.randomness import derive

if TYPE_CHECKING:
    from arena.players.budget import Budget

T = TypeVar("T")

PARTS: Mapping[str, tuple[str, ...]] = {
    "advised": ("player", "adviser"),
    "behaviour-tree": ("writer",),
    "best-of": ("player",),
    "learned": ("player",),
    "lookahead": ("player",),
    "mirror-descent": ("player",),
    "revise": ("player",),
}
"""kind of player -> its parameters that are ids of other players"""


class Composite(Player):
    """Combines players: name of the part -> player. Closing it closes them.

    A subclass implements `decide`; it runs without an event loop if no part waits.
    """

    def __init__(self, parts: Mapping[str, Player]) -> None:
        self._parts = parts
        self.waits = any(part.waits for part in parts.values())
        self.remembers = any(part.remembers for part in parts.values())
        self.outside = any(part.outside for part in parts.values())
        self.recalls = any(part.may_recall for part in parts.values())
        self.priced = all(part.priced for part in parts.values() if part.budget is not None)
        self.prompt_room = min((p.prompt_room for p in parts.values() if p.prompt_room is not None), default=None)
        self.about = "; ".join(f"{role}: {part.about}" for role, part in parts.items() if part.about)

    async def decide(self, view: View) -> Decision:
        """Decide one turn."""
        raise NotImplementedError

    def act(self, view: View) -> Decision:
        """Decide one turn. Only if no part waits."""
        return finished(self.decide(view))

    async def act_async(self, view: View) -> Decision:
        """Decide one turn."""
        return await self.decide(view)

    @property
    def budget(self) -> Budget | None:
        """The budget of the parts that cost something."""
        return next((part.budget for part in self._parts.values() if part.budget is not None), None)

    @budget.setter
    def budget(self, budget: Budget | None) -> None:
        for part in self._parts.values():
            if part.budget is not None:
                part.budget = budget

    @property
    def secret(self) -> bytes:
        """The secret of the parts that are `outside`."""
        return next((part.secret for part in self._parts.values() if part.outside), b"")

    @secret.setter
    def secret(self, secret: bytes) -> None:
        for part in self._parts.values():
            if part.outside:
                part.secret = secret

    def supports(self, game: TextGame) -> str | None:
        """Supports what all parts support."""
        return next((why for part in self._parts.values() if (why := part.supports(game))), None)

    def close(self) -> None:
        """Close all parts."""
        for part in self._parts.values():
            part.close()


def made(**ids: str) -> dict[str, Player]:
    """Returns players by the name of their part. If one cannot be made, closes the others and raises InputError."""
    from arena.players.registry import make

    parts: dict[str, Player] = {}
    try:
        for part, id in ids.items():
            parts[part] = make(id)
            if parts[part].learns:
                raise InputError(f"{id} is a part of another player and would get no notes; write it around the others")
    except BaseException:
        for player in parts.values():
            player.close()
        raise
    return parts


async def ask(player: Player, view: View) -> Decision:
    """Returns the decision of a part, which sees the earlier turns only if it remembers them."""
    if view.exchanges and not player.remembers:
        view = replace(view, exchanges=())
    return await player.act_async(view) if player.waits else player.act(view)


def reseeded(view: View, *labels: str | int) -> View:
    """Returns the same view with other random numbers, determined by its own seed and the labels."""
    return replace(view, seat_seed=derive(view.seed, *labels))


def finished(work: Coroutine[Any, Any, T]) -> T:
    """Returns the result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    work.close()
    raise RuntimeError("a player that says it does not wait has waited; set waits = True")


def tokens_of(decisions: list[Decision]) -> int:
    """Returns the completion tokens of some decisions."""
    return sum(d.written for d in decisions)


def charged(chosen: Decision, asked: list[Decision]) -> Decision:
    """Returns the chosen decision with the tokens of all others in `spent` and `prompt_tokens`."""
    wrote, read = chosen.written - chosen.spent, chosen.read - chosen.prompt_tokens
    return replace(chosen, spent=tokens_of(asked) - wrote, prompt_tokens=sum(d.read for d in asked) - read)
