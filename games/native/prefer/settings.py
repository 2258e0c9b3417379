"""The parameters of prefer, and what does not go together."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

from games.errors import InputError
from games.game import Seat
from games.native.common.stages import seats_of

Referee = Literal["exact", "pairs", "single"]
MOST_JUDGED = 4
"""the largest number of answers of one match that judges compare; each pair needs a judge"""


class Comparison(NamedTuple):
    """What one judge reads: an answer, or two of which it sees `first` as A and `second` as B."""

    first: Seat
    second: Seat | None


def comparisons(answerers: tuple[Seat, ...], referee: Referee, orders: int) -> dict[Seat, tuple[Comparison, ...]]:
    """Judge -> what it may be asked: for one order both, of which the seed draws one. Empty without judges."""
    if referee == "exact":
        return {}
    if referee == "single":
        return {f"judge_{i}": (Comparison(seat, None),) for i, seat in enumerate(answerers)}
    pairs = [(Comparison(a, b), Comparison(b, a)) for a, b in combinations(answerers, 2)]
    asked = [(each,) for pair in pairs for each in pair] if orders == 2 else pairs
    return dict(zip(seats_of("judge", len(asked)), asked, strict=True))


def check(answers: int, table: str, referee: Referee, tasks: str, orders: int) -> None:
    """Raise InputError for parameters that do not go together."""
    if table and (referee != "exact" or tasks):
        raise InputError(f"prefer: table={table} is the referee and has no tasks; leave out referee and tasks")
    if referee != "exact" and answers > MOST_JUDGED:
        raise InputError(f"prefer: judges compare at most {MOST_JUDGED} answers, not {answers}; set answers to 4")
    if orders == 2 and referee != "pairs":
        raise InputError("prefer: orders=2 asks for both orders of a pair; set referee=pairs")
