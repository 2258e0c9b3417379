"""The checks pass with and without each optional package."""

import ast
import subprocess
import sys
import tomllib
import venv
from fnmatch import fnmatch
from pathlib import Path

import pytest

from games.errors import MissingPackage
from tests import golden
from tests.missing_packages import is_missing

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LAYERS = ("games", "roles", "arena", "league")
TYPES_NEED = {"torch"}  # scripts/test.sh checks types only where it is installed
# Modules of the packages that every installation has.
REQUIRED = """
annotated_types click gymnasium jinja2 markupsafe msgspec networkx numpy open_spiel pettingzoo platformdirs
prompt_toolkit
pydantic pydantic_core pyspiel rich scipy sqlalchemy threadpoolctl trueskill typer
"""


@pytest.mark.slow
def test_mypy_ignores_each_optional_package_that_is_missing():
    """`bash scripts/test.sh` installs few extras; mypy fails on an import that no override names."""
    ignored = [
        pattern
        for override in PROJECT["tool"]["mypy"]["overrides"]
        if override.get("ignore_missing_imports")
        for pattern in override["module"]
    ]
    outside = {f"{name}." for name in _outside_modules() if name not in TYPES_NEED}
    assert not {name for name in outside if not any(fnmatch(name, pattern) for pattern in ignored)}


def _outside_modules():
    """Top-level modules that the source imports and neither Python, a required package nor the project has."""
    names: set[str] = set()
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    names |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - set(REQUIRED.split()) - set(LAYERS)


TESTS = golden.text(__file__, "optional_packages_tests.py.txt")


@pytest.mark.parametrize(
    ("option", "failed", "skipped"), [("skip", 2, 4), pytest.param("fail", 5, 0, marks=pytest.mark.slow)]
)
def test_a_failure_for_want_of_a_package_is_a_skip(tmp_path, option, failed, skipped):
    """A whole module that imports a missing package is skipped too."""
    (tmp_path / "test_cases.py").write_text(TESTS)
    if option == "skip":  # with "fail" it would be an error of collection
        (tmp_path / "test_module.py").write_text("import no_such_module\n\ndef test_nothing():\n    pass\n")
    command = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.missing_packages", "--missing", option, "-q"]
    command += ["--rootdir", str(tmp_path), "-c", "/dev/null", str(tmp_path)]
    run = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"{failed} failed" in run.stdout, run.stdout + run.stderr
    assert (f"{skipped} skipped" in run.stdout) == bool(skipped), run.stdout


def test_an_installed_package_is_not_missing():
    assert not is_missing("pytest")
    assert not is_missing("games.no_such_module")
    assert is_missing(MissingPackage("a feature", "no-such-package", "x").package)


def test_an_environment_without_an_extra_has_every_other_package(tmp_path):
    """As `scripts/test.sh --without` makes it: both folders are relative paths."""
    venv.create(tmp_path / "env", symlinks=True)
    (packages,) = tmp_path.glob("env/lib/python*/site-packages")
    for name, requirement in (("bm25s", ""), ("sympy", ""), ("torch", "Requires-Dist: sympy\n")):
        (packages / f"{name}.py").touch()
        information = packages / f"{name}-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requirement}")
        (information / "RECORD").write_text(f"{name}.py,,\n{name}-1.0.dist-info/METADATA,,\n")
    command = [sys.executable, ROOT / "scripts" / "_without.py", "env", "copy", "search", "verifiers"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    code = "import importlib.util as u; print([n for n in ('bm25s', 'sympy', 'torch') if u.find_spec(n)])"
    shell = subprocess.run([tmp_path / "copy" / "bin" / "python", "-c", code], capture_output=True, text=True)
    assert shell.stdout == "['sympy', 'torch']\n"
