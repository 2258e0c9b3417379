"""Untrusted Python: functions called and scripts run in the sandbox; every call has its own verdict.

The program never judges itself: it hands out plain data and what that is worth is decided outside. Each call has a
sandbox of its own (see `_supervisor`), so nothing goes from call to call, and `deterministic` runs all again, as
Absolute Zero (Zhao et al. 2025, arXiv 2505.03335) asks of every task, but not in the same process, where a counter
would pass.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from games.randomness import Stream, derive
from games.verifiers import _inside, sandbox
from games.verifiers import _supervisor as _supervisor_module
from games.verifiers._inside import encode
from games.verifiers.plain import NotPlain, Value, canonical, from_wire
from games.verifiers.sandbox import Limits
from games.verifiers.seccomp import filter_program
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import Program, Workers

USUAL = Limits()
HASH_SEEDS = (1, 2)
"""seeds of Python's hashes, the same two where a program is validated and where answers are judged by it"""
UNSTEADY = Verdict("invalid", "it is not deterministic: run again, it did something else")
_LIMITED = ("it raised MemoryError", "it was killed by SIGKILL", "it was killed by SIGSEGV")
_MOST_RETRIES = 3
_LONGEST_PROGRAM = 100_000
_MOST_INPUT = 60_000  # characters on a script's standard input: they must fit into a pipe
_GRACE = 30.0  # seconds beyond a call's own limit, which the supervisor keeps, until it counts as gone


@dataclass(frozen=True, slots=True)
class Run:
    """One call: whether it ran to its end (`pass`), and then its value, or what a script printed."""

    verdict: Verdict
    value: Value = None

    @property
    def hit_a_limit(self) -> bool:
        """Whether it was stopped by a limit, or may have been: of time, of memory, of output."""
        return self.verdict.kind == "timeout" or self.verdict.reason in _LIMITED

    @property
    def canonical(self) -> str:
        """The text that equal values share; only after a pass."""
        return canonical(self.value)


def call(
    program: str,
    inputs: Sequence[Sequence[Value]],
    *,
    name: str = "f",
    limits: Limits = USUAL,
    hash_seed: int = HASH_SEEDS[0],
) -> list[Run]:
    """`name(*args)` of a program for each of `inputs`, each in a sandbox and a fresh interpreter of its own.

    As many run at once as there are cores. Raises NotPlain for inputs that are no plain data, MissingProgram, and
    InfrastructureError where no sandbox starts.
    """
    return _calls(program, inputs, name, limits, hash_seed)


def _calls(program: str, inputs: Sequence[Sequence[Value]], name: str, limits: Limits, hash_seed: int) -> list[Run]:
    calls = [_Call("function", program, name, [_wire(a) for a in args], hash_seed) for args in inputs]
    return [_function(said) for said in _all(calls, limits)]


def script(
    program: str,
    inputs: Sequence[str] = ("",),
    *,
    limits: Limits = USUAL,
    binds: Sequence[str] = (),
) -> list[Run]:
    """A program run as a script, once for each text on standard input; the value is what it printed.

    Exit status 0 passes. Each has a /tmp of its own; `binds` are files it may read and run besides Python. Raises as
    `call` does.
    """
    if any(len(text.encode(errors="replace")) > _MOST_INPUT for text in inputs):
        raise NotPlain(f"standard input of more than {_MOST_INPUT} bytes")
    calls = [_Call("script", program, "", text, HASH_SEEDS[0], limits.scratch, tuple(binds)) for text in inputs]
    return [_script(said) for said in _all(calls, limits)]


def deterministic(
    program: str, inputs: Sequence[Sequence[Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[Run]:
    """Every call four times, twice with each seed of hashes, in another order each time; all `UNSTEADY` if one differs.

    A program can always tell one run from another, by the clock or the addresses of its objects; what it cannot do is
    to answer otherwise in some runs than in others and not be found out. What hit a limit in some of them only is tried
    again with more, so that a busy machine makes no program unsteady; what hit one twice is not run again.
    """
    found: list[list[Run]] = [[] for _ in inputs]
    order = Stream(derive(0, program, repr(inputs)))
    for seed in HASH_SEEDS * 2:
        left = [i for i, runs in enumerate(found) if len(runs) < 2 or not _all_late(runs)]
        left = order.shuffled(left)
        for i, run in zip(left, _calls(program, [inputs[i] for i in left], name, limits, seed), strict=True):
            found[i].append(run)
    more = replace(limits, seconds=3 * limits.seconds, wall=3 * limits.clock)
    tries = _MOST_RETRIES
    for i, runs in enumerate(found):
        if not _agree(runs) and tries and any(run.hit_a_limit for run in runs):
            tries -= 1
            found[i] = [run for seed in HASH_SEEDS for run in _calls(program, [inputs[i]] * 3, name, more, seed)]
        if not _agree(found[i]):
            return [Run(UNSTEADY)] * len(inputs)
    return [next((run for run in runs if run.verdict.kind == "error"), runs[0]) for runs in found]


def passes(
    program: str, cases: Sequence[tuple[Sequence[Value], Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[Verdict]:
    """One verdict for each case (arguments, expected value): whether the program returns exactly that.

    After the first case that does not pass none is run, and none after twice the time of one call: the others are told
    what decided.
    """
    verdicts: list[Verdict] = []
    deadline = time.monotonic() + 2 * limits.clock
    for args, expected in cases:
        if verdicts and time.monotonic() > deadline:
            verdicts.append(Verdict("timeout", "all cases together ran into the limit of time"))
        else:
            verdicts.append(_compared(call(program, [args], name=name, limits=limits)[0], expected))
        if not verdicts[-1].ok:
            break
    if verdicts and not verdicts[-1].ok:
        decided = Verdict(verdicts[-1].kind, f"not run: case {len(verdicts)} decided ({verdicts[-1].reason})")
        verdicts += [decided] * (len(cases) - len(verdicts))
    return verdicts


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


def _agree(runs: Sequence[Run]) -> bool:
    """Whether all runs did the same; which of several ways to fail it was does not matter, nor a fault of ours."""
    if any(run.verdict.kind == "error" for run in runs):
        return True
    return len({run.canonical if run.verdict.ok else None for run in runs}) == 1


def _all_late(runs: Sequence[Run]) -> bool:
    return all(run.verdict.kind == "timeout" for run in runs)


@dataclass(frozen=True, slots=True)
class _Call:
    """What one sandbox is given."""

    mode: str
    program: str
    name: str
    given: Any
    hash_seed: int
    scratch: int = 0
    binds: tuple[str, ...] = ()


class _Said(NamedTuple):
    """What came out of one sandbox."""

    status: str
    number: int
    data: bytes


def _all(calls: Sequence[_Call], limits: Limits) -> list[_Said]:
    """Every call in a sandbox of its own, several at once."""
    if len(calls) < 2:
        return [_one(c, limits) for c in calls]
    with ThreadPoolExecutor(min(len(calls), os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda c: _one(c, limits), calls))


def _one(given: _Call, limits: Limits) -> _Said:
    if len(given.program) > _LONGEST_PROGRAM:
        return _Said("refused", 0, f"a program of more than {_LONGEST_PROGRAM} characters".encode())
    job = {
        "call": [given.mode, given.program, given.name, given.given], "scratch": given.scratch,
        "files": limits.files, "uid": sandbox.sandboxed_user(),
        "cpu": max(1, math.ceil(limits.seconds)), "wall": limits.clock, "memory": limits.memory,
        "processes": limits.processes, "output": limits.output,
    }  # fmt: skip
    for _ in range(2):  # once more where the machine took the supervisor away, which no program can
        said = _supervisors(given.hash_seed, given.binds).ask(job, limits.clock + _GRACE)
        if said is not None and "error" in said:
            return _Said("error", 0, str(said["error"]).encode())
        if said is not None:
            return _Said(said["status"], said["number"], said["data"].encode("latin-1"))
    return _Said("timeout", 0, b"")


@lru_cache(8)
def _supervisors(hash_seed: int, binds: tuple[str, ...]) -> Workers:
    return Workers(lambda: _supervisor(hash_seed, binds))


def stop() -> None:
    """End the supervisors that wait for calls; the next call starts others."""
    for seed in HASH_SEEDS:
        _supervisors(seed, ()).close()


def _supervisor(hash_seed: int, binds: tuple[str, ...]) -> Program:
    source, inside = (inspect.getsource(module) for module in (_supervisor_module, _inside))
    setup = {"filter": filter_program().hex(), "inside": inside}
    environment = (("PYTHONHASHSEED", str(hash_seed)),)
    return Program(("-c", source, json.dumps(setup)), binds, environment, filtered=False)


def _ended(said: _Said) -> Verdict | None:
    """The verdict on a call that did not come to its own end; None where it did."""
    if said.status == "exited":
        return None
    if said.status == "timeout":
        return Verdict("timeout", "it ran into the limit of time")
    if said.status == "signalled":
        return Verdict("fail", f"it was killed by {_signal(said.number)}")
    if said.status == "overflow":
        return Verdict("fail", "it wrote more than it may")
    if said.status == "refused":
        return Verdict("invalid", said.data.decode())
    return Verdict("error", f"the sandbox failed: {said.data.decode(errors='replace')}")


def _function(said: _Said) -> Run:
    ended = _ended(said)
    if ended is not None:
        return Run(ended)
    try:
        answer = json.loads(said.data) if said.data else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or len(answer) != 1:
        return Run(Verdict("fail", f"it ended its process (exit status {said.number}) without a result"))
    ((kind, what),) = answer.items()
    if kind == "value":
        try:
            return Run(PASS, from_wire(what))
        except NotPlain as error:
            return Run(Verdict("invalid", str(error)))
    what = "".join(c for c in str(what)[:200] if c.isprintable())
    return Run(Verdict("fail", f"it raised {what}") if kind == "raised" else Verdict("invalid", what))


def _script(said: _Said) -> Run:
    ended = _ended(said)
    if ended is not None:
        return Run(ended)
    if said.number:
        return Run(Verdict("fail", f"it ended with exit status {said.number}"))
    try:
        return Run(PASS, said.data.decode())
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


__all__ = ["USUAL", "Limits", "Run", "call", "deterministic", "passes", "script", "stop", "verify"]
