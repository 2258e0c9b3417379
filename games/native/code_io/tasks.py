"""The tasks of code-io: whether a task is valid, and whether an answer solves it. Programs run only in the sandbox.

Answers and outputs are plain data, parsed as literals and compared as canonical texts: nothing a model writes is
evaluated, and an object that equals everything cannot be written. Programs run several times, with two hash seeds, both
when a task is made and when answers are judged; a difference makes the task invalid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

import msgspec

from games.errors import InfrastructureError
from games.native.code_io import programs
from games.native.code_io.cache import BoundedCache
from games.tasks.programs.canonical import canonical_program
from games.verifiers import PASS, Verdict, python
from games.verifiers.plain_data import NotPlain, Value, arguments, canonical, literal

Kind = Literal["deduction", "abduction", "induction"]
KINDS: tuple[Kind, ...] = get_args(Kind)
BLOCK = {"deduction": "output", "abduction": "input", "induction": "python"}
"""kind of task -> the block that a solver writes"""
LIMITS = python.Limits(seconds=2.0, wall=5.0, memory=256 << 20)
_UNSTEADY = f"the program {python.UNSTEADY.reason.removeprefix('it ')}"


class Task(msgspec.Struct, frozen=True):
    """A program with its inputs. `outputs` are canonical texts; solvers of an induction see the first half."""

    kind: Kind
    program: str
    inputs: tuple[str, ...]
    """the arguments of each call, as harmless literals without the outer parentheses"""
    message: str = ""
    outputs: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    """the outputs as Python writes them"""

    @property
    def half(self) -> int:
        """The number of shown cases of an induction; the others are hidden from the solvers."""
        return len(self.inputs) // 2

    def text(self) -> str:
        """The task for a pool: the proposal without its outputs."""
        fields = {"kind": self.kind, "program": self.program, "inputs": self.inputs}
        return json.dumps(fields | ({"message": self.message} if self.message else {}), ensure_ascii=True)

    def canonical(self) -> str:
        """The form of the program and its inputs, without the names, the order of operands and the description."""
        numbers = all(type(value) in (int, float) for text in self.inputs for value in _arguments(text))
        return f"{canonical_program(self.program, numbers=numbers)}\n{self.kind}: {'; '.join(sorted(self.inputs))}"


_REFERENCES = "references"
_MOST_REFERENCES = 6


def referring(texts: Sequence[str]) -> str:
    """Returns the text of a match whose proposer is shown these earlier tasks."""
    return json.dumps({_REFERENCES: list(texts)[:_MOST_REFERENCES]}, ensure_ascii=True)


def references(text: str) -> tuple[Task, ...]:
    """The tasks in a text of `referring`, () for another text. Raises Unfit."""
    if not text.startswith(f'{{"{_REFERENCES}"'):
        return ()
    try:
        texts = json.loads(text)[_REFERENCES]
    except ValueError:
        raise programs.Unfit("this is no list of tasks of code-io") from None
    if not isinstance(texts, list) or len(texts) > _MOST_REFERENCES or not all(isinstance(t, str) for t in texts):
        raise programs.Unfit(f"a match refers to at most {_MOST_REFERENCES} tasks of code-io")
    return tuple(map(load, texts))


def load(text: str) -> Task:
    """The task in a text of `Task.text`, without its outputs. Raises Unfit."""
    try:
        raw = json.loads(text)
        kind, program, inputs = raw["kind"], raw["program"], tuple(raw["inputs"])
        message = raw.get("message", "")
    except (ValueError, TypeError, KeyError):
        raise programs.Unfit("this is not a task of code-io") from None
    if kind not in KINDS or not isinstance(program, str) or not all(isinstance(i, str) for i in inputs) or not inputs:
        raise programs.Unfit("this is not a task of code-io")
    return Task(kind, program, inputs, message if isinstance(message, str) else "")


def made(task: Task) -> Task:
    """The task with its outputs. Raises Unfit if it is not valid, InfrastructureError if the sandbox fails."""
    program = programs.program(task.program)
    inputs = tuple(_arguments(text) for text in task.inputs)
    found = _outputs(program, tuple(programs.data(args) for args in inputs))
    if isinstance(found, str):
        raise programs.Unfit(found)
    texts = tuple(", ".join(map(programs.data, args)) for args in inputs)
    outputs, shown = found
    return Task(task.kind, program, texts, task.message, outputs, shown)


def verdicts(task: Task, answers: Mapping[str, str | None]) -> dict[str, Verdict]:
    """The verdict on each solver's block; None, a missing block, is invalid.

    Raises Unfit if judging shows that the task itself is not valid, and InfrastructureError if the sandbox fails.
    """
    judge = {"deduction": _deduction, "abduction": _abduction, "induction": _induction}[task.kind]
    given = {seat: text for seat, text in answers.items() if text is not None}
    found = dict(zip(given, judge(task, list(given.values())), strict=True))
    for verdict in found.values():
        if verdict.kind == "error":
            raise InfrastructureError(f"the verifier failed: {verdict.reason}")
    return {seat: found.get(seat, Verdict("invalid", "no answer could be read")) for seat in answers}


def _deduction(task: Task, answers: Sequence[str]) -> list[Verdict]:
    return [_same(_read(literal, text), task.outputs[0]) for text in answers]


def _abduction(task: Task, answers: Sequence[str]) -> list[Verdict]:
    """Any arguments that lead to the output pass; equal arguments are judged once.

    Raises Unfit if two runs of the program differ.
    """
    read: dict[str, Any] = {text: _read(arguments, text) for text in answers}
    keys = {text: canonical(args) for text, args in read.items() if not isinstance(args, Verdict)}
    found = {canonical(_arguments(task.inputs[0])): PASS}
    for key in keys.values():
        known = _SEEN.get((task.program, task.outputs[0], key))
        if known is not None:
            found[key] = known
    left = {key: list(read[text]) for text, key in keys.items() if key not in found}
    runs = python.deterministic(task.program, list(left.values()), limits=LIMITS)
    for key, run in zip(left, runs, strict=True):
        if run.verdict == python.UNSTEADY:
            raise programs.Unfit(_UNSTEADY)
        verdict = _same(run.value, task.outputs[0]) if run.verdict.ok else run.verdict
        found[key] = _remember((task.program, task.outputs[0], key), verdict)
    return [found[keys[text]] if text in keys else read[text] for text in answers]


def _induction(task: Task, answers: Sequence[str]) -> list[Verdict]:
    """Programs that give the right outputs for the hidden half pass."""
    hidden = range(task.half, len(task.inputs))
    cases = [(_arguments(task.inputs[i]), literal(task.shown[i])) for i in hidden]
    return [_program(text, cases, repr(cases)) for text in answers]


def _program(text: str, cases: Sequence[tuple[Sequence[Value], Value]], key: str) -> Verdict:
    try:
        program = programs.program(text)
    except programs.Unfit as error:
        return Verdict("invalid", str(error))
    known = _SEEN.get((program, key, ""))
    if known is not None:
        return known
    found = python.passes(program, cases, limits=LIMITS)
    return _remember((program, key, ""), next((v for v in found if not v.ok), PASS))


_SEEN: BoundedCache[tuple[str, str, str], Verdict] = BoundedCache(4096)
"""earlier verdicts on the same program and question"""


def _remember(key: tuple[str, str, str], verdict: Verdict) -> Verdict:
    """Cache a verdict, unless it may depend on the load of the machine."""
    return verdict if verdict.kind in ("timeout", "error") else _SEEN.put(key, verdict)


def _same(value: Value | Verdict, gold: str) -> Verdict:
    if isinstance(value, Verdict):
        return value
    return PASS if canonical(value) == gold else Verdict("fail", f"it is another value: {programs.data(value)[:200]}")


def _read(reader: Any, text: str) -> Value | Verdict:
    try:
        return reader(text)
    except NotPlain as error:
        return Verdict("invalid", str(error))


def _arguments(text: str) -> list[Value]:
    try:
        return arguments(text)
    except NotPlain as error:
        raise programs.Unfit(f"an input is not plain data: {error}") from None


@lru_cache(1024)
def _established(program: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The outputs of a deterministic program, as canonical texts and as Python writes them. Raises Unfit."""
    runs: list[python.ProgramRun] = []
    for text in inputs:  # one at a time: the first failure decides
        runs += python.deterministic(program, [literal(text)], limits=LIMITS)
        verdict = runs[-1].verdict
        if verdict.kind == "error":
            raise InfrastructureError(f"the verifier failed: {verdict.reason}")
        if not verdict.ok:
            raise programs.Unfit(f"the program {verdict.reason.removeprefix('it ')}")
    return tuple(run.canonical for run in runs), tuple(programs.data(run.value) for run in runs)


def _outputs(program: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | str:
    """As `_established`, or the reason if it fails. Failures are not cached, because a timeout may not repeat."""
    try:
        return _established(program, inputs)
    except programs.Unfit as error:
        return str(error)
