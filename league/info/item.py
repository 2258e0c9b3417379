"""The description of one game, role, player or other item, as data."""

from __future__ import annotations

import msgspec

from games.parameter_info import ParameterInfo


class GameFacts(msgspec.Struct, frozen=True):
    """What the spec of a game says."""

    seats: dict[str, str]
    """seat -> role"""
    payoff: str
    max_turns: int
    rated: bool
    chance: bool | None
    """None: not declared"""
    teams: tuple[tuple[str, ...], ...]
    strangers: bool
    """whether the seats of a team are for different players"""
    rules: str


class ItemInfo(msgspec.Struct, frozen=True):
    """One item that an id names."""

    kind: str
    """game, role, player, matchmaker, rating, advantage, task-source, curriculum or loss: the words of
    `arena check --kind`"""
    id: str
    about: str
    """the description in its source; may be empty"""
    parameters: tuple[ParameterInfo, ...]
    origin: str
    """`arena`, a plugin file, or a package"""
    source: str
    """file and line, or the module that makes it"""
    game: GameFacts | None = None
    """None: not a game"""
    papers: tuple[str, ...] = ()
    """name and arXiv id of each paper that a game or a role comes from"""
    problem: str = ""
    """why it cannot be made with the parameters that were given; "" if nothing is known against it"""
