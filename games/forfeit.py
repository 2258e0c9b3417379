"""The returns of a match that ends early; they keep the sum of the game, and pay less than any play."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping

from games.errors import InputError
from games.game import GameSpec, Seat, TextGame
from games.randomness import RandomStream
from games.returns_range import remedy

TOLERANCE = 1e-6
"""of a return that is computed in floating-point numbers"""
_SEEDS, _SECONDS = 8, 3.0
"""matches of random play, and seconds for them, that look for returns below that of a forfeit"""


def lowest(spec: GameSpec) -> float:
    """Returns what a forfeit pays: the lowest return of the range, or an even share minus 1 without a range."""
    return spec.returns_range[0] if spec.returns_range else spec.payoff_sum / len(spec.seats) - 1.0


def forfeit_returns(spec: GameSpec, offender: Seat) -> dict[Seat, float]:
    """Returns the returns if `offender` forfeits: the lowest return for its team; the others share the rest of the sum.

    In a general-sum game the others get 0, in a cooperative game every seat gets the lowest return.
    """
    n, worst = len(spec.seats), lowest(spec)
    if spec.payoff == "cooperative":
        return dict.fromkeys(spec.seats, worst)
    lost = next((team for team in spec.teams if offender in team), (offender,))
    rest = spec.payoff_sum - worst * len(lost)
    other = 0.0 if spec.payoff == "general_sum" else rest / max(n - len(lost), 1)
    return {seat: worst if seat in lost else other for seat in spec.seats}


def truncated_returns(spec: GameSpec, returns: dict[Seat, float]) -> dict[Seat, float]:
    """Returns the returns of a match cut off at `max_turns`: an even share of a fixed sum, else those so far."""
    if spec.payoff in ("zero_sum", "constant_sum"):
        return dict.fromkeys(spec.seats, spec.payoff_sum / len(spec.seats))
    return returns


def paid_forfeit(spec: GameSpec, returns: Collection[float], matches: str = "the match") -> str:
    """Returns why nobody may be rated by the returns of matches, and what to write; "" if a forfeit pays no more."""
    low = lowest(spec)
    if min(returns, default=low) >= low - TOLERANCE:
        return ""
    return (
        f"{matches} pays {min(returns):.3g} to {max(returns):.3g} and a forfeit {low:.3g}, so forfeiting beats "
        f"playing; {remedy(spec, returns)}"
    )


def check_forfeits(game: TextGame) -> None:
    """Raises InputError if a forfeit pays more than random play, as where another library tells no range of returns.

    This resets the game. A blocking game is not played: each of its matches may cost a request.
    """
    if game.spec.returns_range is not None or game.blocking:
        return
    until, returns = time.monotonic() + _SECONDS, list[float]()
    for seed in range(_SEEDS):
        returns += _random_returns(game, seed, until).values()
        if time.monotonic() > until:
            break
    if problem := paid_forfeit(game.spec, returns, "random play"):
        raise InputError(f"{game.spec.id}: {problem}")


def _random_returns(game: TextGame, seed: int, until: float) -> Mapping[Seat, float]:
    """Returns the returns of a match of random actions; {} if it did not end in time or the game failed."""
    stream = RandomStream(seed)
    try:
        game.load_task("")
        game.reset(seed)
        for _ in range(game.spec.max_turns):
            if not game.acting:
                break
            choices = {seat: game.examples(seat) for seat in game.acting}
            if time.monotonic() > until or not all(choices.values()):
                return {}
            game.apply({seat: stream.choice(texts) for seat, texts in choices.items()})
        return game.returns()
    except Exception:  # noqa: BLE001  an error of a plugin; the match that meets it says so
        return {}
