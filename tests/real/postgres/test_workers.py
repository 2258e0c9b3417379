"""Several `arena tournament` processes on one run of a real PostgreSQL server; the long form is a script."""

import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games import InputError
from league.store import Store
from tests.postgres import empty_database

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(1200)]

SCRIPT = Path(__file__).parents[3] / "scripts" / "bench" / "crash_workers.py"


def wait_for(db, workers, *processes):
    """Wait until a run has results of this many processes, or one of them has ended."""
    while all(process.poll() is None for process in processes):
        try:
            with Store.open(db, read_only=True) as store:
                if len({result.worker for result in store.results(store.run())}) >= workers:
                    return
        except InputError:
            pass  # not made yet
        time.sleep(0.05)


def test_workers_that_are_killed_lose_nothing_and_double_nothing(tmp_path):
    crash = runpy.run_path(str(SCRIPT))["crash"]
    outcome = crash(empty_database(), tmp_path, workers=3, kills=4, matches=480, seed=3, lease=2.0)
    assert outcome.ok, outcome
    assert sum(outcome.workers.values()) == outcome.matches == 480
    assert outcome.kills >= 1
    assert len(outcome.workers) >= 2


def test_one_of_two_processes_leaves_and_the_other_ends_the_run(tmp_path):
    db = empty_database()
    file = tmp_path / "t.toml"
    file.write_text(
        f'name = "two"\ndb = "{db}"\ngames = ["openspiel/connect_four"]\nrounds = 40\nconcurrency = 4\n'
        '[[players]]\nname = "a"\nplayer = "mcts(simulations=20)"\n[[players]]\nname = "b"\nplayer = "random"\n'
    )
    command = [sys.executable, "-m", "arena", "tournament", str(file), "--board", "off"]
    leaver = subprocess.Popen(command)
    wait_for(db, 1, leaver)  # it is past its imports, where Ctrl-C would end it otherwise
    stayer = subprocess.Popen(command)
    wait_for(db, 2, leaver, stayer)
    leaver.send_signal(signal.SIGINT)
    assert leaver.wait() in (0, 130)
    assert stayer.wait() == 0
    with Store.open(db, read_only=True) as store:
        assert store.run().status == "finished"
        assert store.counts(store.run()).finished == 80
