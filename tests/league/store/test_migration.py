"""Databases of older versions, SQLite and PostgreSQL: all data is kept, and the run resumes."""

from __future__ import annotations

import pytest
from sqlalchemy import inspect

from games import InputError
from league.records.matches import transcript_of
from league.store import Store, schema
from tests.league.store import version_1
from tests.league.store.episodes import episode, finished, plan_of


def columns(store: Store) -> dict[str, set[tuple[str, str, bool]]]:
    """Table -> name, type and whether it may be null, of each column."""
    with store._db.read() as connection:
        found = inspect(connection)
        return {
            table: {(c["name"], str(c["type"]), bool(c["nullable"])) for c in found.get_columns(table)}
            for table in found.get_table_names()
        }


@pytest.fixture
def old(url: str, tmp_path) -> str:
    (tmp_path / "runs").mkdir(exist_ok=True)
    version_1.write(url, planned=6, ended=4)
    return url


def test_version_1_is_brought_up_to_date_with_all_its_matches(old: str) -> None:
    with Store.open(old) as store:
        run = store.run()
        assert (run.name, run.seed, run.status) == ("cup", 7, "interrupted")
        assert store.planned(run) == plan_of(6)
        assert [(r.index, r.seq, r.worker) for r in store.results(run)] == [(i, i + 1, "") for i in range(4)]
        assert [e for _, e in store.episodes(run)] == [episode(m) for m in plan_of(4)]
        assert [r.transcript for r in store.results(run)] == [transcript_of(episode(m)) for m in plan_of(4)]
        assert [p.index for p, attempt in store.lease(run, "new", 9)] == [4, 5]
        written = store.finish([finished(plan_of(6)[4])])
        assert [(r.index, r.seq) for r in written] == [(4, 5)]
    with Store.open(old, read_only=True) as store:
        assert store.counts(store.run()).finished == 5


def test_a_migrated_database_has_the_tables_of_a_new_one(old: str, tmp_path) -> None:
    with Store.open(old) as store:
        migrated = columns(store)
        schema.metadata.drop_all(store._db.engine)
    with Store.open(old) as store:
        assert columns(store) == migrated


def test_reading_alone_does_not_migrate(old: str) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match=r"was made by arena schema 1, this one knows .*; type: ") as refused:
            Store.open(old, read_only=True)
        shown = str(refused.value).split()[0]
        assert f"type: arena rebuild --db {shown}, which" in str(refused.value)
