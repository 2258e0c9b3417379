"""Ratings over several games: the mean of a player's skills in a fixed set of games, those of the run.

Each game has a fit of its own, and the mean has their draws: those of one game are independent of those of another,
within a game they are joint. A player without a match in a game has the skill there that the game's population says,
with all its doubt. Such a player may be as strong, or as weak, in all games that it has not played, so there its errors
are equal and not independent. The mean says nothing about other games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.fit import Fit, connected_components
from league.ratings.fit.links import Array
from league.ratings.fit.model import perfect
from league.ratings.fit.prior import Index
from league.ratings.fit.skill_draws import Scoring


def mean_over_games(games: Mapping[str, Fit], counts: Counts) -> Fit:
    """Returns the mean of the fits of each game, which have all of `counts.players`.

    `Fit.comparable` says which two players can be compared: those linked by matches of a common game. The mean of one
    game is the fit of that game.
    """
    fits = [games[game] for game in sorted(games)]
    if len(fits) == 1:
        return fits[0]
    first, share = fits[0], 1.0 / len(fits)
    played = np.logical_or.reduce([fit.played for fit in fits])
    absolute = all(fit.absolute for fit in fits)
    n, mean = len(counts.players), float(np.mean([fit.ratings[fit.played].mean() for fit in fits if fit.played.any()]))

    def centred(x: Array) -> Array:
        out: Array = x if absolute or not played.any() else x - x[played].mean(0)
        return out

    origin = 0.0 if absolute else mean
    ratings = share * sum((fit.ratings for fit in fits), np.zeros(n))
    covariance = share * share * sum((fit.covariance for fit in fits), np.zeros_like(first.covariance))
    if not first.many:
        absent = np.stack([np.where(fit.played, 0.0, fit.sd) for fit in fits])
        covariance[np.diag_indices(n)] += share * share * (absent.sum(0) ** 2 - (absent**2).sum(0))
    shifts = [np.zeros(n) if fit.prior_shift is None else fit.prior_shift for fit in fits]

    def draws(number: int) -> Array:
        number = min(number, *(fit.posterior.skills.shape[1] for fit in fits))
        ranks = np.random.default_rng(len(fits)).permuted(np.tile(np.arange(number), (n, 1)), axis=1)
        parts = (_draws(fit, k, ranks) for k, fit in enumerate(fits))
        return origin + centred(share * sum(parts, np.zeros((n, number))))

    groups = connected_components(n, counts.a, counts.b)
    return replace(
        first,
        ratings=origin + centred(ratings),
        covariance=covariance if first.many else centred(centred(covariance).T),
        played=played,
        widths={game: fit.widths["players"] for game, fit in games.items() if "players" in fit.widths},
        seats={game: effects for fit in fits for game, effects in fit.seats.items()},
        draws={game: rate for fit in fits for game, rate in fit.draws.items()},
        dispersion={game: spread for fit in fits for game, spread in fit.dispersion.items()},
        components=tuple(tuple(counts.players[i] for i in group) for group in groups),
        comparable=comparable(counts),
        prior_shift=None if first.many else centred(share * sum(shifts, np.zeros(n))),
        cuts=None,
        perfect=perfect(counts, n, played),
        scoring=Scoring(first.scoring.unit, first.scoring.link),
        absolute=absolute,
        sampler=draws,
        ready=None,
        state=None,
    )


def _draws(fit: Fit, game: int, ranks: Index) -> Array:
    """Returns the draws (n, D) in an order of their own, as those of all games start from the same numbers; those of
    players that did not play have these `ranks` (n, D) among their draws.
    """
    skills, absent = fit.posterior.skills, ~fit.played
    out: Array = skills[:, np.random.default_rng(game).permutation(skills.shape[1])]
    out[absent] = np.take_along_axis(np.sort(skills[absent], axis=1), ranks[absent], 1)
    return out


def comparable(counts: Counts) -> NDArray[np.bool_]:
    """Returns (n, n): whether two players are linked by matches of a common game, directly or through others."""
    n = len(counts.players)
    out = np.eye(n, dtype=bool)
    for game in range(len(counts.games)):
        rows = counts.game == game
        for group in connected_components(n, counts.a[rows], counts.b[rows]):
            out[np.ix_(group, group)] = True
    return out
