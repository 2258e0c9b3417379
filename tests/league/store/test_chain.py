"""The hash chain of a run's results."""

import sqlite3

import pytest

from league.store import Store, chain
from tests import golden
from tests.league.store.episodes import finished, plan_of


def broken(store, run):
    """The results whose digest is not that of what is stored, with the digest stored for the one before."""
    (segment,) = store.segments(run)
    before, found = chain.NOTHING, []
    for link in store.links(run, batch=3):
        assert link.digest is not None
        if chain.link(before, segment.settings, link.seq, link.content) != link.digest:
            found.append(link.seq)
        before = link.digest
    return found


def test_every_result_is_chained_to_the_one_before(store, run):
    store.plan(run, plan_of(8))
    store.finish([finished(m) for m in reversed(plan_of(5))])
    store.finish([finished(plan_of(8)[7], "void")])
    (segment,) = store.segments(run)
    links = list(store.links(run, batch=2))
    assert [link.seq for link in links] == [1, 2, 3, 4, 5, 6]
    assert (segment.since, segment.seq, segment.digest) == (1, 6, links[-1].digest)
    assert broken(store, run) == []


def test_two_processes_make_one_chain(store, run, url):
    store.plan(run, plan_of(6))
    with Store.open(url) as other:
        for match in plan_of(6):
            (store if match.index % 2 else other).finish([finished(match)])
    assert broken(store, run) == []


@pytest.mark.parametrize("change", golden.rows(__file__, "chain_what_is_changed_no_longer_fits_its_digest"))
def test_what_is_changed_no_longer_fits_its_digest(tmp_path, change):
    file = tmp_path / "x.db"
    with Store.open(str(file)) as store:
        run = store.start_run("cup", {"seed": 1})
        store.plan(run, plan_of(5))
        store.finish([finished(m) for m in plan_of(5)])
        assert broken(store, run) == []
    with sqlite3.connect(file) as connection:
        connection.execute(change)
    with Store.open(str(file)) as store:
        assert broken(store, run) == [3]


def test_settings_that_grow_start_a_segment_and_free_ones_do_not(store):
    run = store.start_run("cup", {"seed": 1, "rounds": 1, "workers": "local"})
    store.start_run("cup", {"seed": 1, "rounds": 2, "workers": "ray"})
    assert [s.since for s in store.segments(run)] == [1]
    store.plan(run, plan_of(4))
    store.finish([finished(m) for m in plan_of(2)])
    run = store.start_run("cup", {"seed": 1, "rounds": 3, "workers": "ray"})
    first, second = store.segments(run)
    assert (first.seq, second.since, second.seq, second.digest) == (2, 3, 2, first.digest)
    store.finish([finished(plan_of(4)[2])])
    link = list(store.links(run))[-1]
    assert chain.link(first.digest, second.settings, 3, link.content) == link.digest == store.segments(run)[1].digest
