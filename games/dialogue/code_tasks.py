"""Tasks of code-io-v0: what makes one valid, and when an answer solves it. Programs run in the sandbox, nowhere else.

Answers and outputs are plain data, read as literals and compared as canonical texts: an object that equals everything
cannot be written down, and nothing a model writes is evaluated. Programs run several times, under two seeds of
Python's hashes, where a task is made and where answers are judged by it; what differs makes the task invalid.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

import msgspec

from games.dialogue import code_text
from games.errors import InfrastructureError
from games.verifiers import PASS, Verdict, python
from games.verifiers.plain import NotPlain, Value, arguments, canonical, literal

Kind = Literal["deduction", "abduction", "induction"]
KINDS: tuple[Kind, ...] = get_args(Kind)
BLOCK = {"deduction": "output", "abduction": "input", "induction": "python"}
"""what a solver writes"""
_MOST = 4096
LIMITS = python.Limits(seconds=2.0, wall=5.0, memory=256 << 20)
_UNSTEADY = f"the program {python.UNSTEADY.reason.removeprefix('it ')}"


class Task(msgspec.Struct, frozen=True):
    """A program with its inputs. `outputs` are canonical texts, in order; an induction's first half is shown."""

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
        """How many cases of an induction are shown; the others are hidden from the solvers."""
        return len(self.inputs) // 2

    def text(self) -> str:
        """The task for a pool: what was proposed, without what follows from it."""
        fields = {"kind": self.kind, "program": self.program, "inputs": self.inputs}
        return json.dumps(fields | ({"message": self.message} if self.message else {}), ensure_ascii=True)


def load(text: str) -> Task:
    """The task that `Task.text` wrote, not yet run. Raises Unfit."""
    try:
        raw = json.loads(text)
        kind, program, inputs = raw["kind"], raw["program"], tuple(raw["inputs"])
        message = raw.get("message", "")
    except (ValueError, TypeError, KeyError):
        raise code_text.Unfit("this is no task of code-io") from None
    if kind not in KINDS or not isinstance(program, str) or not all(isinstance(i, str) for i in inputs) or not inputs:
        raise code_text.Unfit("this is no task of code-io")
    return Task(kind, program, inputs, message if isinstance(message, str) else "")


def made(task: Task) -> Task:
    """The task with its outputs. Raises Unfit where it is not valid, InfrastructureError where nothing can be run."""
    program = code_text.program(task.program)
    inputs = tuple(_arguments(text) for text in task.inputs)
    found = _outputs(program, tuple(code_text.data(args) for args in inputs))
    if isinstance(found, str):
        raise code_text.Unfit(found)
    texts = tuple(", ".join(map(code_text.data, args)) for args in inputs)
    outputs, shown = found
    return Task(task.kind, program, texts, task.message, outputs, shown)


def verdicts(task: Task, answers: Mapping[str, str | None]) -> dict[str, Verdict]:
    """For each solver whether its block solves the task; None, no block, is invalid.

    Raises Unfit where judging shows that the task itself is not valid, and InfrastructureError.
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
    """Any arguments that lead to the output; equal ones are judged once, and the proposer's own are known to.

    Raises Unfit where the program does one thing in one run and another in the next.
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
            raise code_text.Unfit(_UNSTEADY)
        verdict = _same(run.value, task.outputs[0]) if run.verdict.ok else run.verdict
        found[key] = _remember((task.program, task.outputs[0], key), verdict)
    return [found[keys[text]] if text in keys else read[text] for text in answers]


def _induction(task: Task, answers: Sequence[str]) -> list[Verdict]:
    """Programs that do the right thing on the hidden half."""
    hidden = range(task.half, len(task.inputs))
    cases = [(_arguments(task.inputs[i]), literal(task.shown[i])) for i in hidden]
    return [_program(text, cases, repr(cases)) for text in answers]


def _program(text: str, cases: Sequence[tuple[Sequence[Value], Value]], key: str) -> Verdict:
    try:
        program = code_text.program(text)
    except code_text.Unfit as error:
        return Verdict("invalid", str(error))
    known = _SEEN.get((program, key, ""))
    if known is not None:
        return known
    found = python.passes(program, cases, limits=LIMITS)
    return _remember((program, key, ""), next((v for v in found if not v.ok), PASS))


_SEEN: OrderedDict[tuple[str, str, str], Verdict] = OrderedDict()
"""what the same program with the same question came to before: solvers repeat each other, and so do replays"""


def _remember(key: tuple[str, str, str], verdict: Verdict) -> Verdict:
    """Keep a verdict that depends on the program alone, not on how busy the machine was."""
    if verdict.kind not in ("timeout", "error"):
        _SEEN[key] = verdict
        if len(_SEEN) > _MOST:
            _SEEN.popitem(last=False)
    return verdict


def _same(value: Value | Verdict, gold: str) -> Verdict:
    if isinstance(value, Verdict):
        return value
    return PASS if canonical(value) == gold else Verdict("fail", "it is another value")


def _read(reader: Any, text: str) -> Value | Verdict:
    try:
        return reader(text)
    except NotPlain as error:
        return Verdict("invalid", str(error))


def _arguments(text: str) -> list[Value]:
    try:
        return arguments(text)
    except NotPlain as error:
        raise code_text.Unfit(f"an input is no plain data: {error}") from None


@lru_cache(1024)
def _established(program: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Outputs of a program that is deterministic on these inputs, canonical and as written. Raises Unfit."""
    runs: list[python.Run] = []
    for text in inputs:  # one by one: the first that fails decides
        runs += python.deterministic(program, [literal(text)], limits=LIMITS)
        verdict = runs[-1].verdict
        if verdict.kind == "error":
            raise InfrastructureError(f"the verifier failed: {verdict.reason}")
        if not verdict.ok:
            raise code_text.Unfit(f"the program {verdict.reason.removeprefix('it ')}")
    return tuple(run.canonical for run in runs), tuple(code_text.data(run.value) for run in runs)


def _outputs(program: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | str:
    """As `_established`, or why there are none. What failed is tried afresh the next time, so no delay is kept."""
    try:
        return _established(program, inputs)
    except code_text.Unfit as error:
        return str(error)
