"""One password in the URL of the store reaches the driver, and nothing that a run writes, prints or sends."""

import logging
import os
import pickle
import sqlite3
import sys
import zlib
from contextlib import closing
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest

from games import InfrastructureError, InputError
from league import run_tournament, run_training
from league.config.database_url import DatabaseUrl
from league.config.tournament import parse_tournament
from league.store import Store, postgres
from league.store.sqlite import Sqlite
from league.training.logs import trackers
from tests.arena.cli.command import run
from tests.league.training.runs import config as training_config

SENTINEL = "SENTINEL-7f3a"
URL = f"postgresql://bob:{SENTINEL}@database.invalid/arena?sslpassword={SENTINEL}"
KUHN = "openspiel/kuhn_poker"
TOURNAMENT = f"""
name = "cup"
db = "{URL}"
games = ["{KUHN}"]
concurrency = 2
players = [{{name = "a", player = "random"}}, {{name = "b", player = "random"}}]
"""


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A file that stands for the server of URL: what the store does is real, but for the driver."""

    def connect(url, *, read_only):
        assert url.for_driver().password == SENTINEL
        backend = Sqlite(DatabaseUrl(f"{tmp_path}/server.db"), read_only=read_only)
        backend.url = url
        return backend

    monkeypatch.setattr(postgres, "Postgres", connect)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def leaks(folder):
    """The files, and the rows of the store, that hold the password."""
    found = [str(path) for path in folder.rglob("*") if path.is_file() and SENTINEL.encode() in path.read_bytes()]
    with closing(sqlite3.connect(folder / "server.db")) as connection, connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert {"runs", "events", "episodes"} <= set(tables)
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                cells = [unzipped(cell) if isinstance(cell, bytes) else str(cell) for cell in row]
                found += [f"{table}: {cell}" for cell in cells if SENTINEL in cell]
    return found


def unzipped(data):
    try:
        return zlib.decompress(data).decode(errors="replace")
    except zlib.error:
        return data.decode(errors="replace")


def test_a_tournament_writes_and_prints_no_password(server, capsys, caplog):
    caplog.set_level(logging.DEBUG)
    file = server / "cup.toml"
    file.write_text(TOURNAMENT)
    printed = [*run(capsys, "-v", "tournament", str(file))]
    assert printed[0] == 0, printed
    file.unlink()
    for words in (["board", "--json"], ["runs"], ["verify"], ["rebuild"], ["matches"], ["doctor"], ["report"]):
        sys.argv = ["arena", *words, "--db", URL]
        printed += run(capsys, "-v", *words, "--db", URL)
        assert SENTINEL not in " ".join(sys.argv)  # trackers upload it
    for words in (["board", "--run", "no"], ["retire", "c"], ["play", KUHN, "cup@1", "random"]):
        code, *lines = run(capsys, "-v", *words, "--db", URL)
        assert code
        printed += lines
    assert SENTINEL not in " ".join(map(str, printed)) + caplog.text
    assert leaks(server) == []


def test_a_training_and_its_tracker_get_no_password(server, monkeypatch):
    sent: list[Any] = []

    def record(*words, **named):
        sent.append((words, named))

    stub = ModuleType("wandb")
    vars(stub).update(init=record, log=record, finish=lambda: None, Settings=record, __spec__=ModuleSpec("wandb", None))
    monkeypatch.setitem(sys.modules, "wandb", stub)
    monkeypatch.setattr(trackers, "_installed", lambda package: package == "wandb")
    run_training(
        training_config(server, db=URL, steps=1, trackers=["wandb"], evaluation={"every": 1, "matches": 0}), board="off"
    )
    (init,) = [named for _, named in sent if "config" in named]
    assert init["config"]["steps"] == 1
    assert not {"db", "ray", "concurrency"} & init["config"].keys()
    assert SENTINEL not in repr(sent)
    assert SENTINEL.encode() not in pickle.dumps(init["config"])
    assert leaks(server) == []


def test_where_a_run_is_played_is_no_part_of_its_settings(server):
    file = server / "cup.toml"
    file.write_text(TOURNAMENT)
    run_tournament(file, board="off")
    with Store.open(URL, read_only=True) as store:
        assert not {"db", "ray", "concurrency"} & store.run().settings.keys()


def test_the_processes_of_a_learner_have_no_password_in_their_arguments(server, monkeypatch, capsys):
    from arena.learner import launch
    from league.training import processes

    started: list[str] = []
    monkeypatch.setattr(launch, "launch", lambda learner, arguments: started.extend(arguments) or 0)
    file = server / "two.toml"
    file.write_text(f'name = "two"\nsteps = 1\ngames = ["{KUHN}"]\n[learner]\nprocesses = 2\n')
    assert run(capsys, "train", str(file), "--db", URL)[0] == 0
    assert str(file) in started
    assert SENTINEL not in " ".join(started)
    assert processes.database() == DatabaseUrl(URL)
    assert SENTINEL not in " ".join(os.environ.values())


@pytest.mark.parametrize("query", ["", f"?sslpassword={SENTINEL}", f"?unknown={SENTINEL}", "?port=words"])
@pytest.mark.parametrize("host", ["127.0.0.1:1", "[::1]:1", "host.invalid"])
def test_a_server_that_cannot_be_reached(host, query):
    pytest.importorskip("psycopg")
    with pytest.raises(InputError, match="cannot reach the database") as refused:
        Store.open(f"postgresql://bob:{SENTINEL}@{host}/arena{query}")
    assert SENTINEL not in str(refused.value)
    assert "\n" not in str(refused.value)


def failures():
    return [lambda store: store.runs(), lambda store: store.start_run("x", {}), lambda store: store.run("x")]


@pytest.mark.parametrize("fails", failures())
def test_a_database_that_fails(server, fails):
    with Store.open(URL) as store:
        with closing(sqlite3.connect(server / "server.db")) as connection, connection:
            connection.execute("DROP TABLE runs")
        with pytest.raises(InfrastructureError) as failed:
            fails(store)
        assert "postgresql+psycopg://bob@database.invalid/arena" in str(failed.value)
        assert SENTINEL not in str(failed.value)


def test_two_urls_are_equal_only_with_their_secrets():
    settings = {"name": "t", "games": [KUHN], "players": [{"name": n, "player": "random"} for n in "ab"]}
    one, other = (parse_tournament(settings | {"db": f"postgresql://b:{pw}@h/x"}) for pw in ("a", "b"))
    assert one != other
    assert repr(one) == repr(other)
