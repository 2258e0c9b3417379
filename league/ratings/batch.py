"""The batch fit on the leaderboard: the order of its rows, intervals, ranges of ranks, and who is above whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import numpy as np

from games import UnknownName
from league.config import RatingConfig
from league.ratings._link import LINKS, Link
from league.ratings.bradley_terry import BradleyTerry
from league.ratings.counts import Counts, CountTable
from league.ratings.fitted import Fit
from league.ratings.games import fit_games
from league.ratings.ledger import Ledger
from league.ratings.sides import GameInfo
from league.ratings.skill_model import SkillModel
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
    lead: bool = True,
    prior: str = "",
) -> Snapshot:
    """The snapshot by the batch fit: `fit` for the table over all games, `games` for those per game, `roles` for those
    per game and role. Tables without a fit stay as they are.

    Rows are ordered by the fit, and rating, low and high are its own; what they were is kept as `online_rating`.
    Without `lead` the rows keep order, rank and rating, and get the fit's rating and interval beside them; ranges of
    ranks and `above_next`, which speak of the fit's order, are left out. Players without a match keep None.
    `prior`: as in `Snapshot`.
    """
    tables = {
        game: refine_table(rows, games[game], lead=lead) if games and game in games else rows
        for game, rows in snapshot.games.items()
    }
    by_role = {
        game: {role: _refine_role(rows, (roles or {}).get(game, {}).get(role), lead) for role, rows in found.items()}
        for game, found in snapshot.roles.items()
    }
    standings = refine_table(snapshot.standings, fit, lead=lead)
    pools = () if fit.connected else fit.pools
    return msgspec.structs.replace(
        snapshot, standings=standings, games=tables, roles=by_role, pools=pools, apart=incomparable(fit), prior=prior
    )


def _refine_role(rows: tuple[Standing, ...], fit: Fit | None, lead: bool) -> tuple[Standing, ...]:
    """None: all that was played in this role were matches of mixed teams, of which no comparison of players comes."""
    return rows if fit is None else refine_table(rows, fit, lead=lead)


def incomparable(fit: Fit) -> tuple[str, ...]:
    """Players that played and cannot be compared with some other one that did."""
    if fit.comparable is None:
        return ()
    played = np.flatnonzero(fit.played)
    return tuple(fit.players[i] for i in played.tolist() if not fit.comparable[i, played].all())


def refine_table(rows: Sequence[Standing], fit: Fit, *, lead: bool = True) -> tuple[Standing, ...]:
    """`refine` for one table."""
    place = {player: i for i, player in enumerate(fit.players) if fit.played[i]}
    return _led(rows, fit, place) if lead else _beside(rows, fit, place)


def _beside(rows: Sequence[Standing], fit: Fit, place: Mapping[str, int]) -> tuple[Standing, ...]:
    """Rows in their own order with the fit's rating and interval, and how sure it is of the best and of this order."""
    here = [place[row.player] for row in rows if row.player in place]
    (low, high), certain = fit.interval(), _certain(fit, here)
    out = []
    for row in rows:
        i = place.get(row.player)
        if i is not None:
            new = {"bt_rating": float(fit.ratings[i]), "bt_low": float(low[i]), "bt_high": float(high[i])}
            row = msgspec.structs.replace(row, **new, **certain[i])
        out.append(row)
    return tuple(out)


def _certain(fit: Fit, here: Sequence[int]) -> dict[int, dict[str, float | None]]:
    """`p_best` and `p_order` of each place, of rows in the order `here`; None from the first row on that cannot be
    compared with all others.
    """
    best, ordered = fit.p_best(among=sorted(here)), fit.p_order(here)
    told = np.array([fit.comparable is None or bool(fit.comparable[i, here].all()) for i in here], bool)
    known = np.logical_and.accumulate(told) if len(told) else told
    return {
        i: {"p_best": float(best[i]) if told[k] else None, "p_order": float(ordered[k]) if known[k] else None}
        for k, i in enumerate(here)
    }


def _led(rows: Sequence[Standing], fit: Fit, place: Mapping[str, int]) -> tuple[Standing, ...]:
    """Rows in the fit's order. One order serves rank, range and `above_next`, so they never contradict each other."""
    order = {fit.players[i]: number for number, i in enumerate(fit.order())}
    rows = sorted(rows, key=lambda r: (r.player not in place, order.get(r.player, 0)))
    here = [place[row.player] for row in rows if row.player in place]
    ranges, above, (low, high) = fit.rank_ranges(among=sorted(here)), fit.above(), fit.interval()
    certain = _certain(fit, here)
    out = []
    for number, row in enumerate(rows):
        i, rank = place.get(row.player), number + 1
        if i is None:
            out.append(msgspec.structs.replace(row, rank=rank))
            continue
        after = here[rank] if rank < len(here) else None
        told = fit.comparable is None or bool(fit.comparable[i, here].all())
        next_told = after is not None and (fit.comparable is None or bool(fit.comparable[i, after]))
        best, worst = ranges[i]
        new = {
            "rank": rank if told else None,
            "rating": float(fit.ratings[i]),
            "low": float(low[i]),
            "high": float(high[i]),
            "rank_low": best if told else None,
            "rank_high": worst if told else None,
            "above_next": float(above[i, after]) if next_told else None,
            "online_rating": row.rating,
            "online_low": row.low,
            "online_high": row.high,
        }
        new |= {"bt_rating": new["rating"], "bt_low": new["low"], "bt_high": new["high"]}
        out.append(msgspec.structs.replace(row, **new, **certain[i]))
    return tuple(out)


class Batch:
    """The rating method `bradley-terry`: counts by the ledger, ratings by a batch fit of all results so far.

    The same keywords as `Ledger`, and `link`, as in `SkillModel`. Lineage and anchors are those of `config`;
    `lineage` adds parents by the names of all players, such as a training's snapshots have. Ratings of a game come from
    its matches alone. The tables depend on the set of results alone: every fit starts from nothing.
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
        self.model: SkillModel = BradleyTerry(
            mu=config.mu, beta=config.beta, link=_link(link), intervals=config.intervals
        )
        self.ledger = Ledger(games, config, players)
        self._counts = CountTable(games, players)
        self.lineage = lineage
        self._fits: tuple[Fit, dict[str, Fit]] | None = None

    def add(self, results: Iterable[Result]) -> None:
        """As `Ledger.add`, with its errors."""
        batch = list(results)
        self.ledger.add(batch)
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
            overall = fit_games(self.model, counts, lineage, anchors)
            single = {g: self.model.fit(counts.only(g), lineage, anchors) for g in counts.games}
            self._fits = overall, single
        return self._fits

    def standings(self) -> tuple[Standing, ...]:
        """Over all games."""
        return refine_table(self.ledger.standings(), self.fits()[0])

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game."""
        fits = self.fits()[1]
        return {game: refine_table(rows, fits[game]) for game, rows in self.ledger.by_game().items()}

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role, by TrueSkill."""
        return self.ledger.by_role()

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables together."""
        return Snapshot(run, self.standings(), self.by_game(), self.by_role(), matches)


def _link(name: str) -> Link:
    for link in LINKS:
        if name == link:
            return link
    raise UnknownName("link", name, LINKS)
