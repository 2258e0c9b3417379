"""Settings of Python's garbage collector while many matches are played."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG, MIDDLE, OLD = 50_000, 20, 20
"""Arguments of `gc.set_threshold`. A match creates thousands of short-lived objects and hardly any cycles. With the
default 700 the collector takes 30 to 45% of a rollout in Kuhn poker, with these values at most 5%."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect rarely, and exclude the objects that exist now: libraries, models, settings.

    A program that starts many runs may call `gc.freeze()` itself. Its objects then stay excluded after a run too, and a
    run begins without a full collection, which takes about a second beside torch and transformers.
    """
    before = gc.get_threshold()
    ours = gc.get_freeze_count() == 0
    if ours:
        gc.collect()
        gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if ours:
            gc.unfreeze()
