"""Names what a game returns in a form that no caller can use, for an error message.

The match loop looks here after something failed, since a check of each turn would slow down each match.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real

from games.game import Observation, TextGame


def contract_error(game: TextGame) -> str:
    """Returns which of a game's values at its present position has a wrong form, and what is expected; "" if none has.

    An exception that the game raises here is no answer: the caller has a better one.
    """
    try:
        return _position_error(game)
    except Exception:  # noqa: BLE001  code of a plugin
        return ""


def returns_error(returns: object, seats: Mapping[str, str]) -> str:
    """Returns why `returns()` has not one finite number for each seat and for no other; "" if it has."""
    if not isinstance(returns, Mapping) or set(returns) != set(seats):
        what = repr(returns) if not isinstance(returns, Mapping) else f"for {', '.join(map(str, returns)) or 'nobody'}"
        return f"returns() is {what:.80}; expected a number for each of the seats {', '.join(seats)}"
    for seat, value in returns.items():
        if not isinstance(value, Real) or not math.isfinite(value):
            return f"returns()[{seat!r}] is {value!r:.40}; expected a finite number"
    return ""


def _position_error(game: TextGame) -> str:
    acting, seats = game.acting, tuple(game.spec.seats)
    if not isinstance(acting, tuple | list) or len(set(acting)) != len(acting) or not set(acting) <= set(seats):
        return f"acting is {acting!r:.60}; expected a tuple of different seats of {', '.join(seats)}"
    for seat in acting:
        legal, view = game.legal(seat), game.observe(seat)
        if legal is not None and not (isinstance(legal, tuple | list) and legal and all(map(_is_text, legal))):
            return f"legal({seat!r}) is {legal!r:.60}; expected a tuple of texts, or None for free text"
        if not isinstance(view, Observation) or not _is_text(view.text) or not _is_text(view.phase):
            return f"observe({seat!r}) is {view!r:.60}; expected an Observation of two texts: text and phase"
    return "" if acting else returns_error(game.returns(), game.spec.seats)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
