"""What a match that ends early pays, so that no early end changes the sum of a game."""

from __future__ import annotations

from games.game import GameSpec, Seat


def forfeit_returns(spec: GameSpec, offender: Seat) -> dict[Seat, float]:
    """Returns when `offender` forfeits: the worst return for its team, the rest shared so that the game keeps its sum.

    Without a `returns_range` a forfeit costs 1 below an even share. In a general-sum game the others get 0, in a
    cooperative one everybody gets the worst.
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
    """Returns of a match cut at `max_turns`: an even share where the sum is fixed, else what was earned so far."""
    if spec.payoff in ("zero_sum", "constant_sum"):
        return dict.fromkeys(spec.seats, spec.payoff_sum / len(spec.seats))
    return returns
