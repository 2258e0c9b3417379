"""Completion of verbs and names in bash, zsh and fish, `--version`, and `python -m arena`."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from arena.cli import completion
from tests.arena.cli.command import run


def completed(monkeypatch, capsys, shell, line):
    monkeypatch.setenv(completion.VARIABLE, f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    code, out, err = run(capsys)
    assert err == ""
    return code, out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_verb_is_completed(monkeypatch, capsys, shell):
    code, out = completed(monkeypatch, capsys, shell, "arena tour")
    assert code == 0
    assert "tournament" in out
    assert "train" not in out


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("arena play openspiel/kuhn", ["openspiel/kuhn_poker"]),
        ("arena play openspiel/kuhn_poker mc", ["mcts"]),
        ("arena play bargain seller=pol", ["seller=policy"]),
        ("arena info bargain", ["bargain-v1"]),
        ("arena check debate-j", ["debate-judge"]),
        ("arena play nothing-like-it", []),
    ],
)
def test_names_are_completed(monkeypatch, capsys, line, names):
    found = completed(monkeypatch, capsys, "bash", line)[1].split()
    assert set(names) <= set(found)
    assert all(name.startswith(line.rpartition(" ")[2]) for name in found)
    assert bool(names) == bool(found)


def test_completing_runs_no_plugin(monkeypatch, capsys, tmp_path):
    file = tmp_path / "p.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    completed(monkeypatch, capsys, "bash", f"arena play --plugin {file} openspiel/kuhn")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_calls_the_command(monkeypatch, capsys, shell):
    monkeypatch.setenv(completion.VARIABLE, f"source_{shell}")
    code, out, _ = run(capsys)
    assert code == 0
    assert f"{completion.VARIABLE}=complete_{shell}" in out


def test_the_version_is_that_of_the_package(capsys):
    assert run(capsys, "--version") == (0, f"arena {version('selfplay-arena')}\n", "")


def test_the_package_can_be_run_as_a_module():
    done = subprocess.run([sys.executable, "-m", "arena", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"arena {version('selfplay-arena')}\n", "")
