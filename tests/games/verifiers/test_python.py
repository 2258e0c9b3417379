"""Untrusted Python: what honest programs get back, and what each kind of misbehaviour is called."""

import os
import threading

import pytest

from games.verifiers.plain_data import NotPlain, arguments, canonical, literal
from games.verifiers.python import USUAL, Limits, call, deterministic, passes
from tests import golden
from tests.games.verifiers.needs import sandboxed

pytestmark = sandboxed
QUICK = Limits(seconds=1, wall=2)  # for programs that must exceed them


def kinds(program, limits=USUAL):
    (run,) = call(program, [[1]], limits=limits)
    return run.verdict.kind


def test_plain_data_goes_in_and_out_unchanged():
    values = [None, True, 0, -7, 2.5, "ü\n\x00", [], [1, [2]], (1, (2,)), {1, 2}, {"a": [1], (1, 2): None, 3: {4}}]
    runs = call("def f(x): return x", [[v] for v in values])
    assert [run.value for run in runs] == values
    assert [type(run.value) for run in runs] == [type(v) for v in values]


def test_each_call_has_its_own_verdict():
    runs = call("def f(a, b): return a // b", [[6, 3], [1, 0], ["x", 1]])
    assert [run.verdict.kind for run in runs] == ["pass", "fail", "fail"]
    assert "ZeroDivisionError" in runs[1].verdict.reason


def test_hole_2_an_object_that_equals_everything_is_no_answer():
    """Absolute Zero evaluates `gold == answer`: a class with its own __eq__ is always right there."""
    liar = "class A:\n    __eq__ = lambda s, o: True\n    __repr__ = lambda s: '7'\ndef f(x): return A()"
    assert [v.kind for v in passes(liar, [((1,), 7)])] == ["invalid"]
    inside = "class A(int):\n    __eq__ = lambda s, o: True\ndef f(x): return [A(7)]"
    assert [v.kind for v in passes(inside, [((1,), [7])])] == ["invalid"]


def test_hole_3_a_counter_does_not_pass_for_deterministic():
    """Absolute Zero runs a program twice in one process, in which a counter goes wrong or right by luck."""
    program = "n = [0]\ndef f(x):\n    n[0] += 1\n    return n[0] > x"
    assert [run.value for run in deterministic(program, [[0], [1]])] == [True, False]


def test_nothing_goes_from_call_to_call():
    program = "n = 0\ndef f(x):\n    global n\n    n += 1\n    return n"
    assert [run.value for run in call(program, [[0], [0], [0]])] == [1, 1, 1]


@pytest.mark.parametrize(("program", "kind"), golden.rows(__file__, "python_misbehaviour_ends_in_its_class"))
def test_misbehaviour_ends_in_its_class(program, kind):
    assert kinds(program, QUICK if kind == "timeout" else USUAL) == kind


def test_nothing_of_this_machine_is_seen():
    program = golden.text(__file__, "python_nothing_of_this_machine_is_seen.py.txt")
    home, here = os.path.expanduser("~"), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    hidden = call(program, [["/etc"], [here], ["/proc"], ["/sys"], ["/var"]])
    assert [run.value for run in hidden] == ["FileNotFoundError"] * 5
    (listing,) = call(program, [[home]])
    assert listing.value in ("FileNotFoundError", [".pyenv"], ["bin", "lib"], []) or ".ssh" not in listing.value
    written = call(program, [["/x"], ["/tmp/x"], ["/usr/x"], ["/dev/x"]], name="g")
    assert all(run.value in ("OSError", "FileNotFoundError", "PermissionError") for run in written)
    (who,) = call(program, [[0]], name="h")
    assert who.value == [["HOME", "LC_ALL", "PWD", "PYTHONHASHSEED", "PYTHONUTF8"], True]


def test_there_is_no_network():
    program = "import socket\ndef f(kind):\n    socket.socket(getattr(socket, kind), socket.SOCK_STREAM)"
    runs = call(program, [["AF_INET"], ["AF_INET6"], ["AF_UNIX"]])
    assert [run.verdict.reason for run in runs] == ["it raised PermissionError"] * 3


FORKS = golden.text(__file__, "python_forks.py.txt")
THREAD = golden.text(__file__, "python_thread.py.txt")
GREEDY = golden.text(__file__, "python_greedy.py.txt")


def test_a_program_starts_no_process_and_no_thread():
    assert [run.value for run in call(FORKS, [[0], [0]])] == [0, 0]
    assert call(THREAD, [[0]])[0].value == "denied"


def test_the_memory_of_a_call_is_limited():
    held = call(GREEDY, [[0]], limits=Limits(memory=256 << 20))[0].value
    assert 64 < held < 256


def test_what_is_printed_is_no_result():
    forged = "import os, sys\ndef f(x):\n    print('{\"value\": 7}'); os.write(1, b'{\"value\": 7}'); os._exit(0)"
    assert kinds(forged) == "fail"
    assert call("def f(x):\n    print('7')\n    return 8", [[1]])[0].value == 8


def test_a_forged_frame_does_not_speak_for_other_calls():
    program = golden.text(__file__, "python_a_forged_frame_does_not_speak_for_other_calls.py.txt")
    assert [run.verdict.kind for run in call(program, [[0], [1]])] == ["fail", "fail"]


def test_who_kills_what_it_sees_does_not_decide_the_other_calls():
    """Whether the signal is forbidden or ignored depends on the user that runs the sandbox."""
    program = "import os\ndef f(x):\n    if x == 0: os.kill(-1, 9), os.kill(os.getppid(), 9)\n    return x"
    runs = call(program, [[0], [7], [0], [8]])
    assert [run.value for run in runs] == [None, 7, None, 8]


def test_patched_builtins_spoil_only_the_own_answer():
    program = golden.text(__file__, "python_patched_builtins_spoil_only_the_own_answer.py.txt")
    assert kinds(program) in ("fail", "invalid")


@pytest.mark.parametrize(
    "program",
    [
        "import os\ndef f(x): return os.urandom(4).hex()",
        "def f(x): return list({'a', 'b', 'c', 'd', 'e', 'f'})",
        "def f(x): return id(object()) + hash('a')",
        "import random\ndef f(x): return random.random()",
        "import time\ndef f(x): return time.time_ns()",
    ],
)
def test_what_is_not_deterministic_is_invalid(program):
    (run,) = deterministic(program, [[1]])
    assert run.verdict.kind == "invalid"
    assert run.value is None


def test_a_deterministic_program_keeps_its_values():
    runs = deterministic("import random\ndef f(x): return random.Random(x).random() < 2, {x}", [[1], [2]])
    assert [run.value for run in runs] == [(True, {1}), (True, {2})]


def test_cases_are_compared_as_data():
    verdicts = passes("def f(x): return [x]", [((1,), [1]), ((1,), (1,)), ((1,), [True]), ((1,), [1.0])])
    assert [v.kind for v in verdicts] == ["pass", "fail", "fail", "fail"]
    assert [v.reason for v in passes("def f(x): return x + x", [((2,), 4), ((3,), 9)])] == ["", "it returned 6, not 9"]


def test_it_runs_in_threads():
    found = {}
    threads = [
        threading.Thread(target=lambda i=i: found.update({i: call("def f(x): return x", [[i]])})) for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {i: runs[0].value for i, runs in found.items()} == {i: i for i in range(4)}


def test_literals_are_read_and_never_run():
    assert arguments("1, [2, 'a']") == [1, [2, "a"]]
    assert arguments("") == []
    assert arguments("(1, 2)") == [(1, 2)]
    assert arguments("(1), 2,") == [1, 2]
    assert arguments("1,\n2  # two") == [1, 2]
    # Absolute Zero's abduction template `gold == f(input)` takes the first of these for right (section 22, hole 1).
    for text in ["0) or True or (0", "__import__('os')", "f(1)", "1 +", "[" * 5000, "-" * 19_999 + "1", "9" * 30_000]:
        with pytest.raises(NotPlain):
            arguments(text)
    with pytest.raises(NotPlain):
        literal("1e999")


def test_canonical_texts():
    assert canonical({3, 1, 2}) == canonical({2, 3, 1})
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    different = [1, 1.0, True, "1", [1], (1,), {1}, {1: 1}, None, [[1]], ["1"]]
    assert len({canonical(v) for v in different}) == len(different)
    for value in (object(), float("inf"), [float("nan")], b"x"):
        with pytest.raises(NotPlain):
            canonical(value)


@pytest.mark.parametrize(
    "text", ["1)#", "1)(2", "1) + (2", "1)[(0", "1), (2", "1).f(2", "1)\n#", "*[1]", "x=1", ",", "\0"]
)
def test_arguments_are_read_as_a_whole_or_not_at_all(text):
    with pytest.raises(NotPlain):
        arguments(text)
