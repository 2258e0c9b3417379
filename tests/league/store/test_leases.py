"""Leases of dead processes: recognised by the clock, even if it was set back, and by the process id."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from league.board.state import status_now
from league.records.leaderboard import MatchCounts
from league.store import Store
from league.store.owners import is_dead, new_owner
from league.tournament.worker import worker_name
from tests import golden
from tests.league.store.episodes import plan_of

HOLD = golden.text(__file__, "leases_hold.py.txt")


def test_a_clock_set_back_leaves_no_dead_lease(store, run, clock):
    store.plan(run, plan_of(3))
    assert len(store.lease(run, "dead", 2)) == 2
    assert store.counts(run).in_flight == 2
    clock.now -= 3600
    assert store.counts(run).in_flight == 0
    assert [p.index for p, _ in store.lease(run, "new", 9)] == [0, 1, 2]


def test_a_clock_set_back_lets_a_lease_be_reclaimed(store, run, clock):
    store.plan(run, plan_of(3))
    store.lease(run, "dead", 2)
    assert store.reclaim(run) == 0
    clock.now -= 100
    assert store.reclaim(run) == 2


def test_who_is_alive_renews_after_the_clock_was_set_back(store, run, clock):
    store.plan(run, plan_of(3))
    store.lease(run, "a", 2)
    clock.now -= 3600
    assert store.heartbeat(run, "a") == 2
    assert store.counts(run).in_flight == 2
    assert [p.index for p, _ in store.lease(run, "b", 9)] == [2]


def test_the_time_of_leases_is_the_databases(url, monkeypatch):
    """On a server it is the server's, whatever this machine's clock is set to."""
    with Store.open(url) as store:
        run = store.start_run("cup", {"seed": 1})
        store.plan(run, plan_of(2))
        store.lease(run, "a", 1)
        monkeypatch.setattr("time.time", lambda: 0.0)
        assert store.counts(run).in_flight == (1 if url.startswith("postgresql") else 0)


def test_this_process_is_alive():
    owner = new_owner()
    assert not is_dead(owner)
    assert owner != new_owner()
    assert owner.startswith(f"{socket.gethostname()}:{os.getpid()}#")


@pytest.mark.parametrize(
    "owner", ["", "dead", "host:1#abc", "host:x#a.b.c", "host:1#elsewhere.5.abc", "#..", "a:1#..."]
)
def test_of_who_is_not_from_here_nothing_is_known(owner):
    assert not is_dead(owner)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="knows processes by /proc")
def test_a_killed_process_is_dead_at_once(url):
    with Store.open(url) as store:
        store.plan(store.start_run("cup", {"seed": 1}), plan_of(3))
    process = subprocess.Popen([sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"leased\n"
        with Store.open(url, read_only=True) as store:
            counts = store.counts(store.run())
            assert counts.in_flight == 2
            assert status_now(store.run(), counts, played=store.played(store.run())) == "running"
        process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, but not reaped yet
        with Store.open(url) as store:
            run = store.run()
            counts = store.counts(run)
            assert counts.in_flight == 0
            assert status_now(run, counts, played=False) == "interrupted"
            between_rounds = MatchCounts(planned=2, finished=2)
            assert status_now(run, between_rounds, played=False) == "interrupted"
            assert [p.index for p, _ in store.lease(run, "new", 9)] == [0, 1, 2]
    finally:
        process.kill()
        process.communicate()


def test_restarts_of_a_run_that_one_process_plays_are_one_worker():
    assert worker_name(shared=False) == socket.gethostname()
    assert worker_name(shared=True) == f"{socket.gethostname()}:{os.getpid()}"
