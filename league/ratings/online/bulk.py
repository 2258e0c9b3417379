"""The counts of every player in every role of a whole log's plain matches: those of `Tally.count`, match by match."""

from __future__ import annotations

import numpy as np

from league.ratings.online.tally import Tally
from league.ratings.outcomes.outcome import pair_ranks
from league.ratings.outcomes.plain import Ints, PlainMatches

_Key = tuple[str, str, str]
"""game, role, player"""


def tallies(plain: PlainMatches) -> dict[_Key, Tally]:
    """Returns the tallies of a log, bit for bit: `bincount` adds in the order of the log, as single additions do."""
    kinds, times, of_match = _kinds(plain)
    keys: dict[_Key, int] = {}
    made: list[Tally] = []
    place, score = np.zeros((len(kinds), 2), np.int64), np.zeros((len(kinds), 2))
    for number, (game, seats, drawn) in enumerate(kinds):
        ranks = pair_ranks(*plain.seats[seats], drawn=drawn)
        for side, seat in enumerate(plain.seats[seats]):
            key = plain.games[game], seat.role, seat.player
            at = place[number, side] = keys.setdefault(key, len(keys))
            if at == len(made):
                made.append(Tally())
            made[at].count(seat, ranks[side], ranks[0] == ranks[1], times[number])
            score[number, side] = seat.score
    places, scores = place[of_match].reshape(-1), score[of_match].reshape(-1)
    totals = np.bincount(places, scores, len(made)), np.bincount(places, scores * scores, len(made))
    distinct = np.bincount(places, np.repeat(plain.fresh, 2), len(made))
    for tally, *sums, evidence in zip(made, *(column.tolist() for column in (*totals, distinct)), strict=True):
        tally.score, tally.squares = sums
        tally.distinct = int(evidence)
    return dict(zip(keys, made, strict=True))


def _kinds(plain: PlainMatches) -> tuple[list[tuple[int, int, bool]], list[int], Ints]:
    """Returns the different (game, seats, drawn), the count of each, and the index of each match among them."""
    code = (plain.game * max(1, len(plain.seats)) + plain.kind) * 2 + plain.drawn
    distinct, of_match, times = np.unique(code, return_inverse=True, return_counts=True)
    each = ((*divmod(one // 2, max(1, len(plain.seats))), bool(one % 2)) for one in distinct.tolist())
    return list(each), times.tolist(), of_match.reshape(-1)
