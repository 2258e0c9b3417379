"""Expected points of 100 against a reference player, in every table of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from league.ratings.fit.fit import Fit
from league.records.leaderboard import Leaderboard, Standing

NAME = "random"
"""the reference if the run has a player of this name and names no other"""
MOST = 100
"""rows of a live table with points: each takes a fifth of a millisecond"""


def reference_of(name: str, players: Sequence[str], standings: Sequence[Standing]) -> str:
    """Returns the reference of a run: `name`, else NAME, else the first of its players that has a rated match; "" if
    there is none.
    """
    active = {row.player for row in standings if row.rated and row.games}
    return next((player for player in (name, NAME, *players) if player in active), "")


def with_points(board: Leaderboard, fits: Mapping[str | None, Fit], reference: str, *, live: bool) -> Leaderboard:
    """Returns the leaderboard with points in the tables that have a fit and the reference. `fits`: game -> fit, None
    for the table over all games.
    """
    if not reference:
        return board

    def table(game: str | None, rows: tuple[Standing, ...]) -> tuple[Standing, ...]:
        fit = fits.get(game)
        if fit is None or (live and len(rows) > MOST):
            return rows
        return _table(rows, fit, reference)

    games = {game: table(game, rows) for game, rows in board.games.items()}
    return msgspec.structs.replace(board, standings=table(None, board.standings), games=games)


def _table(rows: tuple[Standing, ...], fit: Fit, reference: str) -> tuple[Standing, ...]:
    places = {player: i for i, player in enumerate(fit.players) if fit.played[i]}
    j = places.get(reference)
    if j is None:
        return rows
    out, points = [], fit.posterior.all_points(j)
    for row in rows:
        i = places.get(row.player)
        linked = i is not None and (fit.comparable is None or bool(fit.comparable[i, j]))
        if i is not None and linked and row.rated and _together(fit, row.player, reference):
            low, mean, high = points[i]
            row = msgspec.structs.replace(row, points=mean, points_low=low, points_high=high)
        out.append(row)
    return tuple(out)


def _together(fit: Fit, one: str, other: str) -> bool:
    """Returns whether matches link two players, directly or through others."""
    return fit.connected or any(one in group and other in group for group in fit.components)
