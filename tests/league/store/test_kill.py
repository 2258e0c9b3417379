"""kill -9 at any moment: nothing that was acknowledged is lost, nothing is counted twice."""

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from itertools import count

import pytest

from games import InputError
from league.store import Store
from tests.league.store import workers
from tests.league.store.episodes import plan_of

KILLS = 12
SHARE = 120  # matches planned before each kill and after the last
SIZE = SHARE * (KILLS + 1)


@pytest.fixture(scope="module")
def context():
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.league.store.workers"])
    return made


def fill(url, size):
    with Store.open(url) as store:
        store.plan(store.start_run("cup", {}), plan_of(size))


def test_kill_minus_nine(url, tmp_path, context):
    """Each kill falls into a share of the plan of its own, so a fast machine cannot be done before the last kill."""
    shares = [plan_of(SIZE)[n : n + SHARE] for n in range(0, SIZE, SHARE)]
    with Store.open(url) as store:
        run = store.start_run("cup", {})
    rng = random.Random(5)
    number = count()

    def start():
        n = next(number)
        worker = context.Process(target=workers.play, args=(url, str(tmp_path / f"said.{n}"), n, SIZE))
        worker.start()
        return worker

    alive = [start() for _ in range(4)]
    for share in shares[:-1]:
        with Store.open(url) as store:
            store.plan(run, share)
        time.sleep(rng.uniform(0.01, 0.12))
        victim = rng.randrange(len(alive))
        os.kill(alive[victim].pid, signal.SIGKILL)
        alive[victim].join()
        alive[victim] = start()
    with Store.open(url) as store:
        store.plan(run, shares[-1])
    for worker in alive:
        worker.join()
        assert worker.exitcode == 0

    said = Counter(line for file in tmp_path.glob("said.*") for line in file.read_text().split())
    with Store.open(url, read_only=True) as store:
        run = store.run()
        results = store.results(run)
        assert [r.seq for r in results] == list(range(1, SIZE + 1))
        assert [r.match for r in store.results_in_plan_order(run)] == [m.match.id for m in plan_of(SIZE)]
        assert sum(1 for _ in store.episodes(run)) == SIZE
    assert set(said.values()) == {1}  # nobody else was told that it wrote the same match
    assert len(said) > SIZE - KILLS * 8  # at most one batch per kill was written but not acknowledged
    if url.startswith("sqlite"):
        check_file(url.removeprefix("sqlite:///"))


def check_file(path):
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("SELECT count(*) FROM leases").fetchone() == (0,)
    connection.close()


def test_the_lock_of_a_killed_process_is_free_at_once(url, context):
    fill(url, 8)
    ours, theirs = context.Pipe()
    holder = context.Process(target=workers.hold, args=(url, theirs))
    holder.start()
    pid = ours.recv()
    with Store.open(url) as store:
        run = store.run()
        with pytest.raises(InputError, match=rf"run 'cup' is already played by process {pid} on ") as refused:
            store.exclusive(run).__enter__()
        assert "`arena watch --db " in str(refused.value)
        assert store.played(run)
        os.kill(pid, signal.SIGKILL)
        holder.join()
        with store.exclusive(run):
            assert store.played(run)
            assert store.reclaim(run) == 5
            assert [attempt for _, attempt in store.lease(run, "resumed", 6)] == [2] * 5 + [1]
        assert not store.played(run)


def test_a_reader_follows_a_live_writer(url, context):
    fill(url, 60)
    ours, theirs = context.Pipe()
    writer = context.Process(target=workers.write_on, args=(url, 60, theirs))
    writer.start()
    seen = []
    with Store.open(url, read_only=True) as store:
        run = store.run()
        for written in range(20, 61, 20):
            assert ours.recv() == written
            seen += store.results(run, after_seq=len(seen))
            assert len(seen) == store.counts(run).finished == written
            assert store.episode(seen[-1].match).match == seen[-1].match
            ours.send("go on")
    writer.join()
    assert [r.seq for r in seen] == list(range(1, 61))
