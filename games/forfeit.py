"""The returns of a match that ends early; they keep the sum of the game."""

from __future__ import annotations

from games.game import GameSpec, Seat


def forfeit_returns(spec: GameSpec, offender: Seat) -> dict[Seat, float]:
    """Returns the returns if `offender` forfeits: the lowest return for its team; the others share the rest of the sum.

    Without a `returns_range` the lowest return is an even share minus 1. In a general-sum game the others get 0, in a
    cooperative game every seat gets the lowest return.
    """
    n = len(spec.seats)
    even = spec.payoff_sum / n
    worst = spec.returns_range[0] if spec.returns_range else even - 1.0
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
