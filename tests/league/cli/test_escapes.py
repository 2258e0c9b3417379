"""What the league's commands print: without escapes, with progress."""

import json
import shutil
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import String

from league.cli import progress
from league.store import Store, schema
from league.tournament.run import run_tournament
from tests import golden
from tests.arena.cli.command import run

EVIL = "\x1b]52;c;aGk=\x07\x9b31m\x90q\x9c\u202egnp\u2066\x08\r\x7f"
VERBS = golden.lists(__file__, "escapes_verbs")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("escapes") / "x.db"
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
    run_tournament(
        {"name": "cup", "db": f"sqlite:///{file}", "games": ["openspiel/kuhn_poker"], "players": players}, board="off"
    )
    with Store.open(str(file)) as store:
        run_of = store.run()
        store.add_event(run_of, "note", "nobody")
        (last, *_) = store.planned(run_of)[::-1]
        more = msgspec.structs.replace(last.match, id="open")
        store.plan(run_of, [msgspec.structs.replace(last, index=last.index + 1, match=more)])
        store.set_status(run_of, "interrupted")
    return file


def obeyed(text):
    """The characters of a text that a terminal obeys or that hide others."""
    return "".join(c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf"))


def text_columns():
    tables = schema.metadata.sorted_tables
    return [f"{table.name}.{c.name}" for table in tables for c in table.columns if isinstance(c.type, String)]


def leaves(value, path=()):
    """The places of all texts in JSON, keys included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, "key", key)
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))
    elif isinstance(value, str):
        yield path


def changed(text, path):
    """JSON with EVIL appended to the text at a place."""
    value = at = json.loads(text)
    *way, last = path
    key = bool(way) and way[-1] == "key"
    for part in way[:-1] if key else way:
        at = at[part]
    if key:
        at[last + EVIL] = at.pop(last)
    else:
        at[last] += EVIL
    return json.dumps(value)


def check(file, capsys, what, verbs=VERBS):
    for verb in verbs:
        _, out, err = run(capsys, *verb, "--db", str(file))
        assert obeyed(out) + obeyed(err) == "", (what, verb, out[-300:], err[-300:])
        assert "a bug of the arena" not in err, (what, verb, err[-300:])


def update(file, table, column, value):
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute(f'UPDATE OR IGNORE {table} SET "{column}" = ?', (value,))
    if table != "standings_cache":
        connection.execute("DELETE FROM standings_cache")
    connection.commit()
    connection.close()


@pytest.mark.slow
def test_a_text_column_of_any_table(played, tmp_path, capsys):
    places = text_columns()
    assert len(places) > 20
    for place in places:
        file = Path(shutil.copy(played, tmp_path / "y.db"))
        update(file, *place.split("."), EVIL)
        check(file, capsys, place, VERBS[:6])


@pytest.mark.slow
@pytest.mark.parametrize("place", ["runs.config", "results.seats", "plan.seats"])
def test_a_text_inside_json(played, tmp_path, place, capsys):
    table, column = place.split(".")
    with closing(sqlite3.connect(played)) as connection, connection:
        text = connection.execute(f"SELECT {column} FROM {table}").fetchone()[0]
    for path in leaves(json.loads(text)):
        file = Path(shutil.copy(played, tmp_path / "y.db"))
        update(file, table, column, changed(text, path))
        check(file, capsys, (place, path))


def test_names_of_the_settings(played, tmp_path, capsys):
    with closing(sqlite3.connect(played)) as connection, connection:
        text = connection.execute("SELECT config FROM runs").fetchone()[0]
    for path in (("players", 0, "name"), ("players", 0, "player"), ("pairing",), ("plays", "key", "a"), ("games", 0)):
        file = Path(shutil.copy(played, tmp_path / "y.db"))
        update(file, "runs", "config", changed(text, path))
        check(file, capsys, path, VERBS[:4])


def test_a_line_now_and_then_where_there_is_no_terminal(capsys, monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.progress_bar("a suite\x1b[2J") as done:
        done(1, 1000)
        done(2)
    assert capsys.readouterr().err.splitlines() == ["a suite\\x1b[2J: 1 of 1,000", "a suite\\x1b[2J: 2 of 1,000"]


def test_nothing_is_printed_before_that_time(capsys):
    with progress.progress_bar("a suite", 10) as done:
        done(10)
    assert capsys.readouterr().err == ""
