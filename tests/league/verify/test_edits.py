"""Every edit of a stored run that changes what it says is reported by `arena verify`."""

import shutil
import sqlite3
import zlib
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from arena.match import decode, encode
from league.store import Store, columns
from league.store.tasks import StoredTask, Trial
from league.tournament.run import run_tournament
from league.verify import verify
from tests import golden
from tests.arena.cli.command import run as command

GAME = "openspiel/kuhn_poker"
PLAYERS = [{"name": name, "player": "random"} for name in ("a", "b", "c")]


def settings(file, rounds=4):
    config = {"name": "cup", "db": f"sqlite:///{file}", "games": [GAME], "players": PLAYERS, "rounds": rounds}
    return config | {"stop": {"tokens": 10**9}, "budget": {"tokens": 10**6}}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament with events, tasks and trials, cut and lengthened as trainings do."""
    file = tmp_path_factory.mktemp("edits") / "x.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "BLOCK", 8)
        run_tournament(settings(file, 2), board="off")
        run_tournament(settings(file), board="off")
    with Store.open(str(file)) as store:
        run = store.run()
        for text in ('{"tokens": 50, "cost": 0.5}', '{"tokens": 70, "cost": 0.7}'):
            store.add_event(run, "spent", text)
        for step in range(4):
            new = StoredTask(step, GAME, f"k{step}", f"t{step}", "a", 1, "m", step)
            store.add_tasks(run, [new], [Trial(step, "m", step, 0, 0.5), Trial(step, "n", step, 1, 0.25)])
            if step == 2:
                store.forget_tasks(run, 1)
                store.add_tasks(run, [new], [Trial(step, "o", step, 0, 0.75)])
    return file


@pytest.fixture
def db(played, tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))  # this machine remembers nothing
    return Path(shutil.copy(played, tmp_path / "x.db"))


def sql(file, *statements):
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.create_function("edited", 1, edited)
    connection.create_function("exchanged", 1, exchanged)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def edited(data):
    """An episode whose returns are negated."""
    episode = decode(zlib.decompress(data))
    returns = {seat: -value for seat, value in episode.returns.items()}
    return zlib.compress(encode(msgspec.structs.replace(episode, returns=returns)), 1)


def exchanged(block):
    """A block of results in which two players have each other's: nothing in it contradicts the rest."""
    text = zlib.decompress(block)
    for old, new in ((b'"a"', b'"x"'), (b'"b"', b'"a"'), (b'"x"', b'"b"')):
        text = text.replace(old, new)
    return zlib.compress(text, 1)


def found(file):
    (verified,) = verify(str(file))
    return verified


EDITS = golden.table(__file__, "edits")


def test_a_run_as_it_was_written_has_nothing_wrong(db):
    assert found(db).problems == ()
    assert len(EDITS) >= 31


@pytest.mark.parametrize("statements", EDITS.values(), ids=EDITS.keys())
def test_an_edit_is_reported(db, statements):
    sql(db, *statements)
    assert found(db).wrong > 0


def test_tables_of_edited_blocks_are_not_the_cached_ones(db, capsys):
    """A rebuild reads blocks, not rows: only `verify` compares the two, and says so before and after it."""
    sql(db, *EDITS["two players are exchanged in the blocks"])
    for words in "NOT the same as the cached ones", "identical to the cached ones":
        assert sum(problem.text.startswith("the block of results") for problem in found(db).problems) == 3
        assert words in command(capsys, "rebuild", "--db", str(db))[1]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE leases SET attempt = attempt + 1",
        "INSERT INTO episodes SELECT 'stray', data FROM episodes LIMIT 1",
        "DELETE FROM standings_cache",
        "CREATE TABLE notes (text)",
        "ALTER TABLE events ADD COLUMN remark TEXT",
    ],
)
def test_an_edit_that_changes_nothing_of_a_run_is_not(db, statement):
    """Leases say who plays a match now, a cache is made again, and nobody reads episodes of matches that no run
    planned, nor tables and columns of others.
    """
    sql(db, statement)
    assert found(db).problems == ()


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TRIGGER t AFTER INSERT ON results BEGIN UPDATE results SET status = 'void'; END",),
        ("ALTER TABLE results RENAME TO r", "CREATE VIEW results AS SELECT * FROM r"),
    ],
)
def test_a_store_that_runs_something_cannot_be_verified(db, statements):
    sql(db, *statements)
    assert main(["verify", "--db", str(db)]) == 2


def test_a_finished_run_with_open_plans_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))
    file = tmp_path / "y.db"
    run_tournament(settings(file, 2), board="off")
    with Store.open(str(file)) as store:
        run = store.run()
        (old, *_) = store.planned(run)
        match = msgspec.structs.replace(old.match, id="later")
        store.plan(run, [msgspec.structs.replace(old, index=12, match=match)])
    (problem,) = found(file).problems
    assert problem.text == "the run is finished, and 1 of its planned matches have no result"


def test_a_shorter_or_another_log_than_this_machine_has_seen(tmp_path, monkeypatch, capsys, caplog):
    """An older copy is a log without a fault in it. Only the witness tells, to the board, to verify and to a resume."""
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))
    file, older = tmp_path / "y.db", tmp_path / "older.db"
    run_tournament(settings(file, 2), board="off")
    shutil.copy(file, older)
    run_tournament(settings(file, 4), board="off")
    assert found(file).problems == ()
    shutil.copy(older, file)
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    (problem,) = found(file).problems
    assert (problem.kind, "was cut, or an older copy was restored" in problem.text) == ("witness", True)
    assert command(capsys, "verify", "--db", str(file))[0] == 1
    command(capsys, "board", "--db", str(file))
    assert "was cut, or an older copy" in caplog.text
    caplog.clear()
    run_tournament(settings(file, 6), board="off")  # longer than the one before, and another one
    assert "was cut, or an older copy" in caplog.text
    assert "is not the one that this machine has seen" in caplog.text
    assert {problem.kind for problem in found(file).problems} == {"witness"}


def test_a_head_that_cannot_be_read_or_written_is_a_warning(db, tmp_path, caplog):
    assert found(db).problems == ()
    (heads,) = (tmp_path / "state" / "heads").iterdir()
    heads.write_text("[" * 100_000)
    assert found(db).problems == ()
    assert "its heads are not compared" in caplog.text
