"""The public calls of `league` work inside a running event loop, as in a notebook."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import league
from league.config.training import parse_training
from tests import golden

PLAYERS = [{"name": name, "player": "random"} for name in "ab"]

STOPPED = golden.text(__file__, "event_loop_stopped.py.txt")


def test_tournaments_and_stores(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    config = {"name": "t", "db": url, "games": ["openspiel/tic_tac_toe"], "players": PLAYERS, "rounds": 2}

    async def cell():
        finished = league.run_tournament(config, board="off")
        assert finished.complete
        with league.open_store(url) as store:
            assert [run.name for run in store.runs()] == ["t"]
            assert [r.match for r in store.results("t")] == [e.match for e in store.episodes()]
            assert store.standings().standings == finished.snapshot.standings
            return list(store.episodes("t"))

    assert [e.status for e in asyncio.run(cell())] == ["finished"] * 4


def test_trainings(tmp_path):
    data = {
        "name": "l", "db": f"sqlite:///{tmp_path}/t.db", "folder": str(tmp_path / "run"), "steps": 1,
        "matches_per_step": 2, "games": ["openspiel/kuhn_poker"], "policy": {"model": "tiny(layers=1, hidden=16)"},
        "snapshots": {"matches": 0}, "evaluation": {"matches": 0, "exact": False}, "trackers": [],
    }  # fmt: skip

    async def training():
        return league.run_training(parse_training(data), board="off").step

    assert asyncio.run(training()) == 1


def test_ctrl_c_lets_the_matches_in_flight_end(tmp_path):
    command = [sys.executable, "-c", STOPPED, f"sqlite:///{tmp_path}/t.db"]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "playing\n"
        program.send_signal(signal.SIGINT)
        assert program.stdout.read().splitlines()[-1] == "stopped False True"
    assert program.returncode == 0
