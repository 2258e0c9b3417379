"""Copies of an environment: of one position, many."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any


def copier(env: Any) -> Callable[[], Any]:
    """Returns a function that makes independent copies of an environment as it is now.

    Pickled bytes are copied three to fifteen times as fast as by `copy.deepcopy`; they never leave this process. What
    cannot be pickled, such as a lambda in the state, is copied by `copy.deepcopy`.
    """
    try:
        frozen = pickle.dumps(env, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001  an object may raise anything here, and deepcopy decides what that means
        return lambda: copy.deepcopy(env)
    return lambda: pickle.loads(frozen)


def copied(env: Any) -> Any:
    """Returns one independent copy."""
    return copier(env)()
