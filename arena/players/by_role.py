"""The player `by-role`: one player per role of a game, rated together."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from arena.players.composite import Composite, ask, made
from arena.players.player import Player, View
from arena.records import Decision
from games import InputError, TextGame

WHOLE = ""
"""key in place of a role: the player of all roles without their own player"""


def by_role(**roles: str) -> ByRole:
    """Create a player from one player id per role: `by-role(seller=policy, buyer=random)`.

    A training with one policy per role adds such players to the league. Raises InputError without a role.
    """
    if not roles:
        raise InputError("by-role names no role; write by-role(seller=policy, buyer=random)")
    return ByRole(made(**{role: str(id) for role, id in roles.items()}))


def id_of(parts: Mapping[str, str]) -> str:
    """Returns the id of a player for these parts: role -> player id, or WHOLE -> player id alone."""
    if WHOLE in parts:
        return parts[WHOLE]
    return f"by-role({', '.join(f'{role}={id}' for role, id in parts.items())})"


class ByRole(Composite):
    """Combines players: role or WHOLE -> player. Closing it closes them."""

    def __init__(self, parts: Mapping[str, Player]) -> None:
        super().__init__(parts)
        self.deterministic = all(part.deterministic for part in parts.values())

    async def decide(self, view: View) -> Decision:
        """Returns the decision of the role's player."""
        return await ask(self._part(view.role), view)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the policy of the role's player, if it knows it."""
        part = self._part(view.role)
        return await part.probabilities(view if part.remembers else replace(view, exchanges=()))

    def supports(self, game: TextGame) -> str | None:
        """Supports a game if every role has a player that supports it."""
        for role in game.spec.seats.values():
            part = self._parts.get(role) or self._parts.get(WHOLE)
            if part is None:
                return f"it has no player for the role {role!r}, only for {', '.join(self._parts)}"
            if why := part.supports(game):
                return f"its player for the role {role!r}: {why}"
        return None

    def _part(self, role: str) -> Player:
        return self._parts.get(role) or self._parts[WHOLE]
