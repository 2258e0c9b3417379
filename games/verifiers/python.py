"""Untrusted Python: functions called and scripts run in the sandbox; every call has its own verdict.

The program never judges itself: it hands out plain data and what that is worth is decided outside. Each call is a
process of its own, so nothing goes from call to call, and `deterministic` runs all again elsewhere, as Absolute Zero
(Zhao et al. 2025, arXiv 2505.03335) asks of every task, but not in the same process, where a counter would pass.
"""

from __future__ import annotations

import json
import marshal
import math
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.verifiers import _inside, sandbox
from games.verifiers._inside import EXITED, FRAME, OVERFLOW, READY, SIGNALLED, TIMEOUT, encode
from games.verifiers.plain import NotPlain, Value, canonical, from_wire
from games.verifiers.sandbox import Finished, Limits
from games.verifiers.verdict import PASS, Verdict

USUAL = Limits()
_LONGEST_PROGRAM = 100_000
_NO_SANDBOX, _CUT, _STOPPED = b"e", b"k", b"w"  # calls without a frame: what became of their sandbox
_MOST_INPUT = 60_000  # characters on a script's standard input: they must fit into a pipe


@dataclass(frozen=True, slots=True)
class Run:
    """One call: whether it ran to its end (`pass`), and then its value, or what a script printed."""

    verdict: Verdict
    value: Value = None

    @property
    def canonical(self) -> str:
        """The text that equal values share; only after a pass."""
        return canonical(self.value)


def call(
    program: str, inputs: Sequence[Sequence[Value]], *, name: str = "f", limits: Limits = USUAL, hash_seed: int = 0
) -> list[Run]:
    """`name(*args)` of a program for each of `inputs`, in one sandbox, each in a fresh process.

    A call that ends or stops the sandbox says nothing of those after it: they have one of their own then. Raises
    NotPlain for inputs that are no plain data, MissingProgram, and InfrastructureError where no sandbox starts.
    """
    calls = [[_wire(a) for a in args] for args in inputs]
    job = {"mode": "function", "name": name, "program": program, "calls": calls}
    runs = _run(job, limits, 0, hash_seed)
    if len(calls) > 1:
        for i in [i for i, (status, _, _) in enumerate(runs) if status in (_CUT, _STOPPED)]:
            (runs[i],) = _run(job | {"calls": [calls[i]]}, limits, 0, hash_seed)
    return [_function(run) for run in runs]


def script(
    program: str,
    inputs: Sequence[str] = ("",),
    *,
    limits: Limits = USUAL,
    hash_seed: int = 0,
    binds: Sequence[str] = (),
) -> list[Run]:
    """A program run as a script, once for each text on standard input; the value is what it printed.

    Exit status 0 passes. All inputs share the files in /tmp; `binds` are files it may read and run besides Python.
    Raises as `call` does.
    """
    if any(len(text.encode(errors="replace")) > _MOST_INPUT for text in inputs):
        raise NotPlain(f"standard input of more than {_MOST_INPUT} bytes")
    job = {"mode": "script", "program": program, "calls": list(inputs)}
    return [_script(run) for run in _run(job, limits, limits.scratch, hash_seed, binds)]


def deterministic(
    program: str, inputs: Sequence[Sequence[Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[Run]:
    """As `call`, in two sandboxes, the second in the opposite order with other hashes; what differs is invalid."""
    first = call(program, inputs, name=name, limits=limits, hash_seed=1)
    if not any(run.verdict.ok for run in first):
        return first
    again = call(program, inputs[::-1], name=name, limits=limits, hash_seed=2)[::-1]
    return [_same(a, b) for a, b in zip(first, again, strict=True)]


def passes(
    program: str, cases: Sequence[tuple[Sequence[Value], Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[Verdict]:
    """One verdict for each case (arguments, expected value): whether the program returns exactly that."""
    runs = call(program, [args for args, _ in cases], name=name, limits=limits)
    return [_compared(run, expected) for run, (_, expected) in zip(runs, cases, strict=True)]


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Whether the program `answer` maps each input of `claim["cases"]`, pairs (arguments, value), to its value."""
    verdicts = passes(answer, claim["cases"], name=claim.get("name", "f"))
    return next((v for v in verdicts if not v.ok), PASS)


def _compared(run: Run, expected: Value) -> Verdict:
    if not run.verdict.ok:
        return run.verdict
    if run.canonical == canonical(expected):
        return PASS
    return Verdict("fail", f"it returned {_clip(run.value)}, not {_clip(expected)}")


def _same(a: Run, b: Run) -> Run:
    if not a.verdict.ok:
        return a
    if b.verdict.kind in ("timeout", "error"):
        return b
    if not b.verdict.ok or a.canonical != b.canonical:
        return Run(Verdict("invalid", "it is not deterministic: run again, it did something else"))
    return a


def _run(
    job: dict[str, Any], limits: Limits, scratch: int, hash_seed: int, binds: Sequence[str] = ()
) -> list[tuple[bytes, int, bytes]]:
    """One (status, number, bytes) for each call."""
    calls = job["calls"]
    if not calls:
        return []
    if len(job["program"]) > _LONGEST_PROGRAM:
        return [(b"!", 0, f"a program of more than {_LONGEST_PROGRAM} characters".encode())] * len(calls)
    job |= {
        "cpu": max(1, math.ceil(limits.seconds)), "wall": limits.clock, "memory": limits.memory, "scratch": scratch,
        "processes": limits.processes, "output": limits.output, "uid": sandbox.sandboxed_user(),
    }  # fmt: skip
    finished = sandbox.run(
        [sandbox.python(), "-S", "-s", "-B", *(["-P"] if sys.version_info >= (3, 11) else []), "-c", _source()],
        job=marshal.dumps(job),
        wall=(limits.clock + 1) * len(calls),
        output=(limits.output + FRAME.size) * (len(calls) + 1),
        binds=binds,
        scratch=scratch,
        environment=[("PYTHONHASHSEED", str(hash_seed))],
    )
    return _frames(finished, len(calls))


@lru_cache(1)
def _source() -> str:
    return Path(_inside.__file__).read_text(encoding="utf-8")


def _frames(finished: Finished, n: int) -> list[tuple[bytes, int, bytes]]:
    """The frames in order; calls without one were cut off by whoever ended the sandbox."""
    found: dict[int, tuple[bytes, int, bytes]] = {}
    data, at, ready = finished.output, 0, False
    while at + FRAME.size <= len(data):
        index, status, number, length = FRAME.unpack_from(data, at)
        at += FRAME.size
        if at + length > len(data):
            break
        if status == READY:
            ready = True
        else:
            found[index] = (status, number, data[at : at + length])
        at += length
    if not ready:
        reason = finished.errors.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        missing = (_NO_SANDBOX, 0, f"the sandbox did not start: {reason[0][:200]}".encode())
    elif finished.timed_out:
        missing = (_STOPPED, 0, b"")
    else:
        missing = (_CUT, 0, b"")
    return [found.get(i, missing) for i in range(n)]


def _ended(status: bytes, number: int, data: bytes) -> Verdict | None:
    """The verdict on a call that did not come to its own end; None where it did."""
    if status == EXITED:
        return None
    if status in (TIMEOUT, _STOPPED):
        return Verdict("timeout", "it ran into the limit of time")
    if status == SIGNALLED:
        return Verdict("fail", f"it was killed by {_signal(number)}")
    if status == OVERFLOW:
        return Verdict("fail", "it wrote more than it may")
    if status == b"!":
        return Verdict("invalid", data.decode())
    if status == _CUT:
        return Verdict("fail", "it ended its own sandbox")
    return Verdict("error", data.decode(errors="replace"))


def _function(run: tuple[bytes, int, bytes]) -> Run:
    status, number, data = run
    ended = _ended(status, number, data)
    if ended is not None:
        return Run(ended)
    try:
        answer = json.loads(data) if data else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or len(answer) != 1:
        return Run(Verdict("fail", f"it ended its process (exit status {number}) without a result"))
    ((kind, said),) = answer.items()
    if kind == "value":
        try:
            return Run(PASS, from_wire(said))
        except NotPlain as error:
            return Run(Verdict("invalid", str(error)))
    said = "".join(c for c in str(said)[:200] if c.isprintable())
    return Run(Verdict("fail", f"it raised {said}") if kind == "raised" else Verdict("invalid", said))


def _script(run: tuple[bytes, int, bytes]) -> Run:
    status, number, data = run
    ended = _ended(status, number, data)
    if ended is not None:
        return Run(ended)
    if number:
        return Run(Verdict("fail", f"it ended with exit status {number}"))
    try:
        return Run(PASS, data.decode())
    except UnicodeDecodeError:
        return Run(Verdict("invalid", "it printed bytes that are no UTF-8 text"))


def _wire(value: Value) -> Any:
    try:
        return encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotPlain(f"an input is no plain data: {error}") from None


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _clip(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


__all__ = ["USUAL", "Limits", "Run", "call", "deterministic", "passes", "script", "verify"]
