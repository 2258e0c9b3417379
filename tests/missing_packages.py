"""Skips a test that fails because an optional package or program is not installed.

The arena itself says what is missing: it raises `MissingPackage` or `MissingProgram`, or an import fails. So a test
needs no mark, and none can be forgotten. With `--missing fail`, which `scripts/test.sh --all` passes, it fails.
"""

import importlib.util
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from importlib.metadata import PackageNotFoundError, distribution
from shutil import which
from typing import Any

import pytest

from games.errors import MissingPackage
from games.verifiers import python, sandbox
from games.verifiers.verdict import MissingProgram

PROJECT = ("games", "roles", "arena", "league", "tests", "scripts")
MESSAGE = re.compile(
    r"needs the package '([\w.-]+)'; type: pip install"
    r"|needs the program '([\w.-]+)'; type: apt-get install"
    r"|No module named \\?'([\w.]+)"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--missing`."""
    parser.addoption("--missing", choices=("skip", "fail"), default="skip", help="tests that lack an optional package")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the hooks that skip, unless `--missing fail` asks for failures."""
    if config.getoption("--missing") == "skip":
        config.pluginmanager.register(MissingPackages(), "missing-packages")


class MissingPackages:
    """Turns failures into skips; remembers what the running test was told is missing."""

    def __init__(self) -> None:
        self._names: list[str] = []
        _record(MissingPackage, "package", self._names)
        _record(MissingProgram, "program", self._names)
        sandbox.program = _noting_use(sandbox.program, self._names)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Skips a test module that imports a missing package."""
        report: pytest.CollectReport = yield  # type: ignore[assignment]
        if report.failed and (name := self._missing(report.call.excinfo, report.longreprtext)):  # type: ignore[attr-defined]
            _skip(report, str(collector.path), name)
        self._names.clear()
        return report  # type: ignore[return-value]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
        """Skips a test that failed after a package was missing."""
        report: pytest.TestReport = yield  # type: ignore[assignment]
        if report.failed and (
            name := self._missing(call.excinfo, report.longreprtext + report.capstdout + report.capstderr)
        ):
            _skip(report, str(item.path), name)
        if call.when == "teardown":
            self._names.clear()
        return report  # type: ignore[return-value]

    def _missing(self, raised: pytest.ExceptionInfo[BaseException] | None, output: str) -> str:
        """Returns the missing package or program behind a failure, or ""."""
        names = list(self._names)
        error = raised.value if raised else None
        while error is not None:
            if isinstance(error, ModuleNotFoundError) and error.name:
                names.append(error.name)
            error = error.__cause__ or error.__context__
        names += ["".join(groups) for groups in MESSAGE.findall(output)]
        return next(filter(is_missing, names), "")


def is_missing(name: str) -> bool:
    """Returns whether `name` is an outside package or program, and not on this machine."""
    if name == "bwrap":
        return not _sandbox_works()
    top = name.split(".")[0]
    if top in PROJECT or which(name) or _is_importable(top):
        return False
    try:
        distribution(name)
    except PackageNotFoundError:
        return True
    return False


def _is_importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a test has put a module without a spec there
        return False


@lru_cache(1)
def _sandbox_works() -> bool:
    """Returns whether bubblewrap is installed and the kernel lets it make namespaces."""
    return python.unavailable() is None


def _record(error: type[Exception], attribute: str, names: list[str]) -> None:
    """Makes every error of this class note what it misses."""
    initialise = error.__init__

    @wraps(initialise)
    def noting(self: Exception, *args: Any, **kwargs: Any) -> None:
        initialise(self, *args, **kwargs)
        names.append(getattr(self, attribute))

    error.__init__ = noting  # type: ignore[method-assign]


def _noting_use(program: Callable[..., str], names: list[str]) -> Callable[..., str]:
    """Makes every start of the sandbox known: it may be installed and still not work."""

    @wraps(program)
    def noting(*args: Any) -> str:
        names.append("bwrap")
        return program(*args)

    return noting


def _skip(report: pytest.CollectReport | pytest.TestReport, path: str, name: str) -> None:
    report.outcome = "skipped"
    report.longrepr = (path, 0, f"Skipped: {name} is not installed or does not work here")
