"""What the pages of players and matches show. `league.views.player_history` computes it from a store."""

from __future__ import annotations

from typing import Protocol

import msgspec

PLAYING = "playing"
"""`MatchLine.status` of a match that has not ended"""


class OpponentLine(msgspec.Struct, frozen=True):
    """A player's record against one opponent."""

    player: str
    matches: int
    mean: float
    """mean return of the player in these matches"""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    """comparisons that ratings are computed from; none in games that are not rated"""
    low: float = 0.0
    high: float = 1.0
    """95% interval of `share`, which holds for all pairs of players in all games and at every look together"""
    share: float | None = None
    """(wins + draws / 2) / comparisons, over several games the mean of theirs; None without comparisons"""


class MatchLine(msgspec.Struct, frozen=True):
    """A match of a player in the list of its page."""

    match: str
    index: int
    """its place in the plan"""
    game: str
    role: str
    opponents: tuple[str, ...]
    score: float
    status: str
    """finished, forfeit, truncated, void, or PLAYING"""
    forfeited: bool
    """whether the player forfeited it"""
    turns: int
    """of all seats"""


class PlayerDetails(msgspec.Struct, frozen=True):
    """A player's opponents, matches and ratings, in all games, one game or one role."""

    player: str
    ratings: tuple[float, ...] = ()
    """TrueSkill after each of its matches, updated match by match; of a role: that of the game"""
    opponents: tuple[OpponentLine, ...] = ()
    matches: tuple[MatchLine, ...] = ()
    """newest first; the oldest may be missing"""
    read: int = 0
    """results of the run that are included"""
    total: int = 0
    """results of the run so far"""
    pages: tuple[tuple[str, ...], ...] = ()
    """of the page of a match: an overview, then each position, in printable lines"""
    error: str = ""
    """why nothing could be read"""
    live: bool = False
    """whether the match of `pages` is being played, so that more positions follow"""


class DetailsSource(Protocol):
    """Where a board gets the details of a player. One thread of the board calls it."""

    def details(self, player: str, game: str, role: str) -> PlayerDetails:
        """Returns the details as far as they are known; does a bounded amount of work, so `read` may be below `total`.

        `game` and `role` may be "" for all.
        """
        ...

    def pages(self, match: str) -> PlayerDetails:
        """Returns the `pages` of a match that has ended or is being played. Raises InputError without it."""
        ...
