"""The batch fit on the leaderboard: intervals that hold, ranges of ranks, and who is above whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from games import UnknownName
from league.config import RatingConfig
from league.ratings._link import LINKS, Link
from league.ratings.bradley_terry import BradleyTerry
from league.ratings.counts import Counts, CountTable
from league.ratings.fitted import Fit
from league.ratings.ledger import Ledger
from league.ratings.sides import GameInfo
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing

Lineage = Callable[[Sequence[str]], Mapping[str, str]]
"""the names of all players -> checkpoint -> the one it was trained from"""


def refine(
    snapshot: Snapshot,
    fit: Fit,
    games: Mapping[str, Fit] | None = None,
    roles: Mapping[str, Mapping[str, Fit]] | None = None,
    *,
    lead: bool = False,
) -> Snapshot:
    """The snapshot with the batch fit's columns: `fit` for the table over all games, `games` for those per game,
    `roles` for those per game and role.

    The rows keep their order, rank and rating; `above_next` compares neighbours as they stand there. With `lead` the
    batch fit decides: rating, low and high are its own, and rows are ranked by it. Players without a match keep None.
    """
    tables = {
        game: refine_table(rows, games[game], lead=lead) if games and game in games else rows
        for game, rows in snapshot.games.items()
    }
    by_role = {
        game: {role: _refine_role(rows, (roles or {}).get(game, {}).get(role)) for role, rows in found.items()}
        for game, found in snapshot.roles.items()
    }
    standings = refine_table(snapshot.standings, fit, lead=lead)
    pools = () if fit.connected else fit.pools
    return msgspec.structs.replace(snapshot, standings=standings, games=tables, roles=by_role, pools=pools)


def _refine_role(rows: tuple[Standing, ...], fit: Fit | None) -> tuple[Standing, ...]:
    """None: all that was played in this role were matches of mixed teams, of which no comparison of players comes."""
    return rows if fit is None else refine_table(rows, fit)


def refine_table(rows: Sequence[Standing], fit: Fit, *, lead: bool = False) -> tuple[Standing, ...]:
    """`refine` for one table."""
    place = {player: i for i, player in enumerate(fit.players) if fit.played[i]}
    if lead:
        rows = sorted(rows, key=lambda r: (r.player not in place, -fit.ratings[place.get(r.player, 0)], r.player))
    low, high = fit.interval()
    ranges = fit.rank_ranges(among=sorted(place[r.player] for r in rows if r.player in place))
    above = fit.above()
    out = []
    for number, row in enumerate(rows):
        i = place.get(row.player)
        if i is not None:
            after = place.get(rows[number + 1].player) if number + 1 < len(rows) else None
            new = {
                "bt_rating": float(fit.ratings[i]),
                "bt_low": float(low[i]),
                "bt_high": float(high[i]),
                "rank_low": ranges[i][0],
                "rank_high": ranges[i][1],
                "above_next": None if after is None else float(above[i, after]),
            }
            if lead:
                new |= {"rating": new["bt_rating"], "low": new["bt_low"], "high": new["bt_high"]}
            row = msgspec.structs.replace(row, **new)
        out.append(msgspec.structs.replace(row, rank=number + 1) if lead else row)
    return tuple(out)


class Batch:
    """The rating method `bradley-terry`: counts by the ledger, ratings by a batch fit of all results so far.

    The same keywords as `Ledger`, and `link`, as in `BradleyTerry`. Lineage and anchors are those of `config`;
    `lineage` adds parents by the names of all players, such as a training's snapshots have. Overall ratings come from
    one fit over all games, each with its own seat term and draw margin, each comparison counting alike; those of a game
    from its matches alone. Role tables stay those of TrueSkill.
    The tables depend on the set of results alone: every fit starts from nothing.
    """

    def __init__(
        self,
        games: Mapping[str, GameInfo],
        config: RatingConfig | None = None,
        players: Sequence[str] = (),
        link: str = "logit",
        lineage: Lineage = lambda players: {},
    ) -> None:
        self._config = config = config or RatingConfig()
        self.method = BradleyTerry(mu=config.mu, beta=config.beta, link=_link(link))
        self._ledger = Ledger(games, config, players)
        self._counts = CountTable(games, players)
        self.lineage = lineage
        self._fits: tuple[Fit, dict[str, Fit]] | None = None

    def add(self, results: Iterable[Result]) -> None:
        """As `Ledger.add`, with its errors."""
        batch = list(results)
        self._ledger.add(batch)
        self._counts.add(batch)
        self._fits = None

    def counts(self) -> Counts:
        """The count table."""
        return self._counts.counts()

    def fits(self) -> tuple[Fit, dict[str, Fit]]:
        """Over all games, and per game; made again only where a result was added since."""
        if self._fits is None:
            counts = self.counts()
            lineage, anchors = {**self.lineage(counts.players), **self._config.lineage}, self._config.anchors
            overall = self.method.fit(counts, lineage, anchors)
            single = {g: self.method.fit(counts.only(g), lineage, anchors) for g in counts.games}
            self._fits = overall, single
        return self._fits

    def standings(self) -> tuple[Standing, ...]:
        """Over all games."""
        return refine_table(self._ledger.standings(), self.fits()[0], lead=True)

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game."""
        fits = self.fits()[1]
        return {game: refine_table(rows, fits[game], lead=True) for game, rows in self._ledger.by_game().items()}

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role, by TrueSkill."""
        return self._ledger.by_role()

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables together."""
        return Snapshot(run, self.standings(), self.by_game(), self.by_role(), matches)


def _link(name: str) -> Link:
    for link in LINKS:
        if name == link:
            return link
    raise UnknownName("link", name, LINKS)
