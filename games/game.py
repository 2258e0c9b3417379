"""The interface of every game: text observations and text actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from games.errors import InputError
from games.outcome import SeatOutcome
from games.sanitize import VISIBLE, clean

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite
    from games.tasks import TaskSource

Seat: TypeAlias = str
Payoff: TypeAlias = Literal["zero_sum", "constant_sum", "general_sum", "cooperative"]
Demonstrations: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
"""phase -> pairs (what a seat reads, what it writes)"""


class Notes(NamedTuple):
    """The notes that a match passes to later matches with the same players in `seats`."""

    seats: tuple[Seat, ...]
    newest: int
    """how many texts of `facts()["notes"]` are kept, the newest ones"""

    def check(self, seats: Mapping[Seat, str]) -> None:
        """Raises InputError unless these notes are for some of these seats."""
        note_seats: object = self.seats
        if not isinstance(note_seats, tuple):
            raise InputError(
                f"Notes: seats is {note_seats!r:.60}; write a tuple of seats, such as ({next(iter(seats))!r},)"
            )
        if missing := [seat for seat in self.seats if seat not in seats]:
            raise InputError(f"Notes names a missing seat {missing[0]!r:.60}; the seats: {', '.join(seats)}")
        if self.newest < 1:
            raise InputError(f"Notes: newest is {self.newest}; it must be at least 1")

    @staticmethod
    def problem(facts: Mapping[str, Any]) -> str:
        """Returns why the notes of a match cannot be passed on; an empty string if they can."""
        notes = facts.get("notes", ())
        if isinstance(notes, list | tuple) and all(isinstance(text, str) for text in notes):
            return ""
        return f'facts()["notes"] is {notes!r:.60}; it must be a list of texts'


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The properties of a game that are known before a match."""

    id: str
    seats: Mapping[Seat, str]
    """seat -> role, in seat order; several seats may share a role"""
    payoff: Payoff
    rules: str
    """the text that an LLM receives once, before its first turn"""
    max_turns: int
    """limit on the decisions of one match, all seats together"""
    payoff_sum: float = 0.0
    """the sum of the returns; 0 in a zero-sum game"""
    returns_range: tuple[float, float] | None = None
    """the lowest and highest return of a seat; a forfeit pays the lowest, or costs 1 without a range"""
    teams: tuple[tuple[Seat, ...], ...] = ()
    """seats that win and lose together; empty: every seat plays for itself"""
    rated: bool = True
    """False if a match does not show which player is better, as between a proposer and its solvers without a
    threshold; the board then shows the mean return of each role instead of ratings"""
    notes: Notes | None = None
    """set if matches pass notes to later ones. A league then plans each round after the previous one and passes the
    notes to `TextGame.load_task` as a JSON list of texts, oldest first"""
    chance: bool | None = None
    """False if the seed has no effect, so the same actions always give the same match; None: not declared, see
    `games.chance.has_chance`"""
    demonstrations: Demonstrations = field(default_factory=dict)
    """example turns for free-text phases; a role may show them to a small model before its first turn"""
    prompt_bytes: int | None = None
    """bytes of UTF-8 of the rules and the longest observation; None: unknown, or derived by `games.make` from
    `TextGame.message_bytes`. A tokenizer that falls back to bytes makes at most so many tokens of them"""
    strangers: bool = False
    """whether seats are for different players, because seats of one player could talk in a code: a player takes the
    first seat of a team, whose seats all have one role, and a training meets first snapshots instead of itself"""

    def __post_init__(self) -> None:
        """Raises InputError for notes that name no seats of the game."""
        if self.notes is not None:
            self.notes.check(self.seats)


class Observation(msgspec.Struct, frozen=True, gc=False):
    """Everything a seat may know now, as text. `phase` names the kind of turn (`play`, `bid`, `vote`).

    The text is cleaned when an observation is made (`games.sanitize.clean`), so all that read it may store it.
    """

    text: str
    phase: str = "play"

    def __post_init__(self) -> None:
        """Raises TypeError for a text that is none."""
        text = self.text
        try:  # the test of `clean`, without its call: an observation is made in each turn
            strange = not text.isascii() or (data := text.encode()).translate(VISIBLE) != data
        except AttributeError:
            raise TypeError(f"the text of an observation is {text!r:.60}; expected a text") from None
        if strange:
            force_setattr(self, "text", clean(text))


class KnownOutcome(NamedTuple):
    """A match whose outcome follows from the rules: its seed, the arguments of each `apply`, the returns."""

    seed: int
    moves: Sequence[Mapping[Seat, str]]
    returns: Mapping[Seat, float]


class TextGame(ABC):
    """One game, played match after match: `reset`, then `apply` until `acting` is empty."""

    spec: GameSpec
    blocking: bool = False
    """True if `reset` or `apply` waits for another process, such as a verifier; the runner then continues other matches
    in the meantime"""
    one_phase: bool = False
    """True if every turn has the phase `play`; nothing then asks for it"""
    pools: bool = False
    """True if a match can use a task from a task pool; see `load_task`"""
    message_bytes: int | None = None
    """bytes of a message of one seat that others read, at most; None: unknown"""
    task_source: TaskSource | None = None
    """where its tasks come from, if it poses tasks of `games.tasks`"""

    @abstractmethod
    def reset(self, seed: int) -> None:
        """Start a new match. All randomness comes from `seed`, none from a global generator or an earlier match."""

    def load_task(self, task: str) -> None:
        """Use this task, a text in the game's own format, from the next `reset` on; "": the game makes its own task.

        A game with `spec.notes` receives the notes of earlier matches instead. Called before the `reset` of every
        match. Raises InputError for a text that is not a task of this game.
        """
        if task:
            raise InputError(f"{self.spec.id} does not use tasks from a pool")

    def with_references(self, tasks: Sequence[str]) -> str:
        """Returns a text for `load_task` that shows earlier tasks of a pool to the proposer, which sets a new one.

        "" if the game shows none. The facts of such a match name them as `parents`.
        """
        return ""

    @property
    @abstractmethod
    def acting(self) -> tuple[Seat, ...]:
        """The seats that must act now; several act simultaneously; empty when the match is over."""

    @abstractmethod
    def observe(self, seat: Seat) -> Observation:
        """Returns everything this seat may know now and nothing else; works for every seat at any time after reset."""

    @abstractmethod
    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Returns the legal actions of an acting seat, () for a seat that is not acting, None for free text."""

    @abstractmethod
    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one action for each acting seat.

        Raises IllegalAction, with `seat` if several seats act at once, and leaves the state unchanged.
        """

    @abstractmethod
    def returns(self) -> Mapping[Seat, float]:
        """Returns the return of every seat; final when `acting` is empty."""

    def phase(self, seat: Seat) -> str:
        """Returns the phase of the seat's turn; override it if the phase is known without rendering the observation."""
        return "play" if self.one_phase else self.observe(seat).phase

    def facts(self) -> Mapping[str, Any]:
        """Returns results of the match besides its returns, as JSON: the task, verdicts, a solve rate.

        The episode stores them for `Role.credit` and `Role.credit_batch`; no seat sees them.
        """
        return {}

    def outcomes(self) -> Mapping[Seat, SeatOutcome]:
        """Returns each seat's reward and further facts (see `SeatOutcome`); final when the match is over."""
        return {seat: SeatOutcome(reward) for seat, reward in self.returns().items()}

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Returns texts that only this seat may know now; `games.check` searches for them in what other seats see.

        A move is hidden if its words are among them: `games.check` then plays the match again with another move, and
        the other seats must read the same.
        """
        return ()

    def disclosure(self, seat: Seat) -> str:
        """Returns what every seat may know of the hidden moves of this one, such as the length of its word.

        `games.check` compares only matches in which it is the same.
        """
        return ""

    def data(self, seat: Seat) -> Mapping[str, Any]:
        """Returns what the seat may know as structured data, for scripted policies, which never parse text."""
        return {}

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns the legal actions, or on a free-text turn a few texts that this game accepts.

        Bots play them and `games.check` tries them; an LLM never sees them.
        """
        return self.legal(seat) or ()

    def spectate(self) -> str:
        """Returns the whole position for replays and logs. It can contain secrets and is never shown to a seat."""
        return "\n\n".join(f"{seat}:\n{self.observe(seat).text}" for seat in self.spec.seats)

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        """Returns matches with known outcomes; `games.check` replays them to find a flipped sign."""
        return ()

    def shortcuts(self) -> ShortcutSuite | None:
        """Returns scripted policies that must not pay, with honest ones to compare with; None if there are none.

        `arena check GAME --shortcuts` plays them.
        """
        return None

    def openspiel_state(self) -> Any | None:
        """Returns a copy of this position as a `pyspiel.State`, for bots that search and exact measures, or None."""
        return None

    def place(self, state: Any) -> None:
        """Continue from a copy of a state of the game of `openspiel_state`; exact measures read every decision so.

        Raises InputError if observations depend on more than the state, as by default.
        """
        raise InputError(f"{self.spec.id} cannot continue from a state of OpenSpiel")

    def from_openspiel(self, text: str) -> str:
        """Returns the action of this game for an action text of its `openspiel_state`."""
        return text
