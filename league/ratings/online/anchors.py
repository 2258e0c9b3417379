"""The anchors of a run's games, from its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games import InputError
from league.config.tournament import RatingConfig
from league.ratings.online.draw_probability import names
from league.ratings.online.trueskill import Rating

Anchors = Mapping[str, tuple[float, float]]
"""player -> its rating and the standard deviation of that"""
_EXACT = 1e-3
"""Standard deviation of an exactly known rating, relative to beta: online methods divide by it."""


def anchors_of(config: RatingConfig, game: str | None) -> Anchors:
    """Player -> rating and standard deviation in a game, by the most exact of the game's `names`; with None, over all
    games.
    """
    keys = (None, *reversed(names(game))) if game else (None,)
    rank = {key: number for number, key in enumerate(keys)}
    anchors = sorted((a for a in config.anchors if a.game in rank), key=lambda a: rank[a.game])
    return {anchor.player: (anchor.rating, anchor.sd) for anchor in anchors}


def rating_before(config: RatingConfig, anchors: Anchors, player: str) -> Rating:
    """Returns the rating of a player before its first match."""
    mu, sd = anchors.get(player, (config.mu, config.sigma))
    return Rating(mu, max(sd, _EXACT * config.beta))


def check_game_names(config: RatingConfig, games: Iterable[str]) -> None:
    """Raises InputError for a draw probability or an anchor of a game that is not in `games`."""
    ids = list(games)
    allowed = {name for game in ids for name in names(game)}
    asked = [("draw_probability", key) for key in config.draw_probability]
    asked += [("anchors", anchor.game) for anchor in config.anchors if anchor.game]
    for setting, key in asked:
        if key not in allowed:
            raise InputError(
                f"ratings.{setting}: {key!r} is not a game of this file; its games: {', '.join(ids)} "
                "(or without parameters, namespace and version)"
            )
