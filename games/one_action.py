"""The action of a game in which one seat acts at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.errors import IllegalAction
from games.game import Seat


def only_action(acting: Sequence[Seat], actions: Mapping[Seat, str]) -> str:
    """Returns the action of the seat that acts. Raises IllegalAction for actions of others, and where nobody acts."""
    if not acting or set(actions) != set(acting):
        raise IllegalAction(f"expected an action of {', '.join(acting) or 'nobody'}, got {', '.join(actions)}")
    return actions[acting[0]]
