"""What the README shows is run as it stands there."""

from __future__ import annotations

import os
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from arena.cli import main
from league.config import load_tournament

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [b for b in blocks(language) if containing in b]
    return found


@pytest.mark.parametrize(("name", "file"), [("stones", "stones.py"), ("seller", "seller.py")])
def test_the_plugins_pass_their_checks(
    name: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = block("python", f'@register("{name}')
    assert len([line for line in code.splitlines() if line.strip()]) <= 26
    path = tmp_path / file
    path.write_text(code)
    assert main(["check", name, "--plugin", str(path)]) == 0, capsys.readouterr()


def test_the_game_plugin_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stones.py"
    path.write_text(block("python", '@register("stones-v0")'))
    assert main(["play", "stones", "random", "--plugin", str(path)]) == 0
    assert "== finished" in capsys.readouterr().out


def test_the_tournament_file_is_valid(tmp_path: Path) -> None:
    text = block("toml", "[[players]]")
    (tmp_path / "t.toml").write_text(text)
    assert load_tournament(tmp_path / "t.toml").rounds == tomllib.loads(text)["rounds"]


def test_the_tournament_from_python_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(block("python", "run_tournament(config"))
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        runpy.run_path(str(script))
    finally:
        os.chdir(before)
    assert capsys.readouterr().out.splitlines()[-1].startswith("mcts ")
    assert (tmp_path / "runs" / "from-python.db").exists()


def test_every_verb_it_names_exists(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    verbs = set(re.findall(r"^  (\w+) ", capsys.readouterr().out, re.MULTILINE))
    named = set(re.findall(r"`arena (\w+)", README)) | set(re.findall(r"^arena (\w+)", README, re.MULTILINE))
    assert named <= verbs
