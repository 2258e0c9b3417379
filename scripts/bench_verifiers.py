"""Verifiers beside their bare tools: sandboxed calls beside bubblewrap, proofs beside `metamath`, answers beside
math-verify.

    python scripts/bench_verifiers.py [--runs 3] [--databases ql,iset,set]
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
    given = parser.parse_args()
    print(sandboxes(given.runs), "\n")
    print(proofs(given.databases.split(",")), "\n")
    print(answers(given.runs), "\n")
    print(machine_line("math-verify"))


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
    """Sandboxed calls beside what starts a bare Python in a bare bubblewrap."""
    python = [sandbox.python(), "-S", "-s", "-B", "-c", "pass"]
    filter_fd = os.memfd_create("filter")
    os.write(filter_fd, filter_program())

    def bare() -> None:
        os.lseek(filter_fd, 0, os.SEEK_SET)
        words = [*sandbox.bubblewrap(sandbox.python_binds(), 0, filter_fd), *python]
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
        ("ours, 1 call a sandbox", several(1), 5),
        ("ours, 1 call a sandbox, 8 threads", together, 16),
        ("ours, 8 calls a sandbox", several(8), 40),
        ("ours, 64 calls a sandbox", several(64), 320),
    )
    for name, work, calls in measured:
        rows.append((name, *rate(work, calls, runs)))
    base = rows[1][1]
    assert isinstance(base, float)
    return table(
        ("sandbox", "calls/s", "lowest", "highest", "over bubblewrap"),
        [(*row, row[1] / base) for row in rows],  # type: ignore[operator]
    )


def proofs(names: list[str]) -> str:
    """All proofs of databases by our kernel and by `metamath`, per second of processor time, reading left out."""
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
    return f"{table(head, rows)}\n\nShort proofs of conjecture-v0, made whole and checked: {short:,.0f}/s"


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
    """Answers compared in workers, beside math-verify in a process of its own."""
    pairs = [("1/2", "0.5"), ("x^2+2x+1", "(x+1)^2"), (r"\sqrt{8}", r"2\sqrt{2}"), ("5", "6")]
    bare = (
        "import time, logging; logging.disable(50)\n"
        "from math_verify import LatexExtractionConfig as L, parse, verify\n"
        f"pairs = {pairs!r}\n"
        "def go():\n"
        "    for g, a in pairs:\n"
        "        verify(parse(f'${g}$', [L()], parsing_timeout=None), parse(f'${a}$', [L()], parsing_timeout=None),"
        " timeout_seconds=None)\n"
        "go(); t = time.perf_counter()\n"
        "for _ in range(20): go()\n"
        "print(80 / (time.perf_counter() - t))"
    )
    found = [
        float(subprocess.check_output([sys.executable, "-c", bare], stderr=subprocess.DEVNULL)) for _ in range(runs)
    ]

    def ours() -> None:
        for _ in range(20):
            for gold, given in pairs:
                maths.equal(gold, given)

    rows = [
        ("math-verify alone", statistics.median(found), min(found), max(found)),
        ("ours, in a worker that can be killed", *rate(ours, 80, runs)),
    ]
    return table(("answers", "per second", "lowest", "highest"), rows)


if __name__ == "__main__":
    main()
