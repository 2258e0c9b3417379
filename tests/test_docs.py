"""What the README and the pages in docs/ show is run as written."""

from __future__ import annotations

import os
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from arena.cli import main
from league import matchmaking
from league.config.tournament import load_tournament

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def block(page: str, language: str, containing: str) -> str:
    text = (ROOT / page).read_text()
    (found,) = [b for b in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if containing in b]
    return found


@pytest.mark.parametrize("name", ["stones", "seller", "sequence-ratio", "median"])
def test_the_plugins_pass_their_checks(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{name.replace('-', '_')}.py"
    path.write_text(block("docs/plugins.md", "python", f'@register("{name}'))
    assert main(["check", name, "--plugin", str(path)]) == 0, capsys.readouterr()


def test_the_game_plugin_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stones.py"
    path.write_text(block("docs/plugins.md", "python", '@register("stones-v0")'))
    assert main(["play", "stones", "random", "--plugin", str(path)]) == 0
    assert "== finished" in capsys.readouterr().out


def test_the_tournament_file_is_valid(tmp_path: Path) -> None:
    text = block("README.md", "toml", "[[players]]")
    (tmp_path / "t.toml").write_text(text)
    assert load_tournament(tmp_path / "t.toml").rounds == tomllib.loads(text)["rounds"]


def test_the_stop_rules_are_valid(tmp_path: Path) -> None:
    file, stop = block("README.md", "toml", "[[players]]"), block("docs/tournaments.md", "toml", "[stop]")
    (tmp_path / "t.toml").write_text(file + stop)
    assert load_tournament(tmp_path / "t.toml").stop.matches == tomllib.loads(stop)["stop"]["matches"]


def test_the_pairings_exist() -> None:
    text = (ROOT / "docs" / "tournaments.md").read_text().split("## Repeated")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {name.split("(")[0] for row in rows for name in re.findall(r"`(.+?)`", row)} == set(matchmaking.ids())


def test_the_tournament_from_python_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(block("README.md", "python", "run_tournament(config"))
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        runpy.run_path(str(script))
    finally:
        os.chdir(before)
    assert capsys.readouterr().out.splitlines()[-1].startswith("mcts ")
    assert (tmp_path / "runs" / "from-python.db").exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_verb_a_page_names_exists(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    verbs = set(re.findall(r"^  (\w+) ", capsys.readouterr().out, re.MULTILINE))
    text = page.read_text()
    named = set(re.findall(r"`arena (\w+)", text)) | set(re.findall(r"^arena (\w+)", text, re.MULTILINE))
    assert named <= verbs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_and_link_of_a_page_exists(page: Path) -> None:
    text = page.read_text()
    paths = re.findall(r"`((?:games|roles|arena|league|tests|scripts|docs)/[\w./]+)`", text)
    missing = [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()]
    missing += [link for link in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text) if not (page.parent / link).exists()]
    assert missing == []


def test_the_tables_of_estimators_and_losses_are_complete() -> None:
    from arena.learner.advantages import ids as estimators
    from arena.learner.losses import ids as losses

    text = (ROOT / "docs" / "training.md").read_text()
    advantages, rest = text.split("## Advantages")[1].split("## Losses")
    for part, known in ((advantages, estimators()), (rest.split("\n## ")[0], losses())):
        rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
        assert {name.split("(")[0] for row in rows for name in re.findall(r"`(.+?)`", row)} == set(known)


def test_the_reader_of_answers_gives_what_the_page_shows(tmp_path: Path) -> None:
    path = tmp_path / "answers.py"
    path.write_text(block("docs/role-games.md", "python", "CORRECTNESS, final").replace("\nread(", "\na = read(", 1))
    path.write_text(path.read_text().replace("\nread(", "\nb = read(").replace("\nfinal(", "\nc = final("))
    shown = runpy.run_path(str(path))
    assert (shown["a"], shown["b"].value, shown["c"]) == ("incorrect", None, r"\frac{1}{2}")
    assert shown["b"].reason == "the letter is hedged"
