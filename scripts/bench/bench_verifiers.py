"""Verifiers next to their bare tools: sandboxed calls next to bubblewrap, proofs next to `metamath`; comparing answers.

    python scripts/bench/bench_verifiers.py [--runs 3] [--databases ql,iset,set] [--before FOLDER]

With `--before`, the folder of another checkout, the sandboxed calls of both are measured alternately.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _bench import machine_line, table

from games.proofs import Database, check, judge
from games.proofs.formula import parse
from games.verifiers import maths, sandbox
from games.verifiers.python import call
from games.verifiers.seccomp import filter_program

DATABASES = Path("/usr/share/metamath/databases")
PROGRAM = "def f(x): return x + 1"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--databases", default="ql,iset,set")
    parser.add_argument("--before", default="")
    given = parser.parse_args()
    print(sandboxes(given.runs), "\n")
    if given.before:
        print(in_turns(given.runs, given.before), "\n")
    print(proofs(given.databases.split(",")), "\n")
    print(answers(given.runs), "\n")
    print(machine_line("sympy"))


def rate(work: Callable[[], object], calls: int, runs: int) -> tuple[float, float, float]:
    """Calls per second: median, smallest and largest of some runs."""
    work()
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        found.append(calls / (time.perf_counter() - start))
    return statistics.median(found), min(found), max(found)


def sandboxes(runs: int) -> str:
    """Sandboxed calls next to a bare Python in a bare bubblewrap."""
    python = [sandbox.python(), "-S", "-s", "-B", "-c", "pass"]
    filter_fd = os.memfd_create("filter")
    os.write(filter_fd, filter_program())

    def bare() -> None:
        os.lseek(filter_fd, 0, os.SEEK_SET)
        words = [*sandbox.bubblewrap(sandbox.python_binds(), filter_fd), *python]
        subprocess.run(words, check=True, pass_fds=(filter_fd,))

    def several(n: int) -> Callable[[], object]:
        return lambda: [call(PROGRAM, [[i] for i in range(n)]) for _ in range(5)]

    def together() -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: call(PROGRAM, [[i]]), range(16)))

    rows: list[tuple[object, ...]] = []
    measured = (
        ("Python alone, nothing around it", lambda: [subprocess.run(python, check=True) for _ in range(5)], 5),
        ("bubblewrap alone with Python in it", lambda: [bare() for _ in range(5)], 5),
        ("ours, 1 call at a time", several(1), 5),
        ("ours, 1 call at a time, 8 threads", together, 16),
        ("ours, 8 calls at a time", several(8), 40),
        ("ours, 64 calls at a time", several(64), 320),
    )
    for name, work, calls in measured:
        rows.append((name, *rate(work, calls, runs)))
    base = rows[1][1]
    assert isinstance(base, float)
    return table(
        ("sandbox", "calls/s", "lowest", "highest", "over bubblewrap"),
        [(*row, row[1] / base) for row in rows],  # type: ignore[operator]
    )


_CALLS = """
import sys, time
from games.verifiers.python import call
n, rounds = int(sys.argv[1]), max(1, 64 // int(sys.argv[1]))
call("def f(x): return x + 1", [[0]])
start = time.perf_counter()
for _ in range(rounds):
    call("def f(x): return x + 1", [[i] for i in range(n)])
print(n * rounds / (time.perf_counter() - start))
"""


def in_turns(runs: int, before: str) -> str:
    """Calls per second of this checkout and of another, measured alternately."""

    def once(folder: str, n: int) -> float:
        words = [sys.executable, "-c", _CALLS, str(n)]
        return float(subprocess.check_output(words, env={**os.environ, "PYTHONPATH": folder}, cwd=folder))

    here = str(Path(__file__).resolve().parents[2])
    rows = []
    for n in (1, 8, 64):
        pairs = [(once(here, n), once(before, n)) for _ in range(runs)]
        now, then = (statistics.median(side) for side in zip(*pairs, strict=True))
        rows.append((n, then, now, statistics.median(a / b for a, b in pairs)))
    return table(("calls at a time", "before, calls/s", "now, calls/s", "median ratio"), rows)


def proofs(names: list[str]) -> str:
    """All proofs of databases by the kernel and by `metamath`, per CPU second, without parsing."""
    rows = []
    for name in names:
        path = DATABASES / f"{name}.mm"
        start = time.process_time()
        database = Database(path.read_text(encoding="ascii"))
        read = time.process_time() - start
        theorems = [a for a in database.assertions.values() if a.proof is not None]
        start = time.process_time()
        steps = sum(check(database, a) for a in theorems)
        checked = time.process_time() - start
        their_read, theirs = _metamath(path)
        n = len(theorems)
        rows.append((name, n, steps, n / checked, n / theirs, checked / theirs, read, their_read))
    statement = parse("(p -> q) -> (~~p -> q)")
    start = time.process_time()
    for _ in range(1000):
        judge(statement, "dneg imim1 mp")
    short = 1000 / (time.process_time() - start)
    head = ("database", "proofs", "steps", "ours/s", "metamath/s", "times slower", "s to read", "metamath's")
    return f"{table(head, rows)}\n\nShort proofs of conjecture, made whole and checked: {short:,.0f}/s"


def _metamath(path: Path) -> tuple[float, float]:
    """Seconds of processor time `metamath` takes to read a database, and for its proofs."""

    def used(*commands: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = ["metamath", f'read "{path}"', *commands, "exit"]
        subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    read = used()
    return read, max(0.001, used("verify proof *") - read)


def answers(runs: int) -> str:
    """Answers compared in the sandbox."""
    pairs = [("1/2", "0.5"), ("x^2+2x+1", "(x+1)^2"), (r"\sqrt{8}", r"2\sqrt{2}"), ("5", "6"), ("5 km", "5000 m")]

    def ours() -> None:
        for _ in range(20):
            for gold, given in pairs:
                maths.equal(gold, given)

    return table(("answers", "per second", "lowest", "highest"), [("compared", *rate(ours, 100, runs))])


if __name__ == "__main__":
    main()
