"""Python's garbage collector while many matches are played."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG, MIDDLE, OLD = 50_000, 20, 20
"""`gc.set_threshold`. A match makes thousands of short-lived objects and hardly any cycles: with Python's 700 the
collector took 30 to 45% of a rollout in Kuhn poker, with these at most 5%."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect rarely, and never look at what is there already: libraries, models, settings."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
