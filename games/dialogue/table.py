"""One match of a role game, as its script sees it: what each seat was told, and what each seat is paid."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from games.dialogue.answers import Reading
from games.dialogue.listed import drawn
from games.dialogue.messages import LONGEST, SHOWN, exceeds, said
from games.errors import InputError
from games.game import Seat
from games.outcome import SeatOutcome
from games.quoting import quote
from games.randomness import RandomStream
from games.tasks import SourceTask, TaskSource

Reader: TypeAlias = Callable[[str], Any]
"""reads a message: returns the value, None, or a `Reading` with a value or the reason of a refusal"""
Script: TypeAlias = Generator["Ask", Any, None]
"""what a script returns when it is called"""
_FACTS = frozenset(SeatOutcome.__slots__)
T = TypeVar("T")
Stage: TypeAlias = Generator["Ask", Any, T]
"""a part of a script, for `yield from`, that returns a value"""
PerSeat: TypeAlias = T | Mapping[Seat, T]
"""the same for all seats that are asked, or one for each"""


class Ask(NamedTuple):
    """A request to one seat, or to several that act at the same time. Made by `Table.ask`."""

    seats: tuple[Seat, ...]
    prompt: Mapping[Seat, str]
    phase: str
    options: Mapping[Seat, tuple[str, ...]] | None
    """seat -> legal messages; None: any text"""
    examples: Mapping[Seat, tuple[str, ...]]
    reads: Reader | None
    single: bool
    """whether the script receives one answer instead of a mapping"""
    waiting: Mapping[Seat, str]
    """what the seats that are not asked read"""
    longest: int
    """characters of a message, at most"""


class Record:
    """What happened in a match so far, for the game around the script."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        seats = tuple(seats)
        self.lines: dict[Seat, list[str]] = {seat: [] for seat in seats}
        """seat -> what it was told"""
        self.secrets: dict[Seat, list[str]] = {seat: [] for seat in seats}
        self.disclosed = dict.fromkeys(seats, "")
        """seat -> what all may know of its hidden moves"""
        self.data: dict[Seat, dict[str, Any]] = {seat: {"messages": []} for seat in seats}
        self.log: list[str] = []
        """every line, for spectators"""
        self.returns = dict.fromkeys(seats, 0.0)
        self.outcomes: dict[Seat, dict[str, Any]] = {seat: {} for seat in seats}
        """seat -> fields of `SeatOutcome` that the script noted"""
        self.unread: dict[Seat, list[str]] = {}
        """seat -> why answers of it could not be read"""
        self.cut: dict[Seat, int] = {}
        """seat -> the number of its messages that others read only in part"""
        self.asked: set[Seat] = set()
        self.ending = ""
        self.endings: dict[Seat, str] = {}
        """seat -> what it reads instead of the ending"""


@dataclass
class Table:
    """One match. All randomness comes from `stream`."""

    seats: Mapping[Seat, str]
    """seat -> role"""
    seed: int
    stream: RandomStream
    source: TaskSource | None = None
    """the task source of the game"""
    pooled: str = ""
    """the task that a pool has chosen; "" if the match makes its own"""
    notes: tuple[str, ...] = ()
    """texts that earlier matches passed on, oldest first"""
    tools: Any = None
    """what the game has made once, such as a referee"""
    closed: bool = False
    """whether seats choose from the examples of each request"""
    facts: dict[str, Any] = field(default_factory=dict)
    """results of the match besides its returns, as JSON"""
    record: Record = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Every seat starts with an empty transcript and a return of 0."""
        self.record = Record(self.seats)

    def tell(self, to: Seat | Iterable[Seat], text: str, *, secret: bool | str = False, **data: Any) -> None:
        """Shows a line to a seat, to several, or to "all". No other seat may learn a `secret` line, or that part of it.

        `data` is the same information for scripted policies, which never read text: see `RoleGame.data`.
        """
        seats = self._seats(to)
        if not isinstance(text, str):
            raise InputError(f"t.tell shows a text, not {text!r:.60}; write f-strings or str(...)")
        for seat in seats:
            if text:
                self.record.lines[seat].append(text)
            self.record.data[seat] |= data
            if secret:
                self.record.secrets[seat].append(text if secret is True else secret)
        public = len(seats) == len(self.seats)
        if text:
            self.record.log.append(text if public else f"(only {', '.join(seats)}) {text}")

    def log(self, line: str) -> None:
        """Adds a line that spectators alone read."""
        self.record.log.append(line)

    def disclose(self, seat: Seat, text: str) -> None:
        """Says what all may know of a seat's hidden moves, such as the length of its word; nobody reads it.

        `arena check` compares matches in which it is the same.
        """
        self._seats(seat)
        self.record.disclosed[seat] = text

    def reveal(self, *seats: Seat) -> None:
        """Ends the secrecy of what these seats were told: from now on all may learn it."""
        for seat in self._seats(seats):
            self.record.secrets[seat].clear()

    def say(
        self,
        seat: Seat,
        text: str,
        to: Seat | Iterable[Seat] = "all",
        *,
        limit: int = SHOWN,
        name: str = "",
        **data: Any,
    ) -> str:
        """Shows a message of a seat, quoted and cut to `limit`, to all seats or to some.

        `name` is what they call the speaker, by default the seat. Returns what they read of the message. Scripted
        policies find it in `data["messages"]`, pairs of a name and a text.
        """
        line, read = said(name or seat, text, limit), self.quote(seat, text, limit)[1:-1]
        for reader in self._seats(to):
            self.record.data[reader]["messages"].append((name or seat, read))
        self.tell(to, line, **data)
        return read

    def quote(self, seat: Seat, text: str, limit: int = SHOWN) -> str:
        """Returns a message of a seat as others read it: quoted, and cut to `limit` bytes."""
        if exceeds(text, limit):
            self.record.cut[seat] = self.record.cut.get(seat, 0) + 1
        return quote(text, limit)

    def ask(
        self,
        seats: Seat | Iterable[Seat],
        prompt: PerSeat[str] = "",
        *,
        phase: str = "play",
        options: PerSeat[Sequence[str]] | None = None,
        reads: Reader | None = None,
        examples: PerSeat[Sequence[str]] = (),
        waiting: PerSeat[str] = "",
        longest: int = LONGEST,
    ) -> Ask:
        """Returns a request, which the script yields. It receives one answer, or a dict if it asked several seats.

        `options` lists the legal messages; without them any text is legal, and `examples` are typical ones: good, bad
        and unreadable. With `reads` the script receives the value, or None for a message that cannot be read.
        """
        asked = self._seats(seats)
        listed = _per_seat("examples", examples, asked)
        legal = None if options is None else _per_seat("options", options, asked)
        if legal is None and self.closed and any(listed.values()):
            legal = listed
        self.record.asked.update(asked)
        text = dict(prompt) if isinstance(prompt, Mapping) else dict.fromkeys(asked, prompt)
        idle = dict(waiting) if isinstance(waiting, Mapping) else dict.fromkeys(self.seats, waiting)
        return Ask(
            asked, text, phase, legal, legal or listed, reads, isinstance(seats, str) and seats != "all", idle, longest
        )

    def task(self, source: TaskSource | None = None, *, problems: int = 0) -> SourceTask:
        """Returns the task that a pool has chosen, or draws one from the game's source, or from `source`.

        With `problems` it is one of so many, for small models.
        """
        tasks = source or self.source
        if tasks is None:
            raise InputError("this game has no task source; write role_game(..., source=...) or t.task(source)")
        return tasks.load(self.pooled) if self.pooled else drawn(tasks, self.seed, problems)

    def task_facts(self, task: SourceTask) -> dict[str, Any]:
        """Returns what the facts say of a task, for task pools and reports."""
        return {
            "task": task.id,
            "canonical": "" if self.source is None else self.source.canonical(task),
            "kind": str(task.kind),
            "question": task.question,
            "truth": task.answer,
            "pooled": bool(self.pooled),
        }

    def pay(self, seat: Seat, value: float) -> None:
        """Sets the return of a seat."""
        self._seats(seat)
        self.record.returns[seat] = float(value)

    def win(self, *seats: Seat, ending: str = "") -> None:
        """Pays 1 to these seats and -1 to the others, and says how the match ended."""
        self._seats(seats)
        self.record.returns = {seat: 1.0 if seat in seats else -1.0 for seat in self.seats}
        self.end(ending)

    def end(self, ending: str, texts: Mapping[Seat, str] = MappingProxyType({})) -> None:
        """Says how the match ended. Every seat reads it, or its own text."""
        self.record.ending, self.record.endings = ending, dict(texts)

    def outcome(self, seat: Seat, **facts: Any) -> None:
        """Notes what the rules know of a seat: the fields of `SeatOutcome` besides `reward`."""
        self._seats(seat)
        if not facts.keys() <= _FACTS:
            SeatOutcome(0.0, **facts)  # a TypeError names the script's line
        self.record.outcomes[seat] |= facts

    def read(self, seat: Seat, text: str, reader: Reader) -> Any:
        """Returns the value of a message, or None; the reason goes to the facts."""
        result = reader(text)
        value, reason = result if isinstance(result, Reading) else (result, "no answer could be read")
        if value is None:
            self.record.unread.setdefault(seat, []).append(reason)
        return value

    def _seats(self, to: Seat | Iterable[Seat]) -> tuple[Seat, ...]:
        if to == "all":
            return tuple(self.seats)
        if isinstance(to, str) and to in self.seats:
            return (to,)
        seats = (to,) if isinstance(to, str) else tuple(to)
        if missing := [seat for seat in seats if seat not in self.seats]:
            raise InputError(f"the game has no seat {missing[0]!r:.60}; the seats: {', '.join(self.seats)}")
        return seats


def _per_seat(
    name: str, texts: Sequence[str] | Mapping[Seat, Sequence[str]], seats: tuple[Seat, ...]
) -> dict[Seat, tuple[str, ...]]:
    if isinstance(texts, Mapping):
        return {seat: _texts(name, texts.get(seat, ())) for seat in seats}
    return dict.fromkeys(seats, _texts(name, texts))


def _texts(name: str, listed: object) -> tuple[str, ...]:
    """Returns a list of texts as a tuple. Raises InputError, also for a text alone, of which each letter is a text."""
    if isinstance(listed, Iterable) and not isinstance(listed, str):
        texts = tuple(listed)
        if all(isinstance(text, str) for text in texts):
            return texts
    raise InputError(f"t.ask({name}=...) lists texts, such as ('yes', 'no'); it is {listed!r:.60}")
