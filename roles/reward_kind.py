"""The kind of a role's reward: what says that a seat won or was right, on whatever scale the role pays.

Some losses and estimators need to know it: they read a reward as a number from 0 to 1, its score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games import GameSpec

KindName = Literal["outcome", "verdict", "preference"]
NeededKind = Literal["verdict", "preference"]
"""what a loss, an estimator or the replay buffer may need: right or wrong, or a share of wins"""
_FIXED_SUM = ("zero_sum", "constant_sum")


@dataclass(frozen=True, slots=True)
class RewardKind:
    """What a role pays; made by `outcome`, `verdict` and `preference`."""

    name: KindName
    line: float | None = None
    """outcome: the reward of a draw, None for that of the game; verdict: above it an answer is right"""

    def score(self, reward: float, spec: GameSpec | None) -> float | None:
        """1 for a win or a right answer, 0 for a loss or a wrong one, 1/2 for a draw; a share of wins is its own score.

        None if the line of an outcome is that of a game that has none.
        """
        if self.name == "preference":
            return min(max(reward, 0.0), 1.0)  # a forfeit may pay less
        line = self.line if self.line is not None else draw(spec)
        if line is None:
            return None
        if self.name == "outcome" and abs(reward - line) <= 1e-9 * max(1.0, abs(line)):
            return 0.5
        return float(reward > line)

    def problem(self, needed: NeededKind, spec: GameSpec) -> str:
        """Returns why rewards of this kind do not say what is needed in a game; "" if they do."""
        if self.name == "outcome" and self.line is None and draw(spec) is None:
            return (
                "its game has neither a constant sum nor a returns_range, so nothing says which return is a draw; "
                "declare returns_range in the GameSpec, or reward_kind = outcome(midpoint) in the role"
            )
        if needed == "preference" and self.name == "verdict":
            return "right or wrong is no share of wins; use an estimator or loss that needs none, such as grpo and ppo"
        if needed == "preference" and self.name == "outcome" and not two_sides(spec):
            return (
                "an outcome is a share of wins only between two sides whose returns have a constant sum; use an "
                "estimator or loss that needs none, such as grpo and ppo"
            )
        return ""


def outcome(midpoint: float | None = None) -> RewardKind:
    """Returns the outcome of a match: a win above `midpoint`, a loss below it, a draw at it.

    By default the midpoint is that of the game: an even share of a constant sum, else the middle of its returns_range.
    """
    return RewardKind("outcome", midpoint)


def verdict(threshold: float = 0.5) -> RewardKind:
    """Right or wrong: right above `threshold`."""
    return RewardKind("verdict", threshold)


def preference() -> RewardKind:
    """Returns a share of wins, from 0 to 1."""
    return RewardKind("preference")


def draw(spec: GameSpec | None) -> float | None:
    """Returns the return of a draw: a share of a constant sum, else the middle of the returns; None without them."""
    if spec is None:
        return None
    if spec.payoff in _FIXED_SUM:
        return spec.payoff_sum / len(spec.seats)
    return None if spec.returns_range is None else sum(spec.returns_range) / 2


def two_sides(spec: GameSpec) -> bool:
    """Returns whether two sides, single seats or teams, divide a constant sum."""
    return spec.payoff in _FIXED_SUM and (len(spec.teams) or len(spec.seats)) == 2
