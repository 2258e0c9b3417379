"""The example plugin is installed by pip, as an author would ship it, and its game, role and matchmaker are used."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import golden

SOURCE = Path(__file__).parent / "plugin_example"
Arena = Callable[..., subprocess.CompletedProcess[str]]

TOURNAMENT = golden.text(__file__, "plugin_distribution_tournament.toml")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The `arena` command in an environment in which the example distribution is installed."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(SOURCE, folder / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(folder / "site"), str(folder / "source")], check=True, capture_output=True)
    environment = os.environ | {"PYTHONPATH": str(folder / "site")}

    def arena(*words):
        command = [sys.executable, "-m", "arena", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    return arena


@pytest.mark.slow
def test_its_game_and_role_are_listed_and_checked(installed):
    assert "nim21-v0" in installed("games").stdout.split()
    assert "taker" in installed("roles").stdout.split()
    for id in ("nim21-v0", "taker"):
        done = installed("check", id)
        assert done.returncode == 0, done.stdout + done.stderr


def test_its_game_is_played(installed):
    done = installed("play", "nim21", "random", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "== finished" in done.stdout


def test_its_matchmaker_runs_a_tournament(installed, tmp_path):
    file = tmp_path / "hill.toml"
    file.write_text(TOURNAMENT.format(folder=tmp_path))
    done = installed("tournament", str(file), "--json")
    assert done.returncode == 0, done.stderr
    board = json.loads(done.stdout)
    assert board["matches"]["finished"] == board["matches"]["planned"] > 0


def test_without_it_the_game_is_unknown():
    command = [sys.executable, "-m", "arena", "play", "nim21", "random"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown game 'nim21'" in done.stderr
