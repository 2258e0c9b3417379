"""The leaderboard of a batch fit: row order, intervals, ranges of ranks, and probabilities of being above others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from league.outcomes.sides import added
from league.outcomes.table import Outcomes
from league.ratings.fit.fit import Fit, connected_components
from league.ratings.online.tally import Tally, TallyKey
from league.records.leaderboard import Leaderboard, Standing


def refine(
    snapshot: Leaderboard,
    fit: Fit,
    games: Mapping[str, Fit] | None = None,
    roles: Mapping[str, Mapping[str, Fit]] | None = None,
    *,
    lead: bool = True,
    online: bool = True,
    prior: str = "",
    game_prior: Mapping[str, str] | None = None,
) -> Leaderboard:
    """The leaderboard with the ratings of the batch fit: `fit` for the table over all games, `games` for those per
    game, `roles` for those per game and role. Tables without a fit do not change.

    The fit orders the rows and sets rating, low and high; with `online` the previous values become `online_rating`,
    online_low and online_high. Without `lead`
    the rows keep order, rank and rating, and the fit's rating and interval are added; ranges of ranks and `above_next`,
    which refer to the fit's order, are left out. Players without a match keep None. `prior`, `game_prior`: as in
    `Leaderboard`.
    """
    tables = {
        game: refine_table(rows, games[game], lead=lead, online=online) if games and game in games else rows
        for game, rows in snapshot.games.items()
    }
    by_role = {
        game: {
            role: rows
            if (of_role := (roles or {}).get(game, {}).get(role)) is None
            # No fit: all matches in this role were of mixed teams, which compare no two players.
            else refine_table(rows, of_role, lead=lead, online=online)
            for role, rows in role_tables.items()
        }
        for game, role_tables in snapshot.roles.items()
    }
    standings = refine_table(snapshot.standings, fit, lead=lead, online=online)
    return msgspec.structs.replace(
        snapshot,
        standings=standings,
        games=tables,
        roles=by_role,
        pools=_pools(fit),
        apart=incomparable(fit),
        prior=prior,
        game_pools={game: pools for game, one in (games or {}).items() if (pools := _pools(one))},
        game_prior=dict(game_prior or {}),
    )


def _pools(fit: Fit) -> tuple[tuple[str, ...], ...]:
    return () if fit.connected else fit.components


def incomparable(fit: Fit) -> tuple[str, ...]:
    """Returns players that cannot be compared with some other player of the group that matches link them to."""
    played = np.flatnonzero(fit.played).tolist()
    return tuple(
        fit.players[i] for i, whole in zip(played, _grouped(fit, played)[1].tolist(), strict=True) if not whole
    )


def refine_table(rows: Sequence[Standing], fit: Fit, *, lead: bool = True, online: bool = True) -> tuple[Standing, ...]:
    """`refine` for one table."""
    place = {player: i for i, player in enumerate(fit.players) if fit.played[i]}
    return _by_fit(rows, fit, place, online) if lead else _add_fit(rows, fit, place)


def _add_fit(rows: Sequence[Standing], fit: Fit, place: Mapping[str, int]) -> tuple[Standing, ...]:
    """Returns rows in their own order, with the fit's rating, interval, `p_best` and `p_order`."""
    (low, high), probabilities = fit.interval(), _probabilities(fit, _playing(rows, place))
    out = []
    for row in rows:
        i = place.get(row.player)
        if i is not None:
            new = {"bt_rating": float(fit.ratings[i]), "bt_low": float(low[i]), "bt_high": float(high[i])}
            row = msgspec.structs.replace(row, **new, **_bounds(fit, i), **probabilities.get(i, {}))
        out.append(row)
    return tuple(out)


def _playing(rows: Sequence[Standing], place: Mapping[str, int]) -> list[int]:
    """Returns the places of the rows of players that are not retired."""
    return [place[row.player] for row in rows if row.player in place and not row.retired]


def _probabilities(fit: Fit, places: Sequence[int]) -> dict[int, dict[str, float | None]]:
    """`p_best` and `p_order` of each place, for rows in the order `places`. `p_best` is that of the row's group, and
    None for a row that cannot be compared with all of it; `p_order` is None unless all rows can be compared, from the
    first row on that cannot.
    """
    groups, comparable = _grouped(fit, places)
    best = np.zeros(len(places))
    for group in groups:
        best[group] = fit.posterior.p_best([places[k] for k in group])
    ordered = fit.posterior.p_order(places)
    ranked = np.logical_and.accumulate(comparable) & (len(groups) == 1)
    return {
        i: {
            "p_best": float(best[k]) if comparable[k] else None,
            "p_order": float(ordered[k]) if ranked[k] else None,
        }
        for k, i in enumerate(places)
    }


def _grouped(fit: Fit, places: Sequence[int]) -> tuple[list[list[int]], NDArray[np.bool_]]:
    """Returns the groups of `places` that matches link, as lists of positions in it, and (len(places),) whether the fit
    orders each place and all others of its group: over several games that takes matches of a common game.
    """
    if fit.comparable is None:
        number = {player: k for k, players in enumerate(fit.components) for player in players}
        parts: dict[int, list[int]] = {}
        for position, i in enumerate(places):
            parts.setdefault(number.get(fit.players[i], -1), []).append(position)
        return [parts[k] for k in sorted(parts)], np.ones(len(places), bool)
    linked, comparable = fit.comparable[np.ix_(places, places)], np.ones(len(places), bool)
    groups = connected_components(len(places), *np.nonzero(linked))
    for group in groups:
        comparable[group] = linked[np.ix_(group, group)].all(1)
    return groups, comparable


def _bounds(fit: Fit, place: int) -> dict[str, Any]:
    """`one_sided` of a player."""
    if fit.posterior.unbeaten[place]:
        return {"one_sided": "low"}
    return {"one_sided": "high"} if fit.posterior.winless[place] else {}


def _by_fit(rows: Sequence[Standing], fit: Fit, place: Mapping[str, int], online: bool) -> tuple[Standing, ...]:
    """Returns rows in the fit's order, one group of players that met after the other. Rank, range and `above_next` are
    those in the group; they use this order and the same draws, so they never disagree.

    A fit that compares no two players, as after matches of mixed teams alone, leaves the rows as they are.
    """
    if not place:
        return tuple(rows)
    order = {fit.players[i]: number for number, i in enumerate(fit.order())}
    playing = sorted((row for row in rows if row.player in place), key=lambda row: order[row.player])
    places = [place[row.player] for row in playing]
    (low, high), probabilities, out = fit.interval(), _probabilities(fit, _playing(playing, place)), list[Standing]()
    groups, comparable = _grouped(fit, places)
    for group in groups:
        at = [places[k] for k in group]
        ranges = fit.posterior.rank_ranges(at)
        above = [*fit.posterior.above_next(at, ranges), None]
        for number, (k, i) in enumerate(zip(group, at, strict=True)):
            row, ranked = playing[k], bool(comparable[k])
            last = number + 1 == len(at) or not (fit.comparable is None or fit.comparable[i, at[number + 1]])
            best, worst = ranges[number]
            new = {
                "rank": number + 1 if ranked else None,
                "rating": float(fit.ratings[i]),
                "low": float(low[i]),
                "high": float(high[i]),
                "rank_low": best if ranked else None,
                "rank_high": worst if ranked else None,
                "above_next": None if last else above[number],
            }
            if online:
                new |= {"online_rating": row.rating, "online_low": row.low, "online_high": row.high}
            new |= _bounds(fit, i)
            new |= {"bt_rating": new["rating"], "bt_low": new["low"], "bt_high": new["high"]}
            out.append(msgspec.structs.replace(row, **new, **probabilities.get(i, {})))
    return (*out, *(msgspec.structs.replace(row, rank=None) for row in rows if row.player not in place))


class VoidLedger:
    """Adds the void matches of a table of outcomes to the rows of a leaderboard, whichever method rates them."""

    def __init__(self, rows: Outcomes) -> None:
        self._voids: Counter[TallyKey] = Counter()
        self._costs: defaultdict[TallyKey, Tally] = defaultdict(Tally)
        """by game, role and player; "" for all games or all roles"""
        for match, times in rows.void:
            for seat in match.seats:
                for of in ((match.game, seat.role), (match.game, ""), ("", "")):
                    key = (*of, seat.player)
                    self._voids[key] += times * bool(seat.void_phase)
                    self._costs[key].spend(seat, times)

    def entered(self, board: Leaderboard) -> Leaderboard:
        """Returns the leaderboard with the void matches in its rows. A player without a row gets none."""
        if not self._costs:
            return board
        return msgspec.structs.replace(
            board,
            standings=self._rows(board.standings),
            games={game: self._rows(rows, game) for game, rows in board.games.items()},
            roles={
                game: {role: self._rows(rows, game, role) for role, rows in roles.items()}
                for game, roles in board.roles.items()
            },
        )

    def _rows(self, rows: Sequence[Standing], game: str = "", role: str = "") -> tuple[Standing, ...]:
        return tuple(self._row(row, (game, role, row.player)) for row in rows)

    def _row(self, row: Standing, key: TallyKey) -> Standing:
        cost = self._costs.get(key)
        if cost is None:
            return row
        return msgspec.structs.replace(
            row,
            voids=self._voids[key],
            turns=row.turns + cost.turns,
            tokens=row.tokens + cost.tokens,
            prompt_tokens=row.prompt_tokens + cost.prompt_tokens,
            faults=dict(sorted(added((row.faults, cost.faults)).items())),
        )
