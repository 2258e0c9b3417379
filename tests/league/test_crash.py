"""A league whose process is killed goes on."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.postgres import POSTGRES, empty_database

BENCH = Path(__file__).parents[2] / "scripts" / "bench"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))


@pytest.mark.slow
def test_kill_9_loses_nothing_and_doubles_nothing(tmp_path):
    db = f"sqlite:///{tmp_path}/killed.db"
    crash = import_module("crash_workers").crash
    outcome = crash(db, tmp_path, workers=1, kills=4, matches=240, seed=1, lease=60)
    assert outcome.ok, outcome
    assert outcome.matches == 240
    assert outcome.kills >= 1


@pytest.mark.slow
def test_a_league_grows_while_its_process_is_killed(tmp_path):
    found = import_module("crash_league").grow(
        f"sqlite:///{tmp_path}/l.db", tmp_path, workers=1, kills=1, rounds=20, seed=1, lease=60, pairing="round-robin"
    )
    assert found.ok, found
    assert len(found.changes) == 4


@pytest.mark.slow
@pytest.mark.skipif(POSTGRES is None, reason="ARENA_TEST_POSTGRES names no server")
def test_a_league_grows_while_its_processes_are_killed(tmp_path):
    pairing = "placement(then=random(batch=24), matches=8)"
    found = import_module("crash_league").grow(
        empty_database(), tmp_path, workers=3, kills=3, rounds=20, seed=2, lease=5, pairing=pairing
    )
    assert found.ok, found
    assert len(found.changes) == 4
