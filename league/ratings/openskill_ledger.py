"""Ratings by the `openskill` package (Joshy, 2024; Weng and Lin, 2011): the optional rating method `openskill`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from games import InputError
from league.config import RatingConfig
from league.ratings.ledger import Ledger
from league.ratings.outcomes import Outcome, counts, outcomes
from league.ratings.repeats import distinct
from league.ratings.sides import GameInfo
from league.ratings.tally import Z95
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing

MODELS = {
    "bradley-terry-full": "BradleyTerryFull",
    "bradley-terry-part": "BradleyTerryPart",
    "plackett-luce": "PlackettLuce",
    "thurstone-mosteller-full": "ThurstoneMostellerFull",
    "thurstone-mosteller-part": "ThurstoneMostellerPart",
}


class OpenSkill:
    """Counts by the ledger, ratings overall and per game by one of openskill's models, folded in plan order.

    The same keywords as `Ledger`, and `model`. Its Plackett-Luce rates tied winners below the loser (openskill issue
    176), so the default is Bradley-Terry with full pairing. Role tables stay those of TrueSkill. Raises InputError
    where the package is missing or the model unknown.
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
            need = "rating method 'openskill' needs its package; type: pip install 'selfplay-arena[openskill]'"
            raise InputError(need) from None
        config = config or RatingConfig()
        self._games = dict(games)
        self._model: Any = getattr(models, MODELS[model])(
            mu=config.mu, sigma=config.sigma, beta=config.beta, tau=config.tau
        )
        self._ledger = Ledger(games, config, players)
        self._results: list[Result] = []

    def add(self, results: Iterable[Result]) -> None:
        """As `Ledger.add`, with its errors."""
        batch = list(results)
        self._ledger.add(batch)
        self._results += batch

    def standings(self) -> tuple[Standing, ...]:
        """Over all games."""
        return _ranked(self._ledger.standings(), self._fold(None))

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game."""
        return {game: _ranked(rows, self._fold(game)) for game, rows in self._ledger.by_game().items()}

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role, by TrueSkill."""
        return self._ledger.by_role()

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables together."""
        return Snapshot(run, self.standings(), self.by_game(), self.by_role(), matches)

    def _fold(self, game: str | None) -> dict[str, Any]:
        """Every player's rating after all outcomes, of one game or of all."""
        ratings: dict[str, Any] = {}
        for outcome in self._outcomes(game):
            names, ranks = outcome.by_side([e.player for e in outcome.entries])
            teams = [[ratings.setdefault(name, self._model.rating()) for name in side] for side in names]
            for side, team in zip(names, self._model.rate(teams, ranks=ranks), strict=True):
                ratings.update(zip(side, team, strict=True))
        return ratings

    def _outcomes(self, game: str | None) -> Iterator[Outcome]:
        """What rates players overall, in plan order: a pairing that is rated as one at the place of its last match."""
        groups: dict[tuple[str, str], list[Result]] = {}
        for result in distinct(self._results, self._games):
            if game in (None, result.game):
                key = result.pairing if self._games[result.game].by_pairing else result.match
                groups.setdefault((result.game, key), []).append(result)
        due = sorted((max(r.index for r in results), name, results) for (name, _), results in groups.items())
        for _, name, results in due:
            info = self._games[name]
            if info.by_pairing and len(results) < info.size:
                continue
            found = outcomes(results, info) if any(counts(r, info) for r in results) else []
            yield from (o for o in found if o.rated and not o.roles_only)


def _ranked(rows: Sequence[Standing], ratings: Mapping[str, Any]) -> tuple[Standing, ...]:
    out = []
    for row in rows:
        if (rating := ratings.get(row.player)) is not None:
            reach = Z95 * rating.sigma
            row = msgspec.structs.replace(row, rating=rating.mu, low=rating.mu - reach, high=rating.mu + reach)
        out.append(row)
    out.sort(key=lambda r: (r.games == 0, -r.rating, r.player))
    return tuple(msgspec.structs.replace(row, rank=rank) for rank, row in enumerate(out, 1))
