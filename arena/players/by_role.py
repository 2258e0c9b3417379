"""The player `by-role`: another player for each role of a game, rated as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena.match.records import Decision
from arena.players.player import Player, View
from games import InputError, TextGame

if TYPE_CHECKING:
    from arena.players.budget import Budget


class ByRole(Player):
    """Each role of a game is played by a player of its own: `by-role(seller=haggler, buyer=random)`.

    What a training with a policy for each role leaves in the league. Raises InputError without a role.
    """

    def __init__(self, **roles: str) -> None:
        from arena.players.registry import make

        if not roles:
            raise InputError("by-role names no role; write by-role(seller=haggler, buyer=random)")
        self._parts = {role: make(str(id)) for role, id in roles.items()}
        parts = list(self._parts.values())
        self.waits = any(part.waits for part in parts)
        self.remembers = any(part.remembers for part in parts)
        self.priced = all(part.priced for part in parts if part.budget is not None)
        self.about = "; ".join(f"{role}: {part.about}" for role, part in self._parts.items() if part.about)

    @property
    def budget(self) -> Budget | None:
        """That of the parts that cost something."""
        return next((part.budget for part in self._parts.values() if part.budget is not None), None)

    @budget.setter
    def budget(self, budget: Budget | None) -> None:
        for part in self._parts.values():
            if part.budget is not None:
                part.budget = budget

    def act(self, view: View) -> Decision:
        """The decision of the role's player, where none of them waits."""
        part, view = self._part(view)
        return part.act(view)

    async def act_async(self, view: View) -> Decision:
        """The decision of the role's player."""
        part, view = self._part(view)
        return await part.act_async(view) if part.waits else part.act(view)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The policy of the role's player, where it can be read."""
        part, view = self._part(view)
        return await part.probabilities(view)

    def supports(self, game: TextGame) -> str | None:
        """Why it cannot play a game: a role without a player, or with one that cannot."""
        for role in game.spec.seats.values():
            if role not in self._parts:
                return f"nobody plays the role {role!r} here; it has {', '.join(self._parts)}"
            if why := self._parts[role].supports(game):
                return f"its player for the role {role!r}: {why}"
        return None

    def close(self) -> None:
        """Close all parts."""
        for part in self._parts.values():
            part.close()

    def _part(self, view: View) -> tuple[Player, View]:
        """Who plays the role, and what it is given: its earlier turns only where it asks for them."""
        part = self._parts[view.role]
        return part, view if part.remembers or not view.exchanges else replace(view, exchanges=())
