"""Fits in one thread: their matrices have as many rows as there are players.

OpenBLAS's threads wait for each other in a loop: on two busy cores the tables of 32 players took 3.0 instead of 0.2 CPU
seconds. With another number of threads a sum may also end in another bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")


def one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """Returns a function during which numpy and scipy compute in one thread; torch's threads stay as they are."""

    @functools.wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> T:
        with _libraries().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone


@functools.cache
def _libraries() -> ThreadpoolController:
    """Returns the loaded libraries; scipy has one of its own. To look for them takes 20 ms, a limit 15 us."""
    import scipy.linalg  # noqa: F401  a library counts only once it is loaded; numpy's is

    return ThreadpoolController()
