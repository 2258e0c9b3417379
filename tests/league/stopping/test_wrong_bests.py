"""The simulations that count wrong bests run, and find a clear champion."""

import argparse
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "scripts" / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield
    for name in ("stress", "find_best", "_bench"):
        sys.modules.pop(name, None)


def test_a_tournament_that_looks_for_its_best_stops_at_the_champion_and_the_dump_keeps_it(bench, tmp_path):
    import stress

    setting = stress.Setting("champion", 4, "round-robin", 20, 0, 20, 0.95, 240)
    found = stress.find(setting, 1)
    assert found.stopped
    assert not found.wrong
    assert found.matches < 240
    assert not stress.find(setting._replace(field="normal 0.5", limit=20), 1).stopped
    task, file = stress.Task(setting, True, 1), tmp_path / "leagues.jsonl"
    stress.Dump(file).add(task.key, found)
    assert stress.Dump(file).runs == {task.key: found}
    assert stress.best_of(setting, [found])[3:5] == [1.0, "0.0 ± 0.0"]


def test_leagues_at_once_stop_at_the_champion_too(bench, monkeypatch):
    import find_best

    monkeypatch.setattr(find_best, "BLOCK", 3)
    given = argparse.Namespace(players=4, limit=200, every=20, start=0.9, until=0.975)
    looks = list(find_best.block("champion", "thompson", 1, given))
    assert {look.league for look in looks} == {0, 1, 2}
    last = {look.league: look for look in looks}.values()
    assert all(look.p >= 0.975 and not look.wrong for look in last)
    assert all(look.p < 0.975 for look in looks if look not in last)
