"""`arena new`: what it writes passes its own test and the conformance kit, and overwrites nothing."""

import runpy

import pytest

from arena.scaffold import GAME_TEMPLATES, KINDS, write_plugin
from games import InputError
from tests import golden
from tests.arena.cli.command import run

SLOW = {"dialogue", "verifier"}


@pytest.mark.parametrize(
    "template", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in GAME_TEMPLATES]
)
def test_a_game_of_each_template_passes_its_own_test(template, tmp_path):
    made = write_plugin("game", "brand-new", tmp_path, template)
    assert made.report.ok, str(made.report)
    assert len(made.file.read_text().splitlines()) < 80
    tests = {name: f for name, f in runpy.run_path(str(made.test)).items() if name.startswith("test_")}
    assert len(tests) >= 2
    for test in tests.values():
        test()


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_plugin_passes_its_own_test(kind, tmp_path):
    made = write_plugin(kind, f"brand-new-{kind}", tmp_path / "plugins")
    assert made.report.ok, str(made.report)
    tests = {name: f for name, f in runpy.run_path(str(made.test)).items() if name.startswith("test_")}
    assert len(tests) == 2
    for test in tests.values():
        test()


def test_the_new_game_is_verified_by_a_known_outcome(tmp_path):
    made = write_plugin("game", "brand-new", tmp_path)
    assert made.id == "brand-new-v0"
    line = next(line for line in str(made.report).splitlines() if " outcomes " in line)
    assert line.split()[0] == "pass"


@pytest.mark.parametrize(("kind", "name", "message"), golden.rows(__file__, "plugin_files_names_that_cannot_be_used"))
def test_names_that_cannot_be_used(kind, name, message, tmp_path):
    with pytest.raises(InputError, match=message):
        write_plugin(kind, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "test_mine.py").write_text("precious")
    with pytest.raises(InputError, match=r"test_mine\.py exists already"):
        write_plugin("role", "mine", tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["test_mine.py"]


def test_the_verb_says_what_to_type_next(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "new", "player", "word-finder")
    assert (code, err) == (0, "")
    assert "wrote word_finder.py and test_word_finder.py" in out
    assert "  arena check word-finder --plugin word_finder.py --kind player\n" in out
    assert run(capsys, "check", "word-finder", "--plugin", "word_finder.py", "--kind", "player")[0] == 0
    assert run(capsys, "new", "engine", "x")[0] == 2
