import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from games import InfrastructureError, InputError, MissingPackage
from league.store import Store, schema
from tests.league.store.episodes import finished, plan_of, transaction


def filled(path, size=4):
    with Store.open(str(path)) as store:
        run = store.start_run("cup", {"seed": 1})
        store.plan(run, plan_of(size))
        store.finish([finished(m) for m in plan_of(size)])
    return path


def refusal(url, **options):
    with pytest.raises(InputError) as refused:
        Store.open(str(url), **options)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def set_version(path, version):
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(version),))
    connection.commit()
    connection.close()


def test_opening_makes_the_folders_and_a_durable_wal(tmp_path):
    path = tmp_path / "a" / "b" / "x.db"
    with Store.open(f"sqlite:///{path}") as store, transaction(store) as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    assert path.exists()


def test_a_bare_relative_path_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store.open("runs/x.db") as store:
        assert store.url == "sqlite:///runs/x.db"
    assert (tmp_path / "runs" / "x.db").exists()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me:secret@host/x", "'mysql'.*not supported; write sqlite:///"),
        ("sqlite://runs/x.db", "too few slashes; write sqlite:///path"),
        ("sqlite://", "too few slashes"),
        ("sqlite:///:memory:", "names no file"),
        ("://", "is not a database URL"),
        ("postgresql://me:secret@127.0.0.1:port/x", "is not a database URL"),
    ],
)
def test_urls_that_are_no_store(url, message, capsys):
    with pytest.raises(InputError, match=message) as refused:
        Store.open(url)
    assert "secret" not in str(refused.value).replace(url, "")


def test_postgresql_without_its_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingPackage, match=r"pip install 'selfplay-arena\[postgres\]'") as refused:
        Store.open("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(refused.value)


def test_garbage_is_no_database(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(b"once upon a time " * 400)
    for read_only in (False, True):
        assert "is not a SQLite database" in refusal(path, read_only=read_only)
    assert path.read_bytes() == b"once upon a time " * 400


def test_a_folder_is_no_database(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_somebody_elses_database_is_left_alone(tmp_path):
    path = tmp_path / "x.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    assert "database of another program (tables recipes)" in refusal(path)


def read_everything(path):
    with Store.open(str(path), read_only=True) as store:
        run = store.run()
        return len(store.planned(run)), len(list(store.episodes(run)))


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_torn_file_is_told_of_and_never_read_as_if_whole(tmp_path, keep):
    path = filled(tmp_path / "x.db", 400)
    assert read_everything(path) == (400, 400)
    size = path.stat().st_size
    os.truncate(path, int(size * keep) // 4096 * 4096)
    with pytest.raises((InputError, InfrastructureError), match=r"damaged|malformed"):
        read_everything(path)


def test_a_file_that_is_refused_is_not_held_open(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(InputError, match="is not a SQLite database") as refused:
        Store.open(str(path))
    assert str(path) not in [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    assert refused.value  # with its traceback, which held the connection


def test_read_only_makes_nothing(tmp_path):
    assert "does not exist; `arena tournament FILE.toml --db" in refusal(tmp_path / "no" / "x.db", read_only=True)
    assert list(tmp_path.iterdir()) == []
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "is empty" in refusal(empty, read_only=True)


def test_what_works_on_a_run_opens_a_store_for_writing_and_makes_none(tmp_path):
    assert "does not exist; `arena tournament FILE.toml --db" in refusal(tmp_path / "no" / "x.db", make=False)
    assert list(tmp_path.iterdir()) == []
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "is empty; `arena tournament FILE.toml --db" in refusal(empty, make=False)
    assert (empty.stat().st_size, list(tmp_path.iterdir())) == (0, [empty])
    with Store.open(str(filled(tmp_path / "x.db")), make=False) as store:
        store.set_status(store.run(), "finished")
        assert store.run().status == "finished"


JOIN = """
import sys
from league.store import Store
with Store.open(sys.argv[1]) as store, store.join(store.run(), "second"):
    print("joined")
"""


def test_a_run_is_kept_to_one_process_under_every_name_of_its_file(tmp_path):
    path, link = filled(tmp_path / "real.db"), tmp_path / "links" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    with Store.open(str(path)) as store, store.join(store.run(), "first"):
        second = subprocess.run([sys.executable, "-c", JOIN, str(link)], capture_output=True, text=True, timeout=60)
    assert second.stdout == ""
    assert f"run 'cup' is already played by process {os.getpid()} on " in second.stderr
    assert list(link.parent.iterdir()) == [link]


def test_read_only_refuses_to_write(tmp_path):
    path = filled(tmp_path / "x.db")
    with Store.open(str(path), read_only=True) as store:
        assert store.counts(store.run()).finished == 4
        with pytest.raises(InfrastructureError, match="readonly"):
            store.set_status(store.run(), "finished")


def test_a_full_disk_loses_the_batch_and_nothing_else(tmp_path):
    with Store.open(str(tmp_path / "x.db")) as store:
        run = store.start_run("cup", {})
        store.plan(run, plan_of(2000))
        first, second = [finished(m) for m in plan_of(2000)[:8]], [finished(m) for m in plan_of(2000)[8:]]
        store.finish(first)
        limit(store, 0)
        with pytest.raises(InfrastructureError, match=r"the database sqlite:///.* failed: database or disk is full"):
            store.finish(second)
        assert len(store.results(run)) == 8
        limit(store, 1 << 30)
        assert [r.seq for r in store.finish(second)] == list(range(9, 2001))


def limit(store, pages):
    """Let the file grow to so many pages; SQLite never goes below its present size."""
    with transaction(store) as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages or 1}")


def test_a_lock_file_that_cannot_be_made(tmp_path):
    with Store.open(str(tmp_path / "x.db")) as store:
        run = store.start_run("cup", {})
        (tmp_path / f"x.db.run{run.id}.lock").mkdir()
        with pytest.raises(InputError, match=r"cannot lock .*\.lock: Is a directory"):
            store.exclusive(run).__enter__()


def test_a_database_in_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    path = filled(tmp_path / "x.db")
    may_write = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: mode != os.W_OK and may_write(p, mode))
    with Store.open(str(path), read_only=True) as store:
        assert store.counts(store.run()).finished == 4
    assert [p.name for p in tmp_path.iterdir()] == ["x.db"]


def test_a_newer_database_is_refused(tmp_path):
    path = filled(tmp_path / "x.db")
    set_version(path, schema.VERSION + 2)
    for read_only in (False, True):
        message = refusal(path, read_only=read_only)
        assert f"was made by arena schema {schema.VERSION + 2}, this one knows {schema.VERSION}" in message
        assert message.endswith("upgrade with pip install -U selfplay-arena")


def test_an_older_database_is_refused(tmp_path):
    path = filled(tmp_path / "x.db")
    set_version(path, schema.VERSION - 1)
    for read_only in (False, True):
        line = refusal(path, read_only=read_only)
        assert f"was made by arena schema {schema.VERSION - 1}, this one knows {schema.VERSION} alone" in line
        assert line.endswith("open it with the arena that made it, or name a new --db")


def test_processes_that_make_the_same_file_at_once(tmp_path):
    path = tmp_path / "x.db"
    code = f"from league.store import Store\nwith Store.open({str(path)!r}) as s: print(s.start_run('cup', {{}}).id)"
    makers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [maker.communicate()[0].strip() for maker in makers] == ["1"] * 4
    assert [maker.returncode for maker in makers] == [0] * 4


def test_a_file_that_another_process_writes_is_switched_to_wal_when_it_is_free(tmp_path):
    path = filled(tmp_path / "x.db")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN IMMEDIATE")  # SQLite refuses the switch at once then
        end = threading.Timer(0.3, other.execute, ["COMMIT"])
        end.start()
        with Store.open(str(path)) as store:
            assert store.run().name
        end.join()
    with closing(sqlite3.connect(path)) as later:
        assert later.execute("PRAGMA journal_mode").fetchone() == ("wal",)
