"""Loads generated games into OpenSpiel."""

from __future__ import annotations

import hashlib
from typing import Any

from games.cache import cache_dir
from games.errors import InputError
from games.exact.stages import Plan, efg
from games.files import write_whole

_LEAST = 0.5
"""what the best response of each player gains over play at random, at least"""


def load(plan: Plan) -> Any:
    """Returns the `pyspiel.Game` of a plan. Raises InputError if the cache folder cannot be written.

    It is loaded from a file named by its content: OpenSpiel calls all games that are loaded from a text `efg_game()`,
    and a solver that keeps solutions by name would take one for another.
    """
    import pyspiel

    text = efg(plan)
    path = cache_dir() / "generated" / f"{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}.efg"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)  # always: a file of that name could be damaged
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot write {path}: {reason}; set ARENA_CACHE to another folder") from None
    return pyspiel.load_game("efg_game", {"filename": str(path)})


def worth_playing(tree: Any) -> bool:
    """Returns whether both players gain by a best response to play at random."""
    import pyspiel

    uniform = pyspiel.UniformRandomPolicy(tree)
    root = tree.new_initial_state()
    values = _values(root)
    best = [pyspiel.TabularBestResponse(tree, i, uniform).value("") for i in range(tree.num_players())]
    return all(b - v >= _LEAST for b, v in zip(best, values, strict=True))


def _values(state: Any) -> list[float]:
    """Returns the expected returns of play at random."""
    if state.is_terminal():
        return list(state.returns())
    steps = state.chance_outcomes() if state.is_chance_node() else [(a, None) for a in state.legal_actions()]
    after = [(1 / len(steps) if p is None else p, _values(state.child(a))) for a, p in steps]
    return [sum(p * values[i] for p, values in after) for i in range(state.num_players())]
