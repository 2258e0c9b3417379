"""A count table from a whole log: the same counts as match by match, many times faster.

Plain matches are counted by sorting arrays. The others go through `CountTable.add`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from league.ratings.comparisons.count_arrays import Ints
from league.ratings.comparisons.from_outcomes import DRAW, Cell
from league.ratings.comparisons.table import CountTable
from league.ratings.outcomes.outcome import pair_ranks
from league.ratings.outcomes.plain import MatchLog, PlainMatches
from league.records.game_info import GameInfo


def bulk_table(log: MatchLog, games: Mapping[str, GameInfo], players: Sequence[str] = ()) -> CountTable:
    """Returns the table of a log. Nothing can be added to it afterwards."""
    table = CountTable(games, players)
    table.add(log.others)
    for name in sorted(log.listed):
        table.list_player(name)
    plain = log.plain
    for place, name in enumerate(plain.games):
        rows = plain.game == place
        table.note(name, int(rows.sum()), int((rows & ~plain.fresh).sum()))
    plain = plain._replace(**{name: getattr(plain, name)[plain.fresh] for name in ("game", "pairing", "kind", "drawn")})
    cell, outcome = _cells(table, plain)
    _fill(table, plain, 3 * cell + outcome)
    return table


def _cells(table: CountTable, plain: PlainMatches) -> tuple[Ints, Ints]:
    """Returns (M,) cells of the table, and outcomes as the first seat sees them."""
    whos: dict[tuple[str, str, str, str], int] = {}
    who, result = np.zeros(len(plain.seats), np.int64), np.zeros(len(plain.seats), np.int64)
    for kind, seats in enumerate(plain.seats):
        if len(seats) == 2:
            a, b = seats
            who[kind] = whos.setdefault((a.player, b.player, a.role, b.role), len(whos))
            rank, other_rank = pair_ranks(a, b, drawn=False)
            result[kind] = DRAW + rank - other_rank  # WIN, DRAW, LOSS are 0, 1, 2
    pairs, inverse = np.unique(plain.game * max(1, len(whos)) + who[plain.kind], return_inverse=True)
    listed = list(whos)
    cell = np.empty(len(pairs), np.int64)
    for i, code in enumerate(pairs.tolist()):
        game, at = divmod(code, max(1, len(whos)))
        first, second, role, other = listed[at]
        cell[i] = table.cell(Cell(plain.games[game], first, second, 0, 1, role, other, 2))
    return cell[inverse.reshape(-1)], np.where(plain.drawn, DRAW, result[plain.kind])


def _fill(table: CountTable, plain: PlainMatches, code: Ints) -> None:
    """Add comparisons (M,), each 3 cell + outcome, and the set of each pairing's comparisons."""
    distinct, times = np.unique(code, return_counts=True)
    for one, count in zip(distinct.tolist(), times.tolist(), strict=True):
        table.count_cell(one // 3, one % 3, count)
    order = np.lexsort((code, plain.pairing, plain.game))
    pairing, code, game = plain.pairing[order], code[order], plain.game[order]
    second = np.flatnonzero((pairing[1:] == pairing[:-1]) & (game[1:] == game[:-1])) + 1
    size = int(code.max(initial=0)) + 1
    distinct, times = np.unique((game[second] * size + code[second - 1]) * size + code[second], return_counts=True)
    for one, count in zip(distinct.tolist(), times.tolist(), strict=True):
        rest, last = divmod(one, size)
        number, first = divmod(rest, size)
        table.count_unit(plain.games[number], (divmod(first, 3), divmod(last, 3)), count)
