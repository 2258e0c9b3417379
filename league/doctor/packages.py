"""The packages that `pyproject.toml` names, read from the metadata of the installed arena."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from importlib import metadata
from typing import NamedTuple

from league.doctor.diagnosis import Diagnosis

DISTRIBUTION = "selfplay-arena"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*([^;]*)(?:;\s*extra\s*==\s*['\"]([\w-]+)['\"])?")
_NOT_FOR_USERS = ("dev", "docs")


class Requirement(NamedTuple):
    """One dependency: `least` is the lowest version allowed, "" if any; `extra` is "" for the core."""

    package: str
    least: str
    extra: str


def requirements() -> list[Requirement]:
    """Returns the dependencies of the arena, sorted by extra, the core first."""
    out = []
    for line in metadata.requires(DISTRIBUTION) or ():
        if match := _REQUIREMENT.match(line):
            least = re.search(r">=\s*([\w.]+)", match[2])
            out.append(Requirement(match[1], least[1] if least else "", match[3] or ""))
    return sorted(out, key=lambda r: r.extra)


def core() -> Iterator[Diagnosis]:
    """Yields one line for each package that the arena needs."""
    for requirement in requirements():
        if not requirement.extra:
            yield _package("packages", requirement, f"pip install '{requirement.package}>={requirement.least}'")


def extras() -> Iterator[Diagnosis]:
    """Yields one line for each optional extra."""
    named = (r for r in requirements() if r.extra and r.extra not in _NOT_FOR_USERS)
    for extra, group in itertools.groupby(named, key=lambda r: r.extra):
        install = f"pip install '{DISTRIBUTION}[{extra}]'"
        packages = [_package("extras", requirement, install) for requirement in group]
        worst = next((d for state in ("wrong", "missing") for d in packages if d.state == state), None)
        detail = ", ".join(f"{d.name} {d.detail}" for d in packages)
        yield Diagnosis("extras", extra, worst.state if worst else "ok", detail, install if worst else "")


def _package(part: str, requirement: Requirement, install: str) -> Diagnosis:
    try:
        version = metadata.version(requirement.package)
    except metadata.PackageNotFoundError:
        state = "wrong" if not requirement.extra else "missing"
        return Diagnosis(part, requirement.package, state, "is not installed", install)  # type: ignore[arg-type]
    if requirement.least and _numbers(version) < _numbers(requirement.least):
        return Diagnosis(part, requirement.package, "wrong", f"{version} is older than {requirement.least}", install)
    return Diagnosis(part, requirement.package, "ok", version)


def _numbers(version: str) -> list[int]:
    """Returns the leading numbers of a version, for comparison: 2.13.0+cpu -> [2, 13, 0]."""
    return [int(part) for part in re.match(r"\d*(?:\.\d+)*", version)[0].split(".") if part]  # type: ignore[index]
