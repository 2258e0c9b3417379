"""Names of seats, and a type of parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from annotated_types import Interval

from games.game import Seat

Share = Annotated[float, Interval(ge=0, le=1)]
"""the type of a parameter from 0 to 1"""


@lru_cache(256)
def seats_of(role: str, n: int) -> tuple[Seat, ...]:
    """Returns the seats of one role: solver_0, solver_1, ..."""
    return tuple(f"{role}_{i}" for i in range(n))
