"""The contract every game keeps: text observations in, text actions out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from games.errors import InputError

Seat: TypeAlias = str
Payoff: TypeAlias = Literal["zero_sum", "constant_sum", "general_sum", "cooperative"]


class Notes(NamedTuple):
    """What matches hand on to later ones with the same players in `seats`: the `newest` texts of `facts()["notes"]`."""

    seats: tuple[Seat, ...]
    newest: int


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What is known of a game before it is played.

    `seats` maps each seat to its role name, in seat order; several seats may share a role. `rules` is the text
    an LLM is told once. `max_turns` bounds the decisions of one match, all seats together. `payoff_sum` is the
    sum of the returns of a zero-sum (0) or constant-sum game. `returns_range` bounds the return of a seat and
    prices a forfeit; without it a forfeit costs 1. `teams` lists the seats that win and lose together (none: every
    seat for itself). `rated` is False where a match says nothing about who is better, as between a proposer and its
    solvers without a threshold: the board then shows each role's mean return with its interval, and no rating.
    `notes`: matches leave notes to each other; a league then plans a round when the one before it is played, and gives
    each match its notes as a JSON list of texts, oldest first (see `TextGame.given`). `chance` is False if the seed of
    a match decides nothing, so that the same actions always make the same match; None: not declared, see
    `games.chance.has_chance`.
    """

    id: str
    seats: Mapping[Seat, str]
    payoff: Payoff
    rules: str
    max_turns: int
    payoff_sum: float = 0.0
    returns_range: tuple[float, float] | None = None
    teams: tuple[tuple[Seat, ...], ...] = ()
    rated: bool = True
    notes: Notes | None = None
    chance: bool | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat may know now, as text. `phase` names the kind of turn (`play`, `bid`, `vote`)."""

    text: str
    phase: str = "play"


class KnownOutcome(NamedTuple):
    """A match whose outcome follows from the rules: its seed, the mappings given to `apply`, the returns."""

    seed: int
    moves: Sequence[Mapping[Seat, str]]
    returns: Mapping[Seat, float]


class TextGame(ABC):
    """One game, played match after match: `reset`, then `apply` until nobody is `acting`."""

    spec: GameSpec
    blocking: bool = False
    """True where `reset` or `apply` waits for something outside the process, such as a verifier: the runner then plays
    on with other matches meanwhile"""
    pools: bool = False
    """True where a match can be played on a task that comes from outside, from a pool: see `given`"""

    @abstractmethod
    def reset(self, seed: int) -> None:
        """Start a new match. All chance comes from `seed`, nothing from a global generator or the match before."""

    def given(self, task: str) -> None:
        """Play the matches from the next `reset` on with this task, in the game's own form; "": the game makes its own.

        A game with `spec.notes` is given notes of earlier matches in its place. Called before the `reset` of every
        match. Raises InputError for a text that is no task of this game.
        """
        if task:
            raise InputError(f"{self.spec.id} takes no task from a pool")

    @property
    @abstractmethod
    def acting(self) -> tuple[Seat, ...]:
        """The seats that must act now; several act simultaneously; empty when the match is over."""

    @abstractmethod
    def observe(self, seat: Seat) -> Observation:
        """All that this seat may know now and nothing else; answers for every seat at any time after reset."""

    @abstractmethod
    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """The legal actions of an acting seat, () for a seat that is not acting, None where any text may do."""

    @abstractmethod
    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one action for each acting seat.

        Raises IllegalAction, with its `seat` where several act at once, and leaves the state unchanged.
        """

    @abstractmethod
    def returns(self) -> Mapping[Seat, float]:
        """The return of every seat, final once nobody is acting."""

    def phase(self, seat: Seat) -> str:
        """The phase of the seat's turn; games whose phase is known without a rendering override it."""
        return self.observe(seat).phase

    def facts(self) -> Mapping[str, Any]:
        """What the match has established beside its returns, as JSON: the task, verdicts, a solve rate.

        Kept in the episode when the match is over, for `Role.credit` and `Role.credit_batch`; no seat sees it.
        """
        return {}

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Texts that only this seat may know now; `games.check` looks for them elsewhere."""
        return ()

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Some legal actions now: the legal ones, or for a free-text turn a few that this game accepts.

        Bots play them and `games.check` tries them; an LLM never sees them.
        """
        return self.legal(seat) or ()

    def spectate(self) -> str:
        """The whole position for replays and logs. It may hold secrets: it is never shown to a seat."""
        return "\n\n".join(f"{seat}:\n{self.observe(seat).text}" for seat in self.spec.seats)

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        """Matches of known outcome, written by hand; `games.check` replays them to find a flipped sign."""
        return ()

    def openspiel_state(self) -> object | None:
        """This position as a `pyspiel.State` for bots that search or solve, or None where there is none."""
        return None

    def from_openspiel(self, text: str) -> str:
        """This game's action for an action text of its `openspiel_state`, which may come from another library."""
        return text
