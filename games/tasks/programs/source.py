"""The task source `programs`: what does this program return?

Programs are pipelines of generated steps. They are evaluated step by step here and never executed; an answer is parsed
as a literal and never evaluated. code-io shows them to proposers as examples and asks for their description.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from annotated_types import Interval

from games.naming import Name
from games.parameters import canonical
from games.randomness import RandomStream, derive
from games.tasks.programs.canonical import canonical_program
from games.tasks.programs.steps import CONSTANTS, SQUARE, STEPS, WORDS, Step, Type
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers.plain_data import NotPlain, literal
from games.verifiers.plain_data import canonical as canonical_value
from games.verifiers.verdict import PASS, Verdict

TYPES: tuple[Type, ...] = ("number", "list", "text")
_CALL = "\nWhat does f("


class TaskProgram(NamedTuple):
    """A program, arguments for it as literals, and what it does in words."""

    code: str
    inputs: tuple[str, ...]
    words: str


class ProgramSource(TaskSource):
    """Generated programs: what does this one return? A program belongs to one split.

    argument: the type of the argument, or all. steps: the largest number of steps.
    """

    name = "programs"

    def __init__(
        self,
        argument: Literal["all", "number", "list", "text"] = "all",
        steps: Annotated[int, Interval(ge=1, le=6)] = 3,
        split: Split = "train",
    ) -> None:
        types = TYPES if argument == "all" else (argument,)
        params = {"argument": argument, "steps": steps, "split": split}
        kinds = [TaskKind(t, str(n)) for t in types for n in range(1, steps + 1)]
        super().__init__(str(Name(self.name, canonical(ProgramSource, params))), kinds, split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the program that the number draws, called once."""
        program, results = _program(kind, number, 1)
        return f"{program.code}{_CALL}{program.inputs[0]}) return?", results[0]

    def posed(self, task: SourceTask) -> tuple[str, str]:
        """Returns the program of a question and its argument, as a literal."""
        code, _, rest = task.question.partition(_CALL)
        return code, rest.rpartition(")")[0]

    def canonical(self, task: SourceTask) -> str:
        """Returns the form of the program, which decides the split, and on a second line its arguments."""
        code, argument = self.posed(task)
        return f"{canonical_program(code, numbers=task.kind.family == 'number')}\n{argument}"

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns whether the answer is the same plain data: 6 is not 6.0, and 'a' is not a."""
        try:
            value = canonical_value(literal(answer))
        except NotPlain as error:
            return Verdict("invalid", str(error))
        same = value == canonical_value(literal(task.answer))
        return PASS if same else Verdict("fail", "it is another value")

    def program(self, seed: int, inputs: int) -> TaskProgram:
        """Returns the program of a seed with so many different arguments."""
        task = self.draw(seed)
        return _program(task.kind, int(task.id.split("/")[-2], 16), inputs)[0]


def _program(kind: TaskKind, number: int, inputs: int) -> tuple[TaskProgram, list[str]]:
    """Returns a program with arguments, and its results on them."""
    stream = RandomStream(derive(number, "programs", str(kind)))
    first = now = next(t for t in TYPES if t == kind.family)
    chosen: list[tuple[Step, int]] = []
    for _ in range(int(kind.difficulty)):
        squared = any(step is SQUARE for step, _ in chosen)  # a square of squares has too many digits
        step = stream.choice([s for s in STEPS if s.takes == now and not (squared and s is SQUARE)])
        chosen.append((step, stream.choice(CONSTANTS)))
        now = step.gives
    arguments: list[object] = []
    results = []
    while len(arguments) < inputs:
        value = result = argument_of(first, stream)
        if value in arguments:
            continue
        for step, c in chosen:
            result = step.run(result, c)
        arguments.append(value)
        results.append(repr(result))
    lines = [f"    x = {step.code.format(c=c)}" for step, c in chosen]
    code = "\n".join(["def f(x):", *lines, "    return x"])
    words = " ".join(step.words.format(c=c) for step, c in chosen)
    return TaskProgram(code, tuple(map(repr, arguments)), words), results


def argument_of(kind: Type, stream: RandomStream) -> object:
    """Returns a random argument of a type."""
    if kind == "number":
        return stream.below(40) - 10
    if kind == "list":
        return [stream.below(20) - 5 for _ in range(1 + stream.below(5))]
    return stream.choice(WORDS) + stream.choice(("", "s", "y", "e"))
