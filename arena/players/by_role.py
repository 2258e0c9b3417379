"""The player `by-role`: one player per role of a game, rated together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena.players.player import Player, View
from arena.records import Decision
from games import InputError, TextGame

if TYPE_CHECKING:
    from arena.players.budget import Budget


WHOLE = ""
"""key in place of a role: the player of all roles without their own player"""


def by_role(**roles: str) -> ByRole:
    """Create a player from one player id per role: `by-role(seller=haggler, buyer=random)`.

    A training with one policy per role adds such players to the league. Raises InputError without a role.
    """
    from arena.players.registry import make

    if not roles:
        raise InputError("by-role names no role; write by-role(seller=haggler, buyer=random)")
    parts: dict[str, Player] = {}
    try:
        for role, id in roles.items():
            parts[role] = make(str(id))
    except BaseException:
        for part in parts.values():
            part.close()
        raise
    return ByRole(parts)


def id_of(parts: Mapping[str, str]) -> str:
    """The id of a player for these parts: role -> player id, or WHOLE -> player id alone."""
    if WHOLE in parts:
        return parts[WHOLE]
    return f"by-role({', '.join(f'{role}={id}' for role, id in parts.items())})"


class ByRole(Player):
    """Combines players: role or WHOLE -> player. Closing it closes them."""

    def __init__(self, parts: Mapping[str, Player]) -> None:
        self._parts = parts
        self.waits = any(part.waits for part in parts.values())
        self.remembers = any(part.remembers for part in parts.values())
        self.outside = any(part.outside for part in parts.values())
        self.priced = all(part.priced for part in parts.values() if part.budget is not None)
        self.about = "; ".join(f"{role}: {part.about}" for role, part in parts.items() if part.about)

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

    def act(self, view: View) -> Decision:
        """The decision of the role's player. Only if no part waits."""
        part, view = self._part(view)
        return part.act(view)

    async def act_async(self, view: View) -> Decision:
        """The decision of the role's player."""
        part, view = self._part(view)
        return await part.act_async(view) if part.waits else part.act(view)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The policy of the role's player, if it knows it."""
        part, view = self._part(view)
        return await part.probabilities(view)

    def supports(self, game: TextGame) -> str | None:
        """Supports a game if every role has a player that supports it."""
        for role in game.spec.seats.values():
            part = self._parts.get(role) or self._parts.get(WHOLE)
            if part is None:
                return f"it has no player for the role {role!r}, only for {', '.join(self._parts)}"
            if why := part.supports(game):
                return f"its player for the role {role!r}: {why}"
        return None

    def close(self) -> None:
        """Close all parts."""
        for part in self._parts.values():
            part.close()

    def _part(self, view: View) -> tuple[Player, View]:
        """The role's player and its view, without earlier turns unless the player remembers them."""
        part = self._parts.get(view.role) or self._parts[WHOLE]
        return part, view if part.remembers or not view.exchanges else replace(view, exchanges=())
