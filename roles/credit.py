"""What roles share that are credited from the facts of a match: reading an episode, and answering for a whole batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from roles.role import Scored


class Told(Scored, Protocol):
    """The part of an episode that facts are read from."""

    @property
    def match(self) -> str:
        """The id of the match."""
        ...

    @property
    def game(self) -> str:
        """The id of the game, with its parameters."""
        ...

    @property
    def roles(self) -> Mapping[str, str]:
        """The role of each seat."""
        ...

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the game established; empty where the match was forfeited."""
        ...


def told(episode: Scored) -> Told:
    """The same episode, with its facts. Raises AttributeError for something that has none."""
    cast(Told, episode).facts  # noqa: B018  the check of roles made up of returns alone must say so
    return cast(Told, episode)


def seats_of(episode: Told, role: str) -> list[str]:
    """The seats that play a role, in seat order."""
    return [seat for seat, name in episode.roles.items() if name == role]


def from_batch(
    episodes: Sequence[Scored],
    role: str,
    has: Callable[[Told], bool],
    rewards: Callable[[Sequence[Told]], Sequence[float]],
) -> list[Mapping[str, float]]:
    """Rewards of a role that has one in each match, for `Role.credit_batch`.

    `rewards` is asked once, for the episodes that `has` is true of, and gives one number each; the others, and other
    games' episodes, are left to `credit`.
    """
    mine = [e for e in map(told, episodes) if seats_of(e, role) and has(e)]
    of = {id(e): reward for e, reward in zip(mine, rewards(mine), strict=True)}
    return [dict.fromkeys(seats_of(e, role), of[id(e)]) if id(e) in of else {} for e in map(told, episodes)]
