"""The optional rating method `openskill`: models of the `openskill` package (Joshy 2024; Weng and Lin 2011)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from games import InputError
from league.config.tournament import RatingConfig
from league.outcomes.units import RatedUnit
from league.ratings.online.ratings import OnlineRatings, Tables
from league.ratings.online.replay import Replay
from league.ratings.online.state import anchors_of, rating_before
from league.ratings.online.tally import Z95
from league.records.game_info import GameInfo
from league.records.leaderboard import Standing

MODELS = {
    "bradley-terry-full": "BradleyTerryFull",
    "bradley-terry-part": "BradleyTerryPart",
    "plackett-luce": "PlackettLuce",
    "thurstone-mosteller-full": "ThurstoneMostellerFull",
    "thurstone-mosteller-part": "ThurstoneMostellerPart",
}


class OpenSkill(OnlineRatings):
    """Counts as in `OnlineRatings`; ratings overall and per game by one of openskill's models, in plan order.

    Takes the keywords of `OnlineRatings`, and `model`. Plackett-Luce in openskill rates tied winners below the loser
    (openskill issue 176), so the default is Bradley-Terry with full pairing. Role tables are those of TrueSkill. Raises
    InputError if the package is missing or the model unknown.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig | None = None,
        players: Sequence[str] = (),
        model: str = "bradley-terry-full",
    ) -> None:
        if model not in MODELS:
            raise InputError(f"openskill model {model!r} is not known; choose one of {', '.join(MODELS)}")
        try:
            from openskill import models
        except ImportError:
            need = (
                "rating method 'openskill' needs the openskill package; type: pip install 'selfplay-arena[openskill]'"
            )
            raise InputError(need) from None
        config = config or RatingConfig()
        super().__init__(games, config, players)
        made = getattr(models, MODELS[model])(mu=config.mu, sigma=config.sigma, beta=config.beta, tau=config.tau)
        self._models = _ModelState(made, games, config)
        self._model_replay = Replay(self._models)

    def tables(self, without: Collection[str] = ()) -> Tables:
        """Returns all tables."""
        tables, ratings = super().tables(without), self._models.ratings
        self._model_replay.update(self.outcomes.rows())
        games = {game: _ranked(rows, ratings[game]) for game, rows in tables.games.items()}
        return Tables(_ranked(tables.overall, ratings[""]), games, tables.roles)


class _ModelState:
    """Ratings per game, and over all games under "", by one of openskill's models, whose ratings never change."""

    def __init__(self, model: Any, games: Iterable[str], config: RatingConfig) -> None:
        self._model, self._config = model, config
        self._anchors = {game: anchors_of(config, game or None) for game in ("", *games)}
        self.ratings: dict[str, dict[str, Any]] = {game: {} for game in self._anchors}

    def apply(self, unit: RatedUnit) -> None:
        """Update the ratings by the outcomes that rate players overall."""
        for outcome in unit.outcomes:
            if outcome.rated and not outcome.roles_only:
                names, ranks = outcome.by_side([e.player for e in outcome.entries])
                for game in ("", unit.game):
                    self._rate(game, names, ranks)

    def save(self) -> dict[str, dict[str, Any]]:
        """Returns the ratings, for `load`."""
        return {game: dict(ratings) for game, ratings in self.ratings.items()}

    def load(self, saved: Mapping[str, Mapping[str, Any]]) -> None:
        """Take back what was rated since `save`."""
        for game, ratings in saved.items():
            self.ratings[game].clear()
            self.ratings[game].update(ratings)

    def _rate(self, game: str, names: Sequence[Sequence[str]], ranks: Sequence[int]) -> None:
        ratings = self.ratings[game]
        for name in (name for side in names for name in side if name not in ratings):
            ratings[name] = self._model.rating(*rating_before(self._config, self._anchors[game], name))
        teams = [[ratings[name] for name in side] for side in names]
        for side, team in zip(names, self._model.rate(teams, ranks=ranks), strict=True):
            ratings.update(zip(side, team, strict=True))


def _ranked(rows: Sequence[Standing], ratings: Mapping[str, Any]) -> tuple[Standing, ...]:
    out = []
    for row in rows:
        if (rating := ratings.get(row.player)) is not None:
            reach = Z95 * rating.sigma
            row = msgspec.structs.replace(row, rating=rating.mu, low=rating.mu - reach, high=rating.mu + reach)
        out.append(row)
    # as in `OnlineRatings`: players of unrated games come after the others, in the order of their mean returns
    out.sort(key=lambda r: (r.games == 0, not r.rated, *((-r.rating, r.player) if r.rated else ())))
    return tuple(msgspec.structs.replace(row, rank=rank) for rank, row in enumerate(out, 1))
