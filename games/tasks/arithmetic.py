"""Exact arithmetic: sums, differences, products and mixed expressions of whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from annotated_types import Interval

from games.naming import Name
from games.parameters import canonical
from games.randomness import RandomStream, derive
from games.tasks.canonical import canonical_question
from games.tasks.choices import NEAR, POOL, beside
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers import arithmetic
from games.verifiers.verdict import PASS, Verdict

Operation = Literal["add", "subtract", "multiply", "mixed", "all"]
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "mixed": "+-*"}
Count = Annotated[int, Interval(ge=2, le=6)]
Longest = Annotated[int, Interval(ge=0, le=10)]
Digits = Annotated[int, Interval(ge=1, le=8)]


class ArithmeticSource(TaskSource):
    """Exact values of expressions. The source also answers arithmetic questions that somebody else wrote (`solve`).

    A right answer is the exact value, written as a number. operation: add, subtract, multiply, mixed (each sign is
    drawn, at least one is a product), or all four, so that half of the tasks have a product. terms: numbers in an
    expression. digits: the most digits of a number. longest: above `terms`, a kind for each count of numbers up to it:
    a ladder.
    """

    name = "arithmetic"

    def __init__(
        self,
        operation: Operation = "all",
        terms: Count = 2,
        digits: Digits = 2,
        longest: Longest = 0,
        split: Split = "train",
    ) -> None:
        operations = list(_SIGNS) if operation == "all" else [operation]
        params = {"operation": operation, "terms": terms, "digits": digits, "longest": longest, "split": split}
        lengths = range(terms, max(terms, longest) + 1)
        kinds = [TaskKind(o, f"{n}x{digits}") for n in lengths for o in operations]
        super().__init__(str(Name(self.name, canonical(ArithmeticSource, params))), kinds, split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the expression that the number draws."""
        stream = RandomStream(derive(number, self.name, str(kind)))
        terms, digits = map(int, kind.difficulty.split("x"))
        text, signs = str(stream.below(10**digits)), _SIGNS[kind.family]
        drawn = [(stream.choice(signs), stream.below(10**digits)) for _ in range(terms - 1)]
        if kind.family == "mixed" and all(sign != "*" for sign, _ in drawn):
            at = stream.below(len(drawn))
            drawn[at] = "*", drawn[at][1]
        text = " ".join([text, *(f"{sign} {number}" for sign, number in drawn)])
        return f"What is {text}?", _value(text)

    def canonical(self, task: SourceTask) -> str:
        """Returns the expression without the order of its operands."""
        return canonical_question(task.question)

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns whether the answer is the exact value, written as a number and not as an expression."""
        truth = arithmetic.number(task.answer)
        assert truth is not None
        value = arithmetic.number(answer)
        if value is None:
            return Verdict("invalid", "it is not a number")
        if value == truth and not arithmetic.right(answer, truth):
            return Verdict("invalid", "it is an expression")  # such as 14/2: neither the answer nor a wrong one
        return PASS if value == truth else Verdict("fail", "it is another number")

    def wrong(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns numbers near the right one."""
        truth = int(task.answer)
        return tuple(str(truth + d) for d in stream.shuffled(NEAR)[:n])

    def choices(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns neighbouring numbers, each as likely right. Distances between those of `wrong` give it away."""
        lowest = int(task.answer) - stream.below(n + 1)
        return tuple(stream.shuffled([str(lowest + i) for i in range(n + 1)]))

    def alike(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Answers to tasks of the same kind that lie near each other."""
        others = [int(self.make(task.kind, stream.bits() >> 33)[1]) for _ in range(POOL)]
        return beside(int(task.answer), others, n, stream)

    def _lists_answers_of_tasks(self) -> bool:
        return True  # `wrong`, `choices` and `alike` are for earlier versions of games, and for critics

    def solve(self, question: str) -> SourceTask | None:
        """Returns a task from a question that is one expression of + - * / on numbers; None if its value is so long
        that no answer of it can be read.
        """
        truth = arithmetic.value(question)
        read = truth is not None and arithmetic.number(str(truth)) is not None
        return SourceTask("", TaskKind("own", "own"), question, str(truth)) if read else None


@lru_cache(4096)
def _value(expression: str) -> str:
    """Returns the value of an expression; lists of answers ask for many, of few expressions if numbers are small."""
    truth = arithmetic.value(expression)
    assert truth is not None
    return str(truth)
