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


WHOLE = ""
"""in place of a role: whoever plays all that have nobody of their own"""


def by_role(**roles: str) -> ByRole:
    """Each role of a game is played by a player of its own: `by-role(seller=haggler, buyer=random)`.

    What a training with a policy for each role leaves in the league. Raises InputError without a role.
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
    """The id of those who play the roles as one player: role, or WHOLE alone -> player id."""
    if WHOLE in parts:
        return parts[WHOLE]
    return f"by-role({', '.join(f'{role}={id}' for role, id in parts.items())})"


class ByRole(Player):
    """Several players as one: role, or WHOLE -> who plays it. They are closed with it."""

    def __init__(self, parts: Mapping[str, Player]) -> None:
        self._parts = parts
        self.waits = any(part.waits for part in parts.values())
        self.remembers = any(part.remembers for part in parts.values())
        self.outside = any(part.outside for part in parts.values())
        self.priced = all(part.priced for part in parts.values() if part.budget is not None)
        self.about = "; ".join(f"{role}: {part.about}" for role, part in parts.items() if part.about)

    @property
    def budget(self) -> Budget | None:
        """That of the parts that cost something."""
        return next((part.budget for part in self._parts.values() if part.budget is not None), None)

    @budget.setter
    def budget(self, budget: Budget | None) -> None:
        for part in self._parts.values():
            if part.budget is not None:
                part.budget = budget

    @property
    def secret(self) -> bytes:
        """That of the parts that are outside."""
        return next((part.secret for part in self._parts.values() if part.outside), b"")

    @secret.setter
    def secret(self, secret: bytes) -> None:
        for part in self._parts.values():
            if part.outside:
                part.secret = secret

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
            part = self._parts.get(role) or self._parts.get(WHOLE)
            if part is None:
                return f"nobody plays the role {role!r} here; it has {', '.join(self._parts)}"
            if why := part.supports(game):
                return f"its player for the role {role!r}: {why}"
        return None

    def close(self) -> None:
        """Close all parts."""
        for part in self._parts.values():
            part.close()

    def _part(self, view: View) -> tuple[Player, View]:
        """Who plays the role, and what it is given: its earlier turns only where it asks for them."""
        part = self._parts.get(view.role) or self._parts[WHOLE]
        return part, view if part.remembers or not view.exchanges else replace(view, exchanges=())
