"""From matches to the counts that the fit reads, and what each player won, drew and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from league.imports.matches import ImportedMatch
from league.outcomes.arrays import distinct
from league.ratings.comparisons import Counts, Units
from league.ratings.comparisons.count_arrays import Ints
from league.records.leaderboard import Standing


@dataclass(frozen=True)
class ComparedPlayers:
    """The comparisons of matches of single players, pair by pair, in the order of the matches."""

    counts: Counts
    game: Ints
    """(M,) the game of each comparison, as a place in `counts.games`"""
    cell: Ints
    """(M,) its cell in `counts`"""
    outcome: Ints
    """(M,) its result: 0 win, 1 draw, 2 loss of the first player of the cell"""
    tasks: dict[str, int]
    """game -> number of tasks"""

    def sequence(self, game: str) -> Ints:
        """Returns (2, M): cell in `counts.only(game)` and outcome of every comparison of a game."""
        place = self.counts.games.index(game)
        number = np.cumsum(self.counts.game == place) - 1
        here = self.game == place
        return np.stack([number[self.cell[here]], self.outcome[here]])


def compared(matches: Sequence[ImportedMatch]) -> ComparedPlayers:
    """Returns the comparisons of matches without teams of several players.

    A match of n > 2 players is broken into its pairs, see `league.ratings.comparisons`. Comparisons of a task, or of a
    match of more than two, belong together.
    """
    players = {name: k for k, name in enumerate(sorted({p for m in matches for side in m.sides for p in side}))}
    games = {name: k for k, name in enumerate(sorted({match.game for match in matches}))}
    tasks = {of: k for k, of in enumerate(sorted({(m.game, m.task) for m in matches if m.task}))}
    rows: list[tuple[int, ...]] = []
    for number, match in enumerate(matches):
        size, game = len(match.sides), games[match.game]
        together = tasks[match.game, match.task] if match.task else len(tasks) + number if size > 2 else -1
        seats = [(players[side[0]], rank) for side, rank in zip(match.sides, match.ranks, strict=True)]
        for (a, above), (b, below) in combinations(seats, 2):
            outcome = 1 + (above > below) - (above < below)
            if not match.seated and a > b:
                a, b, outcome = b, a, 2 - outcome
            rows.append((game, a, b, match.seated, size, outcome, together))
    table = np.array(rows, np.int64).T
    one, cell = distinct(list(table[:5]))
    cells, outcomes, zero = table[:5, one], table[5], np.zeros(len(one), np.int64)
    n = np.bincount(3 * cell + outcomes, minlength=3 * cells.shape[1]).reshape(-1, 3).T
    columns = np.stack([*cells[:3], zero, cells[3], zero, zero, cells[4]])
    units = _units(table[6], cell, outcomes, table[0])
    counts = Counts(tuple(players), tuple(games), ("player",), columns, n, units)
    return ComparedPlayers(counts, table[0], cell, outcomes, _numbers(tasks))


def _units(together: Ints, cell: Ints, outcome: Ints, game: Ints) -> Units:
    """Returns the sets of comparisons with the same number in `together`, each as one that happened once."""
    rows = np.flatnonzero(together >= 0)
    rows = rows[np.lexsort((outcome[rows], cell[rows], together[rows]))]
    _, first, unit, size = np.unique(together[rows], return_index=True, return_inverse=True, return_counts=True)
    if not len(first):
        return Units.none()
    kept = size > 1
    parts = rows[kept[unit]]
    number = (np.cumsum(kept) - 1)[unit[kept[unit]]]
    games = game[rows[first[kept]]]
    return Units(number, cell[parts], outcome[parts], np.ones(len(games), np.int64), games)


def _numbers(tasks: dict[tuple[str, str], int]) -> dict[str, int]:
    out: dict[str, int] = {}
    for game, _ in tasks:
        out[game] = out.get(game, 0) + 1
    return out


def standings(matches: Sequence[ImportedMatch]) -> tuple[Standing, ...]:
    """Returns a row for each player with its matches, in the order of the names, before any rating. First place alone
    wins, first place shared draws, anything else loses; a team's result is that of each of its players.
    """
    tally: dict[str, list[int]] = {}
    for match in matches:
        alone = match.ranks.count(0) == 1
        for side, rank in zip(match.sides, match.ranks, strict=True):
            place = 3 if rank else 1 if alone else 2
            for player in side:
                row = tally.setdefault(player, [0, 0, 0, 0])
                row[0] += 1
                row[place] += 1
    rows = []
    for player, (games, wins, draws, losses) in sorted(tally.items()):
        rows.append(Standing(player, None, 25.0, 25.0, 25.0, games, wins, draws, losses, forfeits=0, score=None))
    return tuple(rows)
