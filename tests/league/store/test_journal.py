"""The journal of a run covers whatever a store writes."""

import re

import pytest
from sqlalchemy import text

from league.store.tasks import StoredTask, Trial
from tests import golden
from tests.league.store.episodes import finished, plan_of


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
    with store._db.write() as connection:
        connection.execute(text(edit))
    found, *_ = store.journal_faults(run)
    assert re.match(fault, found), found
