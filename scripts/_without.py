"""Copies a virtual environment by links, without the packages of some extras, to test what users without them see.

python scripts/_without.py FROM TO EXTRA...
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
import venv
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[1]


def site_packages(environment: Path) -> Path:
    """Returns the folder of installed packages."""
    (folder,) = environment.glob("lib/python*/site-packages")
    return folder


def packages_of(extras: list[str], installed: dict[str, Distribution]) -> set[str]:
    """Returns the distributions that only these extras bring, in their normal form: no other package needs them."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    hidden = {_name(line) for extra in extras for line in optional[extra]}
    others = [lines for extra, lines in optional.items() if extra not in extras]
    queue = [_name(line) for lines in (*others, project["dependencies"]) for line in lines]
    needed = set[str]()
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.add(name)
            queue += _requirements(installed[name]) if name in installed else ()
    return hidden - needed


def _requirements(distribution: Distribution) -> list[str]:
    """Returns what a distribution needs here, without its extras."""
    requirements = map(Requirement, distribution.requires or ())
    return [_normal(r.name) for r in requirements if r.marker is None or r.marker.evaluate({"extra": ""})]


def _name(requirement: str) -> str:
    return _normal(re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _entries(distribution: Distribution) -> set[str]:
    """Returns the names in site-packages that belong to a distribution."""
    return {file.parts[0] for file in distribution.files or () if file.parts[0] != ".."}


def copy_without(source: Path, target: Path, extras: list[str]) -> set[str]:
    """Makes `target`, an environment with links to the packages of `source`. Returns the names of those left out."""
    shutil.rmtree(target, ignore_errors=True)
    venv.create(target, symlinks=True)
    here, there = site_packages(source), site_packages(target)
    installed = {_normal(d.name): d for d in distributions(path=[str(here)])}
    hidden = packages_of(extras, installed)
    shared = {e for name, d in installed.items() if name not in hidden for e in _entries(d)}
    gone = {e for name in hidden & set(installed) for e in _entries(installed[name])} - shared
    for entry in here.iterdir():
        if entry.name not in gone and not (there / entry.name).exists():
            (there / entry.name).symlink_to(entry)
    _scripts(source, target)
    return hidden & set(installed)


def _scripts(source: Path, target: Path) -> None:
    """Copies the programs of the packages, to be started with the Python of `target`."""
    for script in (source / "bin").iterdir():
        copy = target / "bin" / script.name
        if copy.exists() or script.is_symlink():
            continue
        content = script.read_bytes()
        head, _, rest = content.partition(b"\n")
        if head.startswith(b"#!") and b"python" in head:
            content = b"#!%s\n%s" % (bytes(target.resolve() / "bin" / "python"), rest)
        copy.write_bytes(content)
        copy.chmod(0o755)


if __name__ == "__main__":
    removed = copy_without(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:])
    print(f"arena: without {', '.join(sorted(removed)) or 'nothing: none of them is installed'}")
