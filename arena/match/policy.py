"""What happens to an answer that is no action, and what a match that ends early pays. The same for every game."""

from __future__ import annotations

from typing import Literal

import msgspec

from games import GameSpec


class IllegalPolicy(msgspec.Struct, frozen=True):
    """`retries` further attempts with the reason told, then `then`.

    forfeit: the match ends, `forfeit_returns`. random: a random legal action is played and recorded as substituted;
    on a free-text turn one of the game's examples.
    """

    retries: int = 2
    then: Literal["forfeit", "random"] = "forfeit"
    timeout: float | None = None
    """seconds a waiting player has for one attempt; later counts as a failed attempt (`timeout`)"""


def forfeit_returns(spec: GameSpec, offender: str) -> dict[str, float]:
    """Returns when `offender` forfeits: the worst return for it, the rest shared so that the game keeps its sum.

    Without a `returns_range` a forfeit costs 1 below an even share. In a general-sum game the others get 0, in a
    cooperative one everybody gets the worst.
    """
    n = len(spec.seats)
    even = spec.payoff_sum / n
    worst = spec.returns_range[0] if spec.returns_range else even - 1.0
    if spec.payoff == "cooperative":
        return dict.fromkeys(spec.seats, worst)
    other = 0.0 if spec.payoff == "general_sum" else (spec.payoff_sum - worst) / max(n - 1, 1)
    return {seat: worst if seat == offender else other for seat in spec.seats}


def truncated_returns(spec: GameSpec, returns: dict[str, float]) -> dict[str, float]:
    """Returns of a match cut at `max_turns`: an even share where the sum is fixed, else what was earned so far."""
    if spec.payoff in ("zero_sum", "constant_sum"):
        return dict.fromkeys(spec.seats, spec.payoff_sum / len(spec.seats))
    return returns
