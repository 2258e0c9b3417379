"""Every call is alone: no state, limit, input or process of another call, and nothing that tells which call it is."""

import shutil
import threading
import time

import pytest

from games import InputError
from games.verifiers import maths, python
from games.verifiers.python import HASH_SEEDS, UNSTEADY, Limits, call, deterministic, passes
from games.verifiers.workers import FairLock, Program, SandboxedWorkers, library
from tests import golden
from tests.games.verifiers.needs import mathematical, sandboxed

pytestmark = sandboxed


@pytest.mark.parametrize("body", golden.rows(__file__, "isolation_calls_cannot_be_told_apart"))
def test_calls_cannot_be_told_apart(body):
    program = f"""
import gc, os, resource, signal, sys
def opened(fd):
    try: os.fstat(fd)
    except OSError: return False
    return True
def f(x):
    if x == 'child': return 0
    try: return g()
    except OSError as error: return type(error).__name__
def g():
    {(chr(10) + "    ").join(body.split("; "))}
"""
    runs = call(program, [[i % 2 + 1] for i in range(4)])
    assert len({str(run) for run in runs}) == 1, runs


def test_nothing_is_left_for_the_next_call():
    """Each call starts after the one before has ended, with the full limits."""
    program = golden.text(__file__, "isolation_nothing_is_left_for_the_next_call.py.txt")
    assert [run.value for run in call(program, [[0]] * 3)] == [True] * 3


def test_the_frames_and_objects_below_a_program_hold_its_own_call_alone():
    program = golden.text(__file__, "isolation_the_frames_and_objects_below_a_program_hold_its_own_call_alone.py.txt")
    runs = call(program, [[f"MARK{i}"] for i in range(4)])
    assert [run.value for run in runs] == [[f"MARK{i}"] for i in range(4)]


def test_a_program_cannot_touch_what_supervises_it():
    """Root runs it as another user; otherwise a program can reach its own init process and lose its own answer."""
    program = golden.text(__file__, "isolation_a_program_cannot_touch_what_supervises_it.py.txt")
    runs = call(program, [[1], [0], [1], [0]])
    assert [run.value for run in runs][1::2] == [1, 1]
    assert all(run.value == 1 or not run.verdict.ok for run in runs)


def test_validation_and_judging_use_the_same_seeds_of_hashes():
    program = "def f(x): return hash('a')"
    judged = {call(program, [[i]], hash_seed=seed)[0].value for i in range(2) for seed in HASH_SEEDS}
    assert len(judged) == 2
    assert call(program, [[1]])[0].value == call(program, [[1]], hash_seed=HASH_SEEDS[0])[0].value
    assert deterministic(program, [[1]])[0].verdict == UNSTEADY


@pytest.mark.parametrize("way", ["raise ValueError", "os._exit(0)", "os.kill(os.getpid(), 9)", "return [0] * 10**11"])
def test_one_run_that_fails_where_another_passes_is_unsteady(way):
    (known,) = call("def f(x): return hash('a')", [[1]], hash_seed=HASH_SEEDS[0])
    program = f"import os\ndef f(x):\n    if hash('a') == {known.value}: {way}\n    return x"
    assert {run.verdict for run in deterministic(program, [[1], [2]])} == {UNSTEADY}


def test_cases_end_with_the_first_that_fails():
    """Two programs that sleep took ten times as long, and held a place for all of it."""
    began = time.monotonic()
    limits = Limits(seconds=1, wall=2)
    verdicts = passes("import time\ndef f(x): time.sleep(60)", [((i,), i) for i in range(30)], limits=limits)
    assert [v.kind for v in verdicts] == ["timeout"] * 30
    assert verdicts[7].reason == "not run: case 1 decided (it exceeded the time limit)"
    assert time.monotonic() - began < 30 * limits.clock


def test_all_cases_together_have_a_limit():
    limits = Limits(seconds=1, wall=2)
    program = "import time\ndef f(x):\n    time.sleep(1.2)\n    return x"
    verdicts = passes(program, [((i,), i) for i in range(30)], limits=limits)
    assert verdicts[-1].kind == "timeout"


@mathematical
@pytest.mark.parametrize("kind", ["python", "maths"])
def test_without_bubblewrap_nothing_is_judged(kind, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    module = {"python": python, "maths": maths}[kind]
    monkeypatch.setattr(module, "_supervisors" if kind == "python" else "_workers", _fresh(module))
    with pytest.raises(InputError, match="type: apt-get install bubblewrap"):
        {
            "python": lambda: call("def f(x): return x", [[1]]),
            "maths": lambda: maths.equal("1", "2"),
        }[kind]()


def _fresh(module):
    """The same workers, none of which is running."""
    name = "_supervisors" if module is python else "_workers"
    make = getattr(module, name).__wrapped__
    return lambda *args: make(*args)


@mathematical
@pytest.mark.parametrize("what", ["files", "network", "processes"])
def test_libraries_are_in_a_sandbox_too(what):
    workers = SandboxedWorkers(_outside, 1)
    try:
        said = workers.ask({"what": what}, 60)
    finally:
        workers.close()
    assert said == {"reached": []}


def _outside():
    """A worker that tries to get out."""
    source = golden.text(__file__, "isolation_outside.py.txt")
    real = library("games.verifiers._maths_child", "sympy")
    return Program(("-c", source, *real.words[2:]), real.binds, real.environment)


def test_a_supervisor_that_is_gone_is_replaced():
    assert call("def f(x): return x", [[1]])[0].value == 1
    workers = python._supervisors(HASH_SEEDS[0])
    for process in workers._idle:
        process._process.kill()
    assert call("def f(x): return x", [[2]])[0].value == 2
    assert python.unavailable() is None


def test_places_are_given_in_the_order_of_asking():
    """A thread that asks again queues behind all that wait; before, 2 of 1,000 programs waited to the end."""
    turns, served = FairLock(1), []

    def take(name):
        turns.__enter__()
        served.append(name)

    threads = [threading.Thread(target=take, args=(name,)) for name in range(3)]
    with turns:
        for thread in threads:
            waiting = len(turns.waiting)
            thread.start()
            while len(turns.waiting) == waiting:
                time.sleep(0.001)
    for n in range(3):
        threads[n].join()
        assert served == list(range(n + 1))
        turns.__exit__()
    with turns:
        assert turns.free == 0
    assert turns.free == 1
