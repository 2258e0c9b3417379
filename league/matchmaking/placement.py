"""A matchmaker that rates newcomers first, with few matches, and leaves all other matches to another matchmaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Annotated

import numpy as np
from annotated_types import Ge

from league.matchmaking.arrays import Array, Ints
from league.matchmaking.designs import interleave
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext, of_present
from league.matchmaking.registry import make
from league.matchmaking.results_table import ResultsTable, table_of
from league.matchmaking.skill_belief import SkillBelief, fit, information
from league.outcomes import compared_seats
from league.records.matches import Result

MATCHES = 12
"""matches after which a newcomer is placed"""


class Placement(Matchmaker):
    """Rates newcomers first; all other players play the pairing `then`, and newcomers do so once they are placed.

    A player is a newcomer in a game until it has `matches` matches in it. In each round it plays half of those it
    still lacks, against placed players: first the best known of each range of ratings, then those whose results are
    expected to say most about its skill. As long as a game has fewer than two placed players, all play `then`, so a run
    begins like one without newcomers. Newcomers are also placed after the last of the run's rounds.
    """

    def __init__(self, then: str = "round-robin", matches: Annotated[int, Ge(1)] = MATCHES) -> None:
        self.then, self.matches = make(then), matches

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of newcomers, then those of the others."""
        games = context.games
        before = (r for r in log if r.round < round and r.game in games)
        played = Counter((s.player, r.game) for r in before for s in compared_seats(r, games[r.game]))
        placed = {game: self._placed(context, game, played) for game in context.games}
        first = [self._place(context, game, placed[game], played, round, log) for game in context.games if placed[game]]
        others = self._others(context, {game: names or context.entrants(game) for game, names in placed.items()})
        rest: Sequence[Pairing] | None = ()
        if others.games:
            others, results = of_present(others, log)
            rest = self.then.next(others, round, () if self.then.ahead else results)
        newcomers = tuple(interleave(first))
        if rest is None:
            return newcomers or None
        return None if not newcomers and not others.games and round >= context.rounds else (*newcomers, *rest)

    def total(self, context: PairingContext) -> int | None:
        """Unknown, because it depends on who joins."""
        self.then.total(context)  # raises for players and games that it cannot pair
        return None

    def _placed(self, context: PairingContext, game: str, played: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
        """Returns the placed players of a game; () if they are too few for newcomers to meet."""
        names = tuple(p for p in context.entrants(game) if played.get((p, game), 0) >= self.matches)
        return names if len(names) >= max(2, context.games[game].size - 1) else ()

    def _others(self, context: PairingContext, names: Mapping[str, Sequence[str]]) -> PairingContext:
        """Returns the games and players of the other pairing; a game with too few of them is left out."""
        games = {game: info for game, info in context.games.items() if len(names[game]) >= info.size}
        plays = {p: tuple(game for game in games if p in names[game]) for p in context.players}
        return replace(context, players={p: ids for p, ids in plays.items() if ids}, games=games)

    def _place(
        self,
        context: PairingContext,
        game: str,
        placed: Sequence[str],
        played: Mapping[tuple[str, str], int],
        round: int,
        log: Sequence[Result],
    ) -> list[Pairing]:
        """Returns the pairings of the newcomers of a game."""
        lacks = {p: self.matches - played.get((p, game), 0) for p in context.entrants(game) if p not in placed}
        if not lacks:
            return []
        table, size = table_of(context, game, round, log), context.games[game].size
        placed_at = np.array([table.names.index(name) for name in placed], np.int64)
        belief, out = fit(table.counts), []
        for name, missing in lacks.items():
            one, pairings = table.names.index(name), ceil(ceil(missing / size) / 2)
            groups = _spread if missing == self.matches else _informative
            for others in groups(table, belief, one, placed_at, pairings, size - 1):
                out.append(Pairing(game, (name, *(table.names[i] for i in others))))
        return out


def _spread(
    table: ResultsTable, belief: SkillBelief, one: int, placed: Ints, pairings: int, others: int
) -> list[list[int]]:
    """Returns `pairings` groups of `others` players, each from one range of ratings, the best-measured ones."""
    order = placed[np.argsort(-belief.mean[placed], kind="stable")]
    variance, groups = np.diag(belief.covariance), []
    for part in np.array_split(order, min(pairings, max(1, len(order) // others))):
        best = part[np.argsort(variance[part], kind="stable")].tolist()
        distance = np.abs(belief.mean - belief.mean[best[0]])
        near = sorted((i for i in order.tolist() if i not in best), key=lambda i: float(distance[i]))
        groups.append([*best, *near][:others])
    return groups


def _informative(
    table: ResultsTable, belief: SkillBelief, one: int, placed: Ints, pairings: int, others: int
) -> list[list[int]]:
    """Returns groups of the players whose results are expected to reduce the variance of a newcomer's skill most."""
    meetings, groups = table.meetings[one].copy(), []
    for _ in range(pairings):
        gain = _gain(belief, one) / (1.0 + meetings)
        best = placed[np.argsort(-gain[placed], kind="stable")][:others].tolist()
        for other in best:
            belief = belief.after_match(one, other, 2.0 * float(information(belief)[one, other]))
            meetings[other] += 1.0
        groups.append(best)
    return groups


def _gain(belief: SkillBelief, one: int) -> Array:
    """Returns the expected reduction of the variance of a skill by a match against each player, (n,)."""
    expected, (_, variance) = information(belief)[one], belief.gaps()
    lean = belief.covariance[one, one] - belief.covariance[one]
    gain: Array = expected * lean * lean / (1.0 + expected * variance[one])
    return gain
