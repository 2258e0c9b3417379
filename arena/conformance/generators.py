"""Whether code draws from a global random generator, on which everything else in the process would then depend."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


@contextmanager
def global_generators(found: set[str]) -> Iterator[None]:
    """Adds the global generators that are drawn from inside, by name, and puts them back as they were."""
    watched = _watched()
    before = {name: get() for name, (get, _) in watched.items()}
    try:
        yield
    finally:
        for name, (get, put) in watched.items():
            if pickle.dumps(get()) != pickle.dumps(before[name]):
                found.add(name)
                put(before[name])


def _watched() -> dict[str, tuple[Callable[[], Any], Callable[[Any], object]]]:
    watched: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
        "random": (random.getstate, random.setstate),
        "numpy.random": (np.random.get_state, np.random.set_state),
    }
    if (torch := sys.modules.get("torch")) is not None:
        watched["torch"] = (
            lambda: torch.get_rng_state().numpy().copy(),
            lambda s: torch.set_rng_state(torch.tensor(s)),
        )
    return watched


__all__ = ["global_generators"]
