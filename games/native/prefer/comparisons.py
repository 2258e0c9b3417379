"""What the judges of prefer compare."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

from games.game import Seat
from games.native.common.seats import seats_of

Referee = Literal["exact", "pairs", "single"]
MOST_JUDGED = 4
"""the largest number of answers of one match that judges compare; each pair needs a judge"""


class Comparison(NamedTuple):
    """What one judge reads: an answer, or two of which it sees `first` as A and `second` as B."""

    first: Seat
    second: Seat | None


def comparisons(answerers: tuple[Seat, ...], referee: Referee, orders: int) -> dict[Seat, tuple[Comparison, ...]]:
    """Returns judge -> what it may be asked: for one order both, of which the seed draws one. Empty without judges."""
    if referee == "exact":
        return {}
    if referee == "single":
        return {f"judge_{i}": (Comparison(seat, None),) for i, seat in enumerate(answerers)}
    pairs = [(Comparison(a, b), Comparison(b, a)) for a, b in combinations(answerers, 2)]
    asked = [(each,) for pair in pairs for each in pair] if orders == 2 else pairs
    return dict(zip(seats_of("judge", len(asked)), asked, strict=True))
