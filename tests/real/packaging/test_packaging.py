"""The wheel and the sdist hold what they need, and each works alone: installed by pip into an empty environment.

pip downloads the dependencies, so these tests need the network: marker `packaging`, run by scripts/test.sh --all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1800)]
ROOT = Path(__file__).parents[3]
PACKAGES = ("arena", "games", "league", "roles")
RENAMED = {"arena/export/selfplay_arena.py": "selfplay_arena.py"}
"""files that the wheel holds under another name: see pyproject.toml"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def only(folder, pattern):
    (found,) = folder.glob(pattern)
    return found


def tracked():
    """The files of the packages that git knows."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    yield from listed.stdout.splitlines()


def test_the_wheel_holds_the_packages_and_nothing_else(built):
    names = {n for n in zipfile.ZipFile(only(built, "*.whl")).namelist() if ".dist-info/" not in n}
    assert names == {RENAMED.get(name, name) for name in tracked()}
    metadata = {n.rpartition("/")[2] for n in zipfile.ZipFile(only(built, "*.whl")).namelist() if ".dist-info/" in n}
    assert {"METADATA", "entry_points.txt", "LICENSE"} <= metadata


def test_the_sdist_holds_what_builds_and_tests_it(built):
    with tarfile.open(only(built, "*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "scripts/test.sh", "tests/conftest.py"}
    assert wanted | set(tracked()) <= names
    assert not [name for name in names if name.endswith((".db", ".pyc", ".safetensors"))]


@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_it_works_alone_in_an_empty_environment(built, pattern, tmp_path):
    home = tmp_path / "anywhere"
    home.mkdir()
    venv.create(tmp_path / "venv", with_pip=True)
    there = tmp_path / "venv" / "bin"
    subprocess.run([there / "pip", "install", "-q", only(built, pattern)], check=True)
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def arena(*words: str) -> str:
        done = subprocess.run(
            [there / "arena", *words], cwd=home, env=kept, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert arena("init", "--yes").endswith("arena tournament my-tournament.toml\n")
    assert json.loads(arena("tournament", "my-tournament.toml", "--json"))["matches"]["finished"] > 0
    arena("report", "--db", "runs/my-tournament.db", "-o", "page.html")
    arena("new", "game", "brand-new")
    assert "problems: 0" in arena("doctor")
    assert sorted(path.name for path in home.iterdir()) == [
        "brand_new.py",
        "my-tournament.toml",
        "page.html",
        "runs",
        "test_brand_new.py",
        "tournament.schema.json",
    ]
