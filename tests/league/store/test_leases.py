"""Leases of matches and the processes that join a run."""

import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games import InfrastructureError, InputError
from league.board.state import status_now
from league.records.leaderboard import MatchCounts
from league.store import Store
from league.store.owners import beating, is_dead, new_owner
from league.tournament.worker import worker_name
from tests import golden
from tests.league.store.episodes import finished, plan_of

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


@pytest.fixture
def second(url, clock):
    with Store.open(url, clock=clock, lease_seconds=60) as opened:
        yield opened


def shared(url):
    return url.startswith("postgresql")


def test_a_second_process_joins_or_is_refused(store, second, run, url):
    store.plan(run, plan_of(4))
    assert not store.played(run)
    with store.join(run, "a"):
        assert second.played(run)
        assert store.alone(run)
        assert [p.index for p, _ in store.lease(run, "a", 2)] == [0, 1]
        if not shared(url):
            with pytest.raises(InputError, match=r"already played by .*`arena watch"):
                second.join(run, "b").__enter__()
            return
        with second.join(run, "b"):
            assert not store.alone(run)
            assert [p.index for p, _ in second.lease(run, "b", 9)] == [2, 3]  # those of `a` are not taken back
            assert (store.unfinished(run, "a"), second.unfinished(run, "b")) == (2, 2)
            with pytest.raises(InputError, match="already played by"):
                store.exclusive(run).__enter__()
        assert store.alone(run)


def test_processes_that_start_a_run_at_once_make_one(store, url):
    barrier = threading.Barrier(4)

    def start(n):
        with Store.open(url) as own:
            barrier.wait()
            return [own.start_run(f"cup {i}", {"seed": i}).id for i in range(8)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(start, range(4)))
    assert found == [found[0]] * 4
    assert len(store.runs()) == 8


def test_the_first_to_come_takes_back_what_the_dead_had(store, run):
    store.plan(run, plan_of(3))
    store.lease(run, "dead", 3)
    with store.join(run, "new"):
        assert [(p.index, attempt) for p, attempt in store.lease(run, "new", 9)] == [(0, 2), (1, 2), (2, 2)]


def test_later_leases_of_the_dead_run_out(store, second, run, url, clock):
    if not shared(url):
        return  # nobody joins there
    store.plan(run, plan_of(2))
    with store.join(run, "a"), second.join(run, "b"):
        second.lease(run, "b", 2)
        assert store.lease(run, "a", 2) == []
        clock.now += 59
        second.heartbeat(run, "b")
        clock.now += 59
        assert store.lease(run, "a", 2) == []
        clock.now += 2
        assert [p.index for p, _ in store.lease(run, "a", 2)] == [0, 1]
        assert len(store.finish([finished(m) for m in plan_of(2)])) == 2
        assert second.finish([finished(plan_of(1)[0])]) == []  # `b` was only slow: the first result stands
        assert store.unfinished(run, "a") == 0


def test_whoever_joins_may_have_another_budget(store, second, url):
    run = store.start_run("cup", {"rounds": 2, "budget": {"tokens": 4}})
    with store.join(run, "a"):
        if shared(url):
            assert second.start_run("cup", {"rounds": 2, "budget": {"tokens": 8}}).id == run.id
        with pytest.raises(InputError, match="already played by"):
            second.start_run("cup", {"rounds": 3, "budget": {"tokens": 4}})


def test_the_heart_beats_beside_a_busy_main_thread_and_survives_a_failure():
    beats, enough = [], threading.Event()

    def beat():
        beats.append(1)
        if len(beats) == 1:
            raise InfrastructureError("the server restarts")
        if len(beats) == 3:
            enough.set()

    with beating(beat, 0.001, "the database"):
        assert enough.wait(240)
    ended = len(beats)
    assert not [t for t in threading.enumerate() if t.name == "arena-heartbeat"]
    assert len(beats) == ended
