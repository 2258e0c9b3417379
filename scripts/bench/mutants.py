"""Kills planted faults: what share of 300 mutants of three packages the tests that reach them notice.

mutants.py [--before CHECKOUT] [--only arena/learner] [--count 100] [--seed 0] [--seconds 15] [--record]

A mutant changes one operator, constant or condition. It runs against the default tests whose coverage has its line
(for lines that run at import: the file), quickest first, until one fails or `--seconds` of tests passed: with more
seconds more mutants are noticed, so the shares are lower bounds. It needs `pip install coverage`. `--before`: also the
same packages of another checkout. `--only`: one package, with a record of its own. What ran is kept in runs/mutants and
is not run again. All times are of the processor. 300 mutants take one core an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from _claims import Claim, record
from _mutants import Mutant, draw

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "runs" / "mutants"
QUIET = ["-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
QUIET += ["-W", "ignore::FutureWarning"]  # of transformers 5, which is younger than the older checkout


class Target(NamedTuple):
    """A package and the folders of its tests; of several names the first that a checkout has."""

    packages: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = (
    Target(
        ("games/dialogue", "games/native/common"), ("tests/games/dialogue", "tests/games/native", "tests/roles/parsing")
    ),
    Target(("arena/learner",), ("tests/arena/learner",)),
    Target(("league/ratings",), ("tests/league/ratings",)),
)


class Baseline(NamedTuple):
    """What the unchanged tests do."""

    seconds: dict[str, float]
    """test -> seconds"""
    tests: dict[str, dict[int, list[str]]]
    """file -> line -> tests that run it"""

    def reaching(self, mutant: Mutant, seconds: float) -> list[str]:
        """Returns the tests that run the line, else those that run the file, quickest first, up to `seconds`."""
        lines = self.tests.get(mutant.file, {})
        tests = lines.get(mutant.line) or sorted({test for of_line in lines.values() for test in of_line})
        quickest = sorted(tests, key=lambda test: self.seconds.get(test, 0.0))
        total = accumulate(self.seconds.get(test, 0.0) for test in quickest)
        return [test for test, passed in zip(quickest, total, strict=True) if passed <= seconds]


def main() -> None:
    """Runs the mutants of one or two checkouts and prints the shares that the tests notice."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--before", type=Path)
    options.add_argument("--only", choices=[target.packages[0] for target in TARGETS])
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--seconds", type=float, default=15.0, help="of tests that a mutant runs against")
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    claims = []
    for root in filter(None, (ROOT, chosen.before)):
        for target in TARGETS:
            if chosen.only not in (None, target.packages[0]):
                continue
            verdicts = _of_target(root.resolve(), target, chosen.count, chosen.seed, chosen.seconds)
            where = "now" if root == ROOT else "before (562425b)"
            claims.append(
                Claim.share(f"mutants of {_package(root, target)} noticed, {where}", sum(verdicts), len(verdicts))
            )
            print(*claims[-1], sep="  ", flush=True)
    if chosen.record:
        record(claims, name=f"mutants-{chosen.only.rpartition('/')[2]}" if chosen.only else "")


def _package(root: Path, target: Target) -> str:
    return next(package for package in target.packages if (root / package).is_dir())


def _of_target(root: Path, target: Target, count: int, seed: int, seconds: float) -> list[bool]:
    """Returns for each mutant whether a test failed."""
    package = _package(root, target)
    kept = KEPT / f"{root.name}-{package.replace('/', '-')}-{seed}.json"
    tests = [folder for folder in target.tests if (root / folder).is_dir()]
    data: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    if not data:
        data["baseline"] = _baseline(root, package, tests)
    lines = {file: {int(n): names for n, names in of.items()} for file, of in data["baseline"]["tests"].items()}
    baseline = Baseline(data["baseline"]["seconds"], lines)
    kept.parent.mkdir(parents=True, exist_ok=True)
    verdicts = data.setdefault("verdicts", {})
    for mutant in draw(root, package, count, seed):
        key = f"{mutant.file}:{mutant.line}:{mutant.start}:{mutant.text}"
        if key not in verdicts:
            verdicts[key] = _is_noticed(root, mutant, baseline, baseline.reaching(mutant, seconds))
            kept.write_text(json.dumps(data))
            print("noticed " if verdicts[key] else "SURVIVED", key, file=sys.stderr, flush=True)
    return list(verdicts.values())


def _is_noticed(root: Path, mutant: Mutant, baseline: Baseline, tests: Sequence[str]) -> bool:
    if not tests:
        return False
    path, before = root / mutant.file, (root / mutant.file).read_text()
    changed = mutant.source(root)
    try:
        path.write_text(changed)
        limit = 30 + 3 * sum(baseline.seconds.get(test, 0.0) for test in tests)
        return _in_child(root, [*QUIET, *tests], int(limit)) != 0
    finally:
        path.write_text(before)


def _in_child(root: Path, arguments: Sequence[str], cpu_seconds: int) -> int:
    """Returns pytest's exit status from a fork of this process, which has imported what is slow to import."""
    child = os.fork()
    if child == 0:
        os.setsid()
        _silence()
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        os._exit(_pytest(root, arguments, []))
    end = time.monotonic() + 20 * cpu_seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _pytest(root: Path, arguments: Sequence[str], plugins: list[object]) -> int:
    import pytest

    os.chdir(root)
    sys.dont_write_bytecode = True
    ours = ROOT, ROOT / "scripts" / "bench"
    sys.path[:] = [str(root), *(path for path in sys.path if Path(path or ".").resolve() not in ours)]
    os.environ["PYTHONPATH"] = str(root)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    return int(pytest.main(list(arguments), plugins=plugins))


def _baseline(root: Path, package: str, tests: Sequence[str]) -> Mapping[str, Any]:
    """Runs the unchanged tests in a child with coverage by test. Exits where they fail."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        plugin = _Measured(root / package)
        status = _pytest(root, [*QUIET[1:], *tests], [plugin])
        if status == 0:
            with os.fdopen(write, "w") as stream:
                json.dump(plugin.result(root), stream)
        os._exit(status)
    os.close(write)
    with os.fdopen(read) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    if not text:
        raise SystemExit(f"the unchanged tests of {package} fail in {root}")
    return json.loads(text)  # type: ignore[no-any-return]


class _Measured:
    """Notes for each test its seconds of the processor and the lines that it runs."""

    def __init__(self, package: Path) -> None:
        import coverage

        self._cover = coverage.Coverage(data_file=None, source=[str(package)])
        self._cover.start()
        self._seconds: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._cover.switch_context(nodeid)
        self._seconds[nodeid] = -sum(os.times()[:4])

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._seconds[nodeid] += sum(os.times()[:4])

    def result(self, root: Path) -> Mapping[str, Any]:
        self._cover.stop()
        data = self._cover.get_data()
        lines = {
            str(Path(file).relative_to(root)): {
                line: [test for test in tests if test] for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        return {"seconds": self._seconds, "tests": lines}


def _import_what_is_slow() -> None:
    import hypothesis
    import numpy
    import pydantic
    import pyspiel
    import pytest
    import scipy.stats
    import torch
    import transformers

    torch.set_num_threads(1)
    del hypothesis, numpy, pydantic, pyspiel, pytest, scipy, transformers


if __name__ == "__main__":
    _import_what_is_slow()
    main()
