"""Several processes on one run: PostgreSQL lets them join, SQLite refuses the second; each result is kept once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from games import InfrastructureError, InputError
from league.store import Store
from league.store.heartbeat import beating
from tests.league.store.episodes import finished, plan_of


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
