"""A league that grows while its processes are killed; the long form is scripts/bench/crash_league.py."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.postgres import POSTGRES, empty_database

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
