"""Untrusted Python: calls functions in the sandbox, with a verdict for each call.

A program never judges itself: it returns plain data, which is judged outside. Each call has its own sandbox (see
`_supervisor`), so no state passes from call to call. `deterministic` repeats all calls, as Absolute Zero (Zhao et al.
2025, arXiv 2505.03335) requires of every task, but in separate processes: within one process a counter would pass.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from games.errors import InfrastructureError, InputError
from games.quoting import byte_length
from games.randomness import RandomStream, derive
from games.verifiers import _python_child, sandbox
from games.verifiers import _supervisor as _supervisor_module
from games.verifiers._python_child import encode
from games.verifiers.plain_data import NotPlain, Value, canonical, from_wire
from games.verifiers.sandbox import Limits
from games.verifiers.seccomp import filter_program
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import Program, SandboxedWorkers

USUAL = Limits()
HASH_SEEDS = (1, 2)
"""hash seeds of Python; validation and judging use the same two"""
UNSTEADY = Verdict("invalid", "it is not deterministic: repeated calls gave different results")
_LIMITED = ("it raised MemoryError", "it was killed by SIGKILL", "it was killed by SIGSEGV")
_MOST_RETRIES = 3
_LONGEST_PROGRAM = 100_000
_GRACE = 30.0  # seconds after a call's own limit until its supervisor counts as dead


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """One call: whether it ran to completion (`pass`), and its value."""

    verdict: Verdict
    value: Value = None

    @property
    def hit_a_limit(self) -> bool:
        """Whether a limit of time, memory or output stopped it, or may have stopped it."""
        return self.verdict.kind == "timeout" or self.verdict.reason in _LIMITED

    @property
    def canonical(self) -> str:
        """The canonical text of the value; only after a pass."""
        return canonical(self.value)


def call(
    program: str,
    inputs: Sequence[Sequence[Value]],
    *,
    name: str = "f",
    limits: Limits = USUAL,
    hash_seed: int = HASH_SEEDS[0],
) -> list[ProgramRun]:
    """Call `name(*args)` of a program for each of `inputs`, each in its own sandbox and interpreter.

    Runs as many calls at once as there are cores. Raises NotPlain for inputs that are not plain data, MissingProgram,
    and InfrastructureError if no sandbox starts.
    """
    calls = [[program, name, [_wire(a) for a in args]] for args in inputs]
    if len(calls) < 2:
        return [_run(_reply(c, limits, hash_seed)) for c in calls]
    with ThreadPoolExecutor(min(len(calls), os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda c: _run(_reply(c, limits, hash_seed)), calls))


def deterministic(
    program: str, inputs: Sequence[Sequence[Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[ProgramRun]:
    """Make every call four times, twice per hash seed, in a different order each time; all `UNSTEADY` if one differs.

    A program can recognise a run by the clock or by object addresses, but it cannot answer differently in some runs
    without being found out. A call that hits a limit in only some runs is repeated with larger limits, so that a busy
    machine does not make a program unsteady. A call that hits a limit twice is not repeated.
    """
    results: list[list[ProgramRun]] = [[] for _ in inputs]
    order = RandomStream(derive(0, program, repr(inputs)))
    for seed in HASH_SEEDS * 2:
        left = [i for i, runs in enumerate(results) if len(runs) < 2 or not _all_late(runs)]
        left = order.shuffled(left)
        runs = call(program, [inputs[i] for i in left], name=name, limits=limits, hash_seed=seed)
        for i, run in zip(left, runs, strict=True):
            results[i].append(run)
    more = replace(limits, seconds=3 * limits.seconds, wall=3 * limits.clock)
    tries = _MOST_RETRIES
    for i, runs in enumerate(results):
        if not _agree(runs) and tries and any(run.hit_a_limit for run in runs):
            tries -= 1
            again = [inputs[i]] * 3
            results[i] = [r for s in HASH_SEEDS for r in call(program, again, name=name, limits=more, hash_seed=s)]
        if not _agree(results[i]):
            return [ProgramRun(UNSTEADY)] * len(inputs)
    return [next((run for run in runs if run.verdict.kind == "error"), runs[0]) for runs in results]


def passes(
    program: str, cases: Sequence[tuple[Sequence[Value], Value]], *, name: str = "f", limits: Limits = USUAL
) -> list[Verdict]:
    """Returns one verdict per case (arguments, expected value): whether the program returns exactly that value.

    No case runs after the first that does not pass, or after twice the time limit of one call; the verdicts of the
    remaining cases name the one that decided.
    """
    verdicts: list[Verdict] = []
    deadline = time.monotonic() + 2 * limits.clock
    for args, expected in cases:
        if verdicts and time.monotonic() > deadline:
            verdicts.append(Verdict("timeout", "all cases together exceeded the time limit"))
        else:
            verdicts.append(_compared(call(program, [args], name=name, limits=limits)[0], expected))
        if not verdicts[-1].ok:
            break
    if verdicts and not verdicts[-1].ok:
        decided = Verdict(verdicts[-1].kind, f"not run: case {len(verdicts)} decided ({verdicts[-1].reason})")
        verdicts += [decided] * (len(cases) - len(verdicts))
    return verdicts


def _compared(run: ProgramRun, expected: Value) -> Verdict:
    if not run.verdict.ok:
        return run.verdict
    if run.canonical == canonical(expected):
        return PASS
    return Verdict("fail", f"it returned {_clip(run.value)}, not {_clip(expected)}")


def _agree(runs: Sequence[ProgramRun]) -> bool:
    """Returns whether all runs agree. All failures count as equal, errors of the verifier do not count."""
    if any(run.verdict.kind == "error" for run in runs):
        return True
    return len({run.canonical if run.verdict.ok else None for run in runs}) == 1


def _all_late(runs: Sequence[ProgramRun]) -> bool:
    return all(run.verdict.kind == "timeout" for run in runs)


class _Reply(NamedTuple):
    """The output of one sandbox."""

    status: str
    number: int
    data: bytes


def _reply(request: list[Any], limits: Limits, hash_seed: int) -> _Reply:
    """Runs one call, a program with the name and the arguments of its function, in a sandbox of its own."""
    if byte_length(request[0]) > _LONGEST_PROGRAM:
        return _Reply("refused", 0, f"a program of more than {_LONGEST_PROGRAM} bytes".encode())
    job = {
        "call": request, "uid": sandbox.sandboxed_user(), "cpu": max(1, math.ceil(limits.seconds)),
        "wall": limits.clock, "memory": limits.memory, "output": limits.output,
    }  # fmt: skip
    for _ in range(2):  # retry if the system killed the supervisor; no program can do that
        reply = _supervisors(hash_seed).ask(job, limits.clock + _GRACE)
        if reply is not None and "error" in reply:
            return _Reply("error", 0, str(reply["error"]).encode())
        if reply is not None:
            return _Reply(reply["status"], reply["number"], reply["data"].encode("latin-1"))
    return _Reply("timeout", 0, b"")


@lru_cache(8)
def _supervisors(hash_seed: int) -> SandboxedWorkers:
    return SandboxedWorkers(lambda: _supervisor(hash_seed))


def stop() -> None:
    """Stop the idle supervisors; the next call starts new ones."""
    for seed in HASH_SEEDS:
        _supervisors(seed).close()


def _supervisor(hash_seed: int) -> Program:
    source, inside = (inspect.getsource(module) for module in (_supervisor_module, _python_child))
    setup = {"filter": filter_program(alone=True).hex(), "inside": inside}
    environment = (("PYTHONHASHSEED", str(hash_seed)),)
    return Program(("-c", source, json.dumps(setup)), (), environment, filtered=False)


def _ended(reply: _Reply) -> Verdict | None:
    """Returns the verdict on a call that did not end by itself; None if it did."""
    if reply.status == "exited":
        return None
    if reply.status == "timeout":
        return Verdict("timeout", "it exceeded the time limit")
    if reply.status == "signalled":
        return Verdict("fail", f"it was killed by {_signal(reply.number)}")
    if reply.status == "overflow":
        return Verdict("fail", "it exceeded the output limit")
    if reply.status == "refused":
        return Verdict("invalid", reply.data.decode())
    return Verdict("error", f"the sandbox failed: {reply.data.decode(errors='replace')}")


def _run(reply: _Reply) -> ProgramRun:
    ended = _ended(reply)
    if ended is not None:
        return ProgramRun(ended)
    try:
        answer = json.loads(reply.data) if reply.data else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or len(answer) != 1:
        return ProgramRun(Verdict("fail", f"it ended its process (exit status {reply.number}) without a result"))
    ((kind, what),) = answer.items()
    if kind == "value":
        try:
            return ProgramRun(PASS, from_wire(what))
        except NotPlain as error:
            return ProgramRun(Verdict("invalid", str(error)))
    what = "".join(c for c in str(what)[:200] if c.isprintable())
    return ProgramRun(Verdict("fail", f"it raised {what}") if kind == "raised" else Verdict("invalid", what))


def _wire(value: Value) -> Any:
    try:
        return encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotPlain(f"an input is not plain data: {error}") from None


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _clip(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


@lru_cache(1)
def unavailable() -> str | None:
    """Run a program; return None if that works, otherwise why not, in one line."""
    try:
        (run,) = call("def f(x): return x + 1", [[1]])
    except (InputError, InfrastructureError) as error:
        return str(error)
    return None if run.value == 2 else f"the sandbox does not work on this machine: {run.verdict}"


__all__ = [
    "USUAL",
    "Limits",
    "ProgramRun",
    "call",
    "deterministic",
    "passes",
    "stop",
    "unavailable",
]
