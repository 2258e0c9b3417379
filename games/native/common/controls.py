"""Control questions: one solver of four reads an easier question of the game in place of the posed one.

Solvers that know an answer and fail on purpose make any question one that half of them solve, which pays its author.
They fail at controls too: the seed draws the seats, and a control is the posed text with round numbers in place of its
own. The author's pay falls with each control that is answered wrong. Solvers that pretend to be weak, right at what
looks easy, cannot be told from weak ones: they pay for it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.dialogue import Table
from games.dialogue.messages import shown
from games.game import Seat
from games.native.common.posed_question import PosedQuestion
from games.native.common.tags import TaggedText
from games.randomness import RandomStream, derive

_OF = 4
"""solvers of whom one reads a control; fewer have none"""
_TOLERATED, _TOO_MANY = 0.1, 0.25
"""the shares of wrong controls up to which an author earns all, and from which it earns nothing"""
_TRIES = 20
_NUMBER = re.compile(r"\d+")
CONTROLLED = (
    "One solver of four reads an easier question of the same form instead. Wrong answers to such questions lower what "
    "is paid for the others."
)
"""what the rules say of it"""


def controlled(solvers: int, *others: object) -> bool:
    """Returns whether a game has controls: enough solvers, and none of the parameters that make it another game."""
    return solvers >= _OF and not any(others)


@dataclass(slots=True)
class Controls:
    """The control question of a match, who reads it, and what they answer; without seats there is none."""

    question: PosedQuestion | None = None
    seats: tuple[Seat, ...] = ()
    answers: dict[Seat, TaggedText | None] = field(default_factory=dict)

    @classmethod
    def drawn(cls, posed: str, solvers: Sequence[Seat], seed: int) -> Controls:
        """Returns the control of a posed question; none if that is not arithmetic."""
        stream = RandomStream(derive(seed, "controls"))
        text = easier(posed, stream)
        seats = tuple(stream.shuffled(solvers))[: len(solvers) // _OF]
        return cls(PosedQuestion.written(text), seats) if text else cls()

    def others(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        """Returns the seats that read the posed question."""
        return tuple(seat for seat in seats if seat not in self.seats)

    def tell(self, t: Table, to: Collection[Seat], posed: str) -> None:
        """Shows seats a question, quoted: some solvers the control, the others what was posed."""
        for seats, text in ((self.others(to), posed), (self.seats, self.question and self.question.text)):
            if seats and text:
                t.tell(seats, f"The question: {text}", question=text.strip('"'))
        t.facts |= self.facts()

    def take(self, answers: Mapping[Seat, TaggedText | None]) -> dict[Seat, TaggedText | None]:
        """Keeps the answers to the control and returns the others."""
        self.answers = {seat: answers[seat] for seat in self.seats}
        return {seat: answers[seat] for seat in self.others(answers)}

    @property
    def right(self) -> dict[Seat, bool]:
        """Returns solver -> whether its answer to the control is right."""
        asked = self.question
        return {seat: bool(asked and asked.right(a and a.content, None)) for seat, a in self.answers.items()}

    @property
    def factor(self) -> float:
        """Returns what is left of the author's pay in this match."""
        return remaining(list(self.right.values()))

    def facts(self) -> dict[str, Any]:
        """Returns what the facts say of it, before and after it is answered; nothing if nobody reads one."""
        if not self.question:
            return {}
        task, truth = self.question.task, self.question.truth
        answers = {seat: a and shown(a.text)[1:-1] for seat, a in self.answers.items()}
        control = {"question": task, "truth": truth, "answers": answers, "right": self.right}
        return {"control": control, "asked": dict.fromkeys(self.seats, task)}


def remaining(right: Sequence[bool]) -> float:
    """Returns what is left of an author's pay: 1 if at most 10% of the controls are wrong, 0 from a quarter on.

    Those of many matches tell who fails on purpose better than those of one. Who errs a little at each digit errs at
    controls too.
    """
    wrong = 1.0 - sum(right) / len(right) if right else 0.0
    return min(1.0, max(0.0, (_TOO_MANY - wrong) / (_TOO_MANY - _TOLERATED)))


def easier(posed: str, stream: RandomStream) -> str:
    """Returns an arithmetic question in which round numbers of as many digits replace all numbers but 0.

    Returns "" for a question that is not arithmetic.

    >>> easier("What is 55 + 61 - 43 + 99?", RandomStream(0))
    'What is 20 + 20 - 10 + 10?'
    """
    if PosedQuestion.written(posed).truth is None:
        return ""
    for _ in range(_TRIES):
        text = _NUMBER.sub(lambda number: _eased(number[0], stream), posed)
        if PosedQuestion.written(text).truth is not None:  # it does not divide by zero
            return text
    return f"What is {1 + stream.below(9)} + 1?"


def _eased(number: str, stream: RandomStream) -> str:
    return f"{1 + stream.below(2)}{'0' * (len(number) - 1)}" if number.strip("0") else number
