"""The TrueSkill ratings that outcomes update: per role, per game and overall."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from league.config.tournament import RatingConfig
from league.ratings.online.draw_probability import environment, level_environment
from league.ratings.online.trueskill import Rating, TrueSkill

if TYPE_CHECKING:
    from league.outcomes import Outcome, RatedUnit
from collections.abc import Mapping

from games import InputError
from league.ratings.online.draw_probability import names

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


RatingKey = tuple[str, str, str]
"""player, game, role; "" for all games or all roles"""
RatingValues = dict[RatingKey, tuple[float, float]]
"""mean and variance of the ratings that have moved"""


class RatingState:
    """Ratings of a run, updated unit by unit in plan order: see `Replay`."""

    def __init__(self, games: Iterable[str], config: RatingConfig) -> None:
        self._config = config
        rules = {game: environment(game, config) for game in games}
        self._rules = {game: (one, level_environment(one)) for game, one in rules.items()}
        self._anchors = {game: anchors_of(config, game or None) for game in ("", *rules)}
        self._ratings: RatingValues = {}

    def apply(self, unit: RatedUnit) -> None:
        """Rate the outcomes of a unit."""
        for outcome in unit.outcomes:
            if outcome.rated:
                seats = outcome.entries
                levels = [[(seat.player, unit.game, seat.role) for seat in seats]]
                if not outcome.roles_only:
                    levels += [[(seat.player, game, "") for seat in seats] for game in (unit.game, "")]
                for keys in levels:
                    self._rate(keys, outcome, *self._rules[unit.game])

    def save(self) -> RatingValues:
        """Returns the ratings, for `load`."""
        return dict(self._ratings)

    def load(self, saved: RatingValues) -> None:
        """Take back what was rated since `save`."""
        self._ratings = dict(saved)

    def rating(self, player: str, game: str = "", role: str = "") -> Rating:
        """Returns a player's rating; the prior if it has not played."""
        mu, var = self._rating((player, game, role))
        return Rating(mu, var**0.5)

    def _rating(self, key: RatingKey) -> tuple[float, float]:
        rating = self._ratings.get(key)
        if rating is None:
            player, game, role = key
            before = rating_before(self._config, {} if role else self._anchors[game], player)
            rating = before.mu, before.sigma**2
        return rating

    def _rate(self, keys: Sequence[RatingKey], outcome: Outcome, rules: TrueSkill, level: TrueSkill) -> None:
        ranks = outcome.ranks
        if len(keys) == 2:
            winner, loser = keys if ranks[0] <= ranks[1] else keys[::-1]
            step = level.step_draw if ranks[0] == ranks[1] else rules.step
            a, b, c, d = step(*self._rating(winner), *self._rating(loser))
            self._ratings[winner], self._ratings[loser] = (a, b), (c, d)
            return
        sides, places = outcome.by_side(keys)
        if len(set(places)) < len(places):
            rules = level
        rated = rules.rate_teams([[self.rating(*key) for key in side] for side in sides], places)
        for key, (mu, sigma) in zip(itertools.chain(*sides), itertools.chain(*rated), strict=True):
            self._ratings[key] = mu, sigma * sigma
