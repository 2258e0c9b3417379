"""Detects code that uses a global random generator, which would make other code in the process depend on it."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


@contextmanager
def global_generators(used: set[str]) -> Iterator[None]:
    """Add the names of the global generators that the block uses to `used`, and restore their states."""
    watched = _watched()
    before = {name: get() for name, (get, _) in watched.items()}
    try:
        yield
    finally:
        for name, (get, put) in watched.items():
            if pickle.dumps(get()) != pickle.dumps(before[name]):
                used.add(name)
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
