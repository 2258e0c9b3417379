"""Hostile programs and mutated proofs against the sandbox and the kernel.

    python scripts/bench/fuzz_verifiers.py                       # 1,000 programs, 1,000 proofs
    python scripts/bench/fuzz_verifiers.py --programs 85 --proofs 60 --seed 3

Every program must end in an acceptable verdict, in bounded time, and leave no process, file or connection behind. The
kernel must accept a mutated database exactly if Debian's `metamath` accepts it. Otherwise the exit status is 1.

Two faults came out of it: programs that waited minutes for a sandbox which others took again and again, and a database
that lists a label twice, which `metamath` accepts.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _bench import machine_line, table
from _hostile import Hostile, programs
from _mutate import metamath, mutated, ours, sources

from games.native.conjecture.texts import FALSE, TARGETS
from games.proofs import judge
from games.proofs.formula import parse, refutation
from games.proofs.theory import propositional
from games.verifiers import sandbox
from games.verifiers.python import Limits, call, stop

LIMITS = Limits(seconds=1, wall=3)
PATIENT = Limits(seconds=5, wall=90)  # for programs that should end by themselves, on a busy machine
SLOWEST = 300.0  # seconds until a verdict, even on a busy machine


def main() -> int:
    """Run both and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--proofs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    wrong = fuzz_programs(given.programs, given.seed)
    wrong += fuzz_proofs(given.proofs, given.seed) + fuzz_short_proofs(given.proofs, given.seed)
    print(machine_line())
    for line in wrong:
        print("WRONG", line)
    print("all as they should be" if not wrong else f"{len(wrong)} wrong")
    return bool(wrong)


def fuzz_programs(n: int, seed: int) -> list[str]:
    """Return the failures among `n` hostile programs."""
    if not n:
        return []
    wrong: list[str] = []
    seen: Counter[tuple[str, str]] = Counter()
    before, first = time.monotonic(), sandbox.sandboxed_user()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        canary = Path(folder, "canary")
        canary.write_text("alive")
        visits = _Visits(server)
        corpus = programs(n, random.Random(seed), str(canary), server.getsockname()[1])
        with ThreadPoolExecutor(4) as pool:
            for hostile, kind, reason, seconds in pool.map(_judged, corpus):
                seen[hostile.name, kind] += 1
                if kind not in hostile.kinds or seconds > SLOWEST:
                    wrong.append(f"{hostile.name}: {kind} ({reason}) after {seconds:.1f} s\n{hostile.program}")
        if canary.read_text() != "alive" or len(os.listdir(folder)) != 1:
            wrong.append("the canary was touched")
        wrong += [f"a program connected {n} times"] * bool(n := visits.stop())
    stop()
    wrong += [f"a process is left: {pid}" for pid in _left_behind(first, sandbox.sandboxed_user())]
    kinds = Counter(kind for (_, kind), count in seen.items() for _ in range(count))
    print(f"{_n(kinds)} programs in {time.monotonic() - before:.0f} s")
    print(table(("verdict", "programs"), sorted(kinds.items())))
    return wrong


def _n(counts: Counter[str]) -> int:
    return sum(counts.values())


def _judged(hostile: Hostile) -> tuple[Hostile, str, str, float]:
    start = time.monotonic()
    try:
        (run,) = call(hostile.program, [[1]], limits=LIMITS)
        if run.verdict.kind == "timeout" and "timeout" not in hostile.kinds:
            (run,) = call(hostile.program, [[1]], limits=PATIENT)
    except Exception as error:  # noqa: BLE001  the test is that nothing is raised
        return hostile, "raised", repr(error), time.monotonic() - start
    return hostile, run.verdict.kind, run.verdict.reason, time.monotonic() - start


class _Visits:
    """Counts connections."""

    def __init__(self, server: socket.socket) -> None:
        self._server, self._count, self._on = server, 0, True
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while self._on:
            try:
                connection, _ = self._server.accept()
            except TimeoutError:
                continue
            connection.close()
            self._count += 1

    def stop(self) -> int:
        self._on = False
        self._thread.join()
        return self._count


def _left_behind(first: int, last: int) -> list[str]:
    """Remaining sandbox processes: of the user ids assigned between the two given ones, and their bwrap.

    Sandboxes of other processes have other user ids.
    """
    deadline = time.monotonic() + 10  # the kernel reaps a namespace with a delay
    while True:
        found = []
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                text = status.read_text()
                parent = int(text.partition("PPid:")[2].split()[0])
                user = int(text.partition("Uid:")[2].split()[0])
                name = text.partition("Name:")[2].split()[0]
            except (OSError, IndexError, ValueError):
                continue
            if first < user < last or (name == "bwrap" and parent == os.getpid()):
                found.append(f"{status.parent.name} {name}")
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def fuzz_proofs(n: int, seed: int) -> list[str]:
    """Return the disagreements of the kernel and `metamath` on `n` mutated databases."""
    if not n:
        return []
    rng, texts = random.Random(seed), sources()
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    before = time.monotonic()
    for name, text in texts.items():
        if ours(text) or metamath(text):
            wrong.append(f"{name} itself is refused: {ours(text) or metamath(text)}")
    for _ in range(n):
        name = rng.choice(sorted(texts))
        text = mutated(texts[name], rng)
        mine, theirs = ours(text), metamath(text)
        seen["refused" if mine else "accepted"] += 1
        if bool(mine) != bool(theirs):
            wrong.append(f"{name}: ours {mine or 'accepts'!r}, metamath {theirs or 'accepts'!r}\n{text[-2000:]}")
    print(f"{n} mutated databases in {time.monotonic() - before:.0f} s")
    print(table(("both", "databases"), sorted(seen.items())))
    return wrong


def fuzz_short_proofs(n: int, seed: int) -> list[str]:
    """Return the failures among `n` texts submitted as proofs of true and false statements of conjecture."""
    if not n:
        return []
    rng = random.Random(seed)
    statements = [*TARGETS, *FALSE, "p", "~p", "p -> (q -> p)"]
    words = [*propositional().rules, "wp", "wn", "wi", "conjecture", "?", "(", ")", "A", "\u202e", "-", "mp.1", "\0"]
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for _ in range(n):
        statement = rng.choice(statements)
        known = TARGETS.get(statement, "id").split() if rng.random() < 0.5 else []
        labels = [rng.choice(words) for _ in range(rng.choice((0, 1, 2, 3, 5, 300)))]
        at = rng.randrange(len(known) + 1)
        text = " ".join(known[:at] + labels + known[at:])
        try:
            kind = judge(parse(statement), text).verdict.kind
        except Exception as error:  # noqa: BLE001  the test is that nothing is raised
            kind = f"raised {error!r}"
        seen[kind] += 1
        if kind not in ("pass", "fail", "invalid") or (kind == "pass" and refutation(parse(statement))):
            wrong.append(f"{statement}: {kind} for {text[:200]!r}")
    print(f"{n} texts as short proofs")
    print(table(("verdict", "texts"), sorted(seen.items())))
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
