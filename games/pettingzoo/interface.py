"""The text interface of an environment: names of actions, text of observations, facts of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from games.game import KnownOutcome, Payoff, Seat


class EnvState(Protocol):
    """What an interface reads of the match in progress; `games.pettingzoo.adapter.EnvGame` provides it."""

    seats: tuple[Seat, ...]
    scores: dict[Seat, float]
    played: list[dict[Seat, str]]

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that must act now."""

    def observation(self, seat: Seat) -> Any:
        """Returns what the environment shows this seat now, in its own form."""

    def info(self, seat: Seat) -> Mapping[str, Any]:
        """Returns the environment's info for this seat."""

    def status(self, seat: Seat) -> str:
        """Returns one line for this seat that says whose turn it is."""


class TextInterface:
    """Facts and texts of one environment. A subclass describes one game; `SpaceInterface` works for any."""

    payoff: Payoff = "general_sum"
    rules: str = ""
    max_turns: int = 2000
    returns_range: tuple[float, float] | None = None
    phase: str = "play"
    chance: bool | None = None
    """as in `GameSpec`"""
    outcomes: tuple[KnownOutcome, ...] = ()
    twin: str | None = None
    """the OpenSpiel game with identical rules"""

    def __init__(self, env: Any) -> None:
        self.env = env

    def roles(self, seats: tuple[Seat, ...]) -> Mapping[Seat, str]:
        """Returns the role of each seat."""
        return dict.fromkeys(seats, "player")

    def enter(self) -> None:
        """Called before every reset and step, for environments whose instances share state."""

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any] | None:
        """Returns the legal actions of an acting seat, text -> action of the environment; None for free text."""
        raise NotImplementedError

    def decode(self, seat: Seat, text: str) -> Any:
        """Returns the environment's action for a free text. Raises IllegalAction."""
        raise NotImplementedError

    def samples(self, seat: Seat) -> tuple[str, ...]:
        """Returns some valid free texts."""
        return ()

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns what this seat may know, as text."""
        raise NotImplementedError

    def secrets(self, state: EnvState, seat: Seat) -> tuple[str, ...]:
        """Returns texts that only this seat may know now."""
        return ()

    def twin_action(self, action: Any) -> int:
        """Returns the OpenSpiel action id for an action of the environment."""
        return int(action)


class BoardInterface(TextInterface):
    """A zero-sum game of two seats that move in turn and see everything."""

    named = ("first", "second")
    payoff: Payoff = "zero_sum"
    returns_range = (-1.0, 1.0)

    def roles(self, seats: tuple[Seat, ...]) -> Mapping[Seat, str]:
        """Returns the two names, in the order of play."""
        return dict(zip(seats, self.named, strict=True))


def in_turns(seats: tuple[Seat, Seat], texts: str, first: float, seed: int = 0) -> KnownOutcome:
    """Returns a zero-sum match of two seats that act in turn: actions with spaces between; the first seat's return."""
    moves = tuple({seats[i % 2]: text} for i, text in enumerate(texts.split()))
    return KnownOutcome(seed, moves, {seats[0]: first, seats[1]: -first})
