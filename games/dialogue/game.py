"""A role game as a `TextGame`: everything the interface asks for follows from the script."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, ClassVar

from games.dialogue.messages import SHOWN, check_message
from games.dialogue.table import Ask, Record, Script, Table
from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.outcome import SeatOutcome
from games.randomness import RandomStream, derive
from games.shortcuts import ShortcutSuite


class RoleGame(TextGame):
    """A match is one run of the script `play`. `role_game` makes a subclass for each script.

    A copy, a restored state and an undone message replay the match, so a script may use any object.
    """

    message_bytes: int | None = SHOWN
    name: ClassVar[str]
    """the id without parameters; seeds the random stream"""
    play: ClassVar[Callable[..., Script]]
    suite: ClassVar[Callable[[Mapping[str, Any]], ShortcutSuite | None]] = staticmethod(lambda values: None)
    """makes the scripted policies of the game with these parameters"""
    known: ClassVar[Callable[[Any], Sequence[KnownOutcome]] | None] = None
    """receives the default game at seed 0; returns matches of it with known outcomes"""

    tools: Any = None
    """what `role_game(tools=...)` made"""
    pool: ClassVar[Callable[[Mapping[str, Any]], object] | None] = None
    """receives the parameters, `task`, `source` and `tools`; raises InputError for a text that is not a task"""

    references: ClassVar[Callable[[Sequence[str]], str] | None] = None
    """makes the text of a match whose proposer is shown tasks of a pool"""

    def __init__(self, spec: GameSpec, params: Mapping[str, Any], closed: bool) -> None:
        self.spec, self._params, self.closed = spec, dict(params), closed
        if closed:
            self.message_bytes = None  # messages come from short lists: `SHOWN` says nothing about prompts
        self._task = ""
        self._table: Table | None = None
        self._request: Ask | None = None
        self._messages: list[dict[Seat, str]] = []

    def load_task(self, task: str) -> None:
        """Uses this task, or these notes of earlier matches, from the next `reset` on. Raises InputError."""
        if self.spec.notes is not None:
            _notes(task)
        elif task:
            if check := type(self).pool:
                check({**self._params, "task": task, "source": self.task_source, "tools": self.tools})
            elif self.task_source is None:
                super().load_task(task)
            else:
                self.task_source.load(task)
        self._task = task

    def with_references(self, tasks: Sequence[str]) -> str:
        """Returns a text for `load_task` that shows these tasks to the proposer; "" if the game shows none."""
        make = type(self).references
        return make(tasks) if make and tasks else ""

    def reset(self, seed: int) -> None:
        """Starts the script and runs it to its first request."""
        notes = self.spec.notes is not None
        self._table = Table(
            self.spec.seats,
            seed,
            RandomStream(derive(seed, self.name)),
            source=self.task_source,
            tools=self.tools,
            pooled="" if notes else self._task,
            notes=_notes(self._task) if notes else (),
            closed=self.closed,
        )
        self._messages = []
        params = {key: value for key, value in self._params.items() if key != "closed"}  # the script reads `t.closed`
        self._script = type(self).play(self._table, **params)
        if not isinstance(self._script, Generator):
            raise InputError(f"{self.spec.id}: the script has no yield; write `answer = yield t.ask(...)` in a `def`")
        self._advance(None)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats of the open request."""
        return self._request.seats if self._request else ()

    def phase(self, seat: Seat) -> str:
        """The phase of the open request."""
        return self._request.phase if self._request else "over"

    def observe(self, seat: Seat) -> Observation:
        """Returns every line that the seat was told, and what it is asked."""
        lines = [*self._record.lines[seat], self._duty(seat)]
        return Observation("\n".join(filter(None, lines)) or "Nothing has been said yet.", self.phase(seat))

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Returns the options of the open request; None for free text."""
        if self._request is None or seat not in self._request.seats:
            return ()
        return None if self._request.options is None else self._request.options[seat]

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns the options, or the examples of the open request."""
        return self._request.examples[seat] if self._request and seat in self._request.seats else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Checks the messages, then runs the script to its next request.

        A script may raise IllegalAction itself: the match is then as before the messages.
        """
        request = self._request
        if request is None or actions.keys() != set(request.seats):
            raise IllegalAction(f"expected one message each of {', '.join(self.acting) or 'nobody: the match is over'}")
        for seat in request.seats:
            check_message(seat, actions[seat], self.legal(seat), request.longest)
        messages = {seat: actions[seat] for seat in request.seats}
        try:
            self._play(request, messages)
        except IllegalAction:
            self._replay(self._messages)
            raise
        self._messages.append(messages)

    def returns(self) -> Mapping[Seat, float]:
        """Returns what the script has paid."""
        return dict(self._record.returns)

    def outcomes(self) -> Mapping[Seat, SeatOutcome]:
        """Returns what the script noted of each seat, and which answers of it could not be read."""
        record = self._record
        return {
            seat: SeatOutcome(
                record.returns[seat],
                asked=seat in record.asked,
                unread=tuple(record.unread.get(seat, ())),
                **record.outcomes[seat],
            )
            for seat in self.spec.seats
        }

    def facts(self) -> Mapping[str, Any]:
        """Returns what the script noted, its ending, and the outcomes as JSON."""
        record = self._record
        return {
            "ending": record.ending,
            "outcomes": {seat: self._noted(seat, reward) for seat, reward in record.returns.items()},
            "unread": {seat: list(reasons) for seat, reasons in record.unread.items()},
            "cut": dict(record.cut),
        } | self._now.facts

    def _noted(self, seat: Seat, reward: float) -> dict[str, Any]:
        """Returns the fields of the seat's `SeatOutcome` that differ from the defaults, as JSON."""
        noted = self._record.outcomes[seat].items()
        fields = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in noted
            if value is not None and value is not False  # 0.0 stays
        }
        if seat not in self._record.asked:
            fields["asked"] = False
        if reasons := self._record.unread.get(seat):
            fields["unread"] = list(reasons)
        return {"reward": reward} | fields

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Returns the secret lines that the seat was told; none once the match is over."""
        return tuple(self._record.secrets[seat]) if self._request else ()

    def disclosure(self, seat: Seat) -> str:
        """Returns what the script says that all may know of the seat's hidden moves."""
        return self._record.disclosed[seat]

    def data(self, seat: Seat) -> Mapping[str, Any]:
        """Returns the structured data that the seat was told, for scripted policies."""
        return dict(self._record.data[seat])

    def spectate(self) -> str:
        """Returns every line that anybody was told; lines for some seats name them."""
        asked = f"{', '.join(self.acting)} to write." if self.acting else f"The match is over. {self._record.ending}"
        return "\n".join([*self._record.log, asked.strip()])

    def shortcuts(self) -> ShortcutSuite | None:
        """Returns the policies that `role_game` was given for these parameters."""
        return type(self).suite(self._params)

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        """Returns the matches that `role_game` was given, for a game with the default parameters."""
        known, game = type(self).known, type(self)
        if known is None or self.spec.id != self.name:
            return ()
        twin = game()  # type: ignore[call-arg]  # made by `role_game`, which gives every parameter a default
        twin.reset(0)
        return known(twin)

    def __deepcopy__(self, memo: object) -> RoleGame:
        twin: RoleGame = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Returns what a copy needs to replay the match; a generator cannot be copied."""
        state = {key: value for key, value in vars(self).items() if key not in ("_table", "_script", "_request")}
        return state | {"_messages": list(self._messages), "_seed": self._table.seed if self._table else None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Replays the match of `__getstate__`."""
        values = dict(state)
        seed, messages = values.pop("_seed"), values["_messages"]
        vars(self).update(values, _table=None, _request=None)
        if seed is not None:
            self._replay(messages, seed)

    @property
    def _now(self) -> Table:
        if self._table is None:
            raise InputError(f"{self.spec.id}: call reset(seed) first")
        return self._table

    @property
    def _record(self) -> Record:
        return self._now.record

    def _duty(self, seat: Seat) -> str:
        if self._request is None:
            ending = self._record.endings.get(seat, self._record.ending)
            return f"The match is over: {ending}." if ending else "The match is over."
        return (self._request.prompt if seat in self._request.seats else self._request.waiting).get(seat, "")

    def _play(self, request: Ask, messages: Mapping[Seat, str]) -> None:
        """Gives the script the answers in these messages."""
        answers: dict[Seat, Any] = dict(messages)
        if request.reads is not None:
            answers = {seat: self._now.read(seat, text, request.reads) for seat, text in messages.items()}
        self._advance(answers[request.seats[0]] if request.single else answers)

    def _advance(self, answer: Any) -> None:
        try:
            request: object = self._script.send(answer)
        except StopIteration:
            request = None
        if request is not None and not isinstance(request, Ask):
            raise InputError(f"{self.spec.id}: the script yielded {request!r:.60}; write `yield t.ask(...)`")
        self._request = request

    def _replay(self, messages: list[dict[Seat, str]], seed: int | None = None) -> None:
        """Plays the match again up to these messages."""
        played = list(messages)
        self.reset(self._now.seed if seed is None else seed)
        for message in played:
            self._play(self._request, message)  # type: ignore[arg-type]  # it was open before
        self._messages = played


def _notes(task: str) -> tuple[str, ...]:
    """Returns the notes of earlier matches in a text for `load_task`. Raises InputError."""
    try:
        notes = json.loads(task or "[]")
    except ValueError:
        notes = None
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise InputError(f"notes of earlier matches are a JSON list of texts, not {task[:80]!r}")
    return tuple(notes)
