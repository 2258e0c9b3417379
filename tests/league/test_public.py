"""What `import league` offers, in one line each."""

from pathlib import Path

import pytest

import league
from games import InputError

FILE = """
name = "cup"
db = "sqlite:///cup.db"
games = ["openspiel/kuhn_poker"]
players = [{ name = "a", player = "random" }, { name = "b", player = "random" }]
"""


def test_every_exported_name_exists():
    assert all(hasattr(league, name) for name in league.__all__)
    assert set(league.__all__) <= set(dir(league))
    with pytest.raises(AttributeError, match=r"has no attribute 'run_tournaments'"):
        league.run_tournaments  # noqa: B018


def test_a_tournament_runs_from_a_path_a_dict_or_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(FILE)
    assert league.run_tournament("cup.toml", board="off").complete
    settings = league.load_tournament("cup.toml", name="more", rounds=2)
    assert league.run_tournament(settings, board="off").complete
    assert league.run_tournament(settings.model_dump() | {"name": "dict"}, board="off").complete
    with pytest.raises(InputError, match=r"tournament settings: .*'rounds'"):
        league.run_tournament({"round": 1}, board="off")
    assert len(list(league.open_store("sqlite:///cup.db").episodes("cup"))) == 2
    assert len(list(league.open_store("cup.db").episodes())) == 4
    assert isinstance(league.open_store("cup.db").standings("more"), league.Leaderboard)
    with pytest.raises(InputError, match=r"training file 'train\.toml' does not exist"):
        league.run_training("train.toml", board="off")
    with pytest.raises(InputError, match=r"training settings: .*'steps' is missing"):
        league.run_training({"name": "t"}, board="off")
