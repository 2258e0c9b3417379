"""A league whose process is killed goes on."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.postgres import POSTGRES, empty_database

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench" / "crash_test.py"


@pytest.mark.slow
def test_kill_9_loses_nothing_and_doubles_nothing(tmp_path):
    spec = importlib.util.spec_from_file_location("crash_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["crash_script"] = module
    spec.loader.exec_module(module)
    outcome = module.crash(tmp_path, matches=240, kills=4, seed=1)
    assert outcome.ok, outcome
    assert outcome.matches == 240
    assert any(0 < n < 240 for n in outcome.moments), outcome.moments


BENCH = Path(__file__).parents[2] / "scripts" / "bench"


def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))  # it uses a script beside it
    spec = importlib.util.spec_from_file_location("crash_league", BENCH / "crash_league.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "crash_league", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_league_grows_while_its_process_is_killed(tmp_path, monkeypatch):
    found = script(monkeypatch).grow(
        f"sqlite:///{tmp_path}/l.db", tmp_path, workers=1, kills=1, rounds=20, seed=1, lease=60, pairing="round-robin"
    )
    assert found.ok, found
    assert len(found.changes) == 4


@pytest.mark.slow
@pytest.mark.skipif(POSTGRES is None, reason="ARENA_TEST_POSTGRES names no server")
def test_a_league_grows_while_its_processes_are_killed(tmp_path, monkeypatch):
    pairing = "placement(then=random(batch=24), matches=8)"
    found = script(monkeypatch).grow(
        empty_database(), tmp_path, workers=3, kills=3, rounds=20, seed=2, lease=5, pairing=pairing
    )
    assert found.ok, found
    assert len(found.changes) == 4
