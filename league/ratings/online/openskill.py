"""The optional rating method `openskill`: models of the `openskill` package (Joshy 2024; Weng and Lin 2011)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from games import InputError
from league.config.tournament import RatingConfig
from league.ratings.online.anchors import anchors_of, rating_before
from league.ratings.online.ratings import OnlineRatings
from league.ratings.online.tally import Z95
from league.ratings.outcomes.stream import JoinedMatches
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing

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
        self._config = config
        self._model: Any = getattr(models, MODELS[model])(
            mu=config.mu, sigma=config.sigma, beta=config.beta, tau=config.tau
        )
        self._final: dict[str | None, dict[str, Any]] = {}
        """per game, and over all games under None: ratings by the matches before the frontier"""
        self._open: list[JoinedMatches] = []
        """joined matches before which another may still arrive"""

    def fold(self, joined: Sequence[JoinedMatches]) -> None:
        """Rate what `stream` has just joined."""
        super().fold(joined)
        self._open = sorted([*self._open, *joined], key=_index)
        final = [one for one in self._open if one.index < self.stream.frontier]
        self._open = self._open[len(final) :]
        for game in {None, *(one.game for one in final)}:
            self._rate(self._final.setdefault(game, {}), final, game)

    def standings(self) -> tuple[Standing, ...]:
        """Returns the table over all games."""
        return _ranked(super().standings(), self._ratings(None))

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Returns the tables per game."""
        return {game: _ranked(rows, self._ratings(game)) for game, rows in super().by_game().items()}

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        return Leaderboard(run, self.standings(), self.by_game(), self.by_role(), matches)

    def _ratings(self, game: str | None) -> dict[str, Any]:
        """Returns every player's rating after all matches of one game, or of all games."""
        ratings = dict(self._final.get(game, {}))
        self._rate(ratings, self._open, game)
        return ratings

    def _rate(self, ratings: dict[str, Any], joined: Iterable[JoinedMatches], game: str | None) -> None:
        """Update ratings by the outcomes that rate players overall."""
        anchors = anchors_of(self._config, game)
        for one in joined:
            if game not in (None, one.game):
                continue
            evidence = () if self.stream.repeats_so_far(one.index) else (one,)
            for outcome in (o for unit in (*evidence, *self.stream.released(one.index)) for o in unit.outcomes):
                if outcome.rated and not outcome.roles_only:
                    names, ranks = outcome.by_side([e.player for e in outcome.entries])
                    for name in (name for side in names for name in side if name not in ratings):
                        ratings[name] = self._model.rating(*rating_before(self._config, anchors, name))
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


def _index(joined: JoinedMatches) -> int:
    return joined.index
