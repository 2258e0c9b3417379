"""The chain of results and the journal of a store."""

import re
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from league.store import Store, chain
from league.store.tasks import StoredTask, Trial
from tests import golden
from tests.league.store.episodes import finished, plan_of, transaction


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
    with closing(sqlite3.connect(file)) as connection, connection:
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


def task(index, step):
    return StoredTask(index, "g", f"k{index}", "t", "a", 1, "m", step)


def write_everything(store, run):
    store.plan(run, plan_of(4))
    store.finish([finished(m) for m in plan_of(3)])
    store.finish([finished(plan_of(4)[3])])
    store.add_event(run, "note", "one")
    store.set_status(run, "interrupted")
    store.add_tasks(run, [task(0, 1)], [Trial(0, "m", 1, 0, 0.1)])
    store.add_tasks(run, [task(1, 2), task(2, 2)], [Trial(1, "m", 2, 0, 0.2), Trial(2, "n", 2, 1, 0.3)])
    store.add_tasks(run, [], [Trial(0, "z", 1, 1, 0.4)])  # of an earlier step
    store.forget_tasks(run, 1)
    store.add_tasks(run, [task(1, 2)], [Trial(1, "q", 2, 0, 0.5)])
    store.start_run(run.name, {"seed": 7, "rounds": 3})


def test_everything_that_is_written_is_covered(store, run):
    other = store.start_run("other", {"seed": 1, "rounds": 1})
    store.add_event(other, "note", "of another run in between")
    write_everything(store, run)
    assert store.journal_faults(run) == store.journal_faults(other) == []


def test_one_transaction_is_one_entry_of_each_kind(store, run):
    store.plan(run, plan_of(40))
    before = store.journal_head(run).length
    store.finish([finished(m) for m in plan_of(40)])
    assert store.journal_head(run).length == before + 1


def test_roster_changes_cut_the_plan(store, run):
    store.plan(run, plan_of(6))
    store.change_roster(run, lambda now, round, index: ({**now.settings, "changes": [1]}, "c joins"))
    assert store.planned(run) == []
    assert store.journal_faults(run) == []
    with pytest.raises(ZeroDivisionError):
        store.change_roster(run, lambda now, round, index: 1 // 0)  # type: ignore[arg-type, return-value]
    assert store.journal_faults(run) == []


@pytest.mark.parametrize(("edit", "fault"), golden.rows(__file__, "journal_an_edit_is_described"))
def test_an_edit_is_described(store, run, edit, fault):
    write_everything(store, run)
    with transaction(store) as connection:
        connection.execute(text(edit))
    found, *_ = store.journal_faults(run)
    assert re.match(fault, found), found
