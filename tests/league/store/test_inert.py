"""A store in which reading runs something is refused; values that no arena writes are one line."""

import shutil
import sqlite3
import zlib
from pathlib import Path

import pytest
from sqlalchemy import LargeBinary, Text

from games import InfrastructureError, InputError
from league import run_tournament
from league.store import Store, schema, sqlite
from tests import golden
from tests.arena.cli.command import run
from tests.league.store.episodes import transaction
from tests.postgres import POSTGRES, empty_database

FOREVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
VERBS = (["board"], ["runs"], ["matches"], ["replay", "0"], ["rebuild"], ["export"], ["verify"], ["report"])


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("inert") / "x.db"
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
    run_tournament(
        {"name": "cup", "db": f"sqlite:///{file}", "games": ["openspiel/kuhn_poker"], "players": players}, board="off"
    )
    return file


@pytest.fixture
def copy(played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(played, tmp_path / "x.db"))


def edit(file, *statements, parameters=()):
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA foreign_keys=OFF")
    for statement in statements:
        connection.execute(statement, parameters)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "statements", golden.rows(__file__, "inert_a_store_that_runs_something_is_refused_by_every_command")
)
def test_a_store_that_runs_something_is_refused_by_every_command(copy, statements, capsys):
    edit(copy, *statements)
    for verb in VERBS:
        code, out, err = run(capsys, *verb, "--db", str(copy))
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert "no arena made it" in err


@pytest.mark.skipif(not POSTGRES, reason="ARENA_TEST_POSTGRES names no server")
@pytest.mark.parametrize(("statements", "kind"), golden.rows(__file__, "inert_a_server_that_runs_something_is_refused"))
def test_a_server_that_runs_something_is_refused(statements, kind):
    url = empty_database()
    with Store.open(url) as store, transaction(store) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    with pytest.raises(InputError, match=f"holds the {kind}, which runs"):
        Store.open(url)


def test_a_query_without_end_is_interrupted(copy, monkeypatch):
    monkeypatch.setattr(sqlite, "STEPS", 1000)
    monkeypatch.setattr(sqlite, "MOST_STEPS", 100_000)
    with Store.open(str(copy), read_only=True) as store:
        for _ in range(3):
            assert len(store.results(store.run())) == 2  # every transaction counts from the start
        edit(copy, "DROP TABLE results", f"CREATE VIEW results AS {FOREVER}")
        with pytest.raises(InfrastructureError, match="took more steps than any of the arena"), store._db.read() as c:
            c.exec_driver_sql("SELECT * FROM results").all()


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("UPDATE runs SET status = '\x1b]52;c;aGk=\x07'", r"the status of run 'cup' .* is none of running, finished"),
        ("UPDATE runs SET status = 'done'", "the status of run 'cup' .*'done' is none of"),
        ("UPDATE runs SET kind = 'cup'", "the kind of run 'cup' .*'cup' is none of tournament, training, record, gate"),
        ("UPDATE results SET status = 'won'", "the status of a result .*'won' is none of"),
        ("UPDATE results SET status = ''", "the status of a result .*'' is none of"),
    ],
)
def test_a_status_or_kind_that_does_not_exist_is_one_line(copy, statement, line):
    edit(copy, "DELETE FROM standings_cache", statement)
    with Store.open(str(copy), read_only=True) as store:
        with pytest.raises(InputError, match=line) as refused:
            store.results(store.run())
        assert "\n" not in str(refused.value)
    if "results" in statement:
        with Store.open(str(copy), read_only=True) as store, pytest.raises(InputError, match=line):
            list(store.log(store.run()).columns())


def columns():
    kinds = (Text, LargeBinary)
    return [
        f"{t.name}.{c.name}"
        for t in schema.metadata.sorted_tables
        for c in t.columns
        if isinstance(c.type, kinds) and "task" not in t.name
    ]


@pytest.mark.parametrize(
    ("brackets", "levels", "verbs"),
    [
        ("[]", 100_000, ["board", "verify"]),
        pytest.param('{"a":}', 900, ["board", "rebuild", "export", "verify"], marks=pytest.mark.slow),
    ],
)
def test_deeply_nested_json_in_any_column_is_one_line(played, tmp_path, levels, brackets, verbs, capsys):
    deep = brackets[:-1] * levels + "1" + brackets[-1] * levels
    for place in columns():
        file = Path(shutil.copy(played, tmp_path / "y.db"))
        table, name = place.split(".")
        value: object = zlib.compress(deep.encode()) if place == "episodes.data" else deep
        edit(file, f'UPDATE OR IGNORE {table} SET "{name}" = ?', parameters=(value,))
        for verb in verbs:
            err = run(capsys, verb, "--db", str(file))[2]
            assert "a bug of the arena" not in err, (place, verb, err[-500:])
            assert len(err.splitlines()) <= 1, (place, verb, err[-500:])
