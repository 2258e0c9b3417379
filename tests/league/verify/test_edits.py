"""Every edit of a stored run that changes what it says is reported by `arena verify`."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from arena.match import decode, encode
from league.store import Store
from league.store.tasks import StoredTask, Trial
from league.tournament.run import run_tournament
from league.verify import verify
from league.verify.run import Verified
from tests.arena.cli.command import run as command

GAME = "openspiel/kuhn_poker"
PLAYERS = [{"name": name, "player": "random"} for name in ("a", "b", "c")]


def settings(file: Path, rounds: int = 4) -> dict[str, object]:
    config = {"name": "cup", "db": f"sqlite:///{file}", "games": [GAME], "players": PLAYERS, "rounds": rounds}
    return config | {"stop": {"tokens": 10**9}, "budget": {"tokens": 10**6}}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with events, tasks and trials, cut and lengthened as trainings do."""
    file = tmp_path_factory.mktemp("edits") / "x.db"
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
def db(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))  # this machine remembers nothing
    return Path(shutil.copy(played, tmp_path / "x.db"))


def sql(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.create_function("edited", 1, edited)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def edited(data: bytes) -> bytes:
    """An episode whose returns are negated."""
    episode = decode(zlib.decompress(data))
    returns = {seat: -value for seat, value in episode.returns.items()}
    return zlib.compress(encode(msgspec.structs.replace(episode, returns=returns)), 1)


def found(file: Path) -> Verified:
    (verified,) = verify(str(file))
    return verified


CUT = "DELETE FROM results WHERE seq > 15"
HEAD = "UPDATE chain SET seq = 15, digest = (SELECT digest FROM results WHERE seq = 15)"
EPISODES = "DELETE FROM episodes WHERE match NOT IN (SELECT match FROM results)"
SET = "UPDATE runs SET config = json_set(config, "
SWAP = "replace(replace(replace(seats, '\"a\"', '\"x\"'), '\"b\"', '\"a\"'), '\"x\"', '\"b\"')"
EDITS = {
    "the last results are cut and the head is set back": (CUT, HEAD, EPISODES),
    "the same, and the run is said to be interrupted": (CUT, HEAD, EPISODES, "UPDATE runs SET status = 'interrupted'"),
    "the same, with the plans": (
        CUT,
        HEAD,
        EPISODES,
        "DELETE FROM plan WHERE match NOT IN (SELECT match FROM results)",
    ),
    "the last result is cut": ("DELETE FROM results WHERE seq = 24",),
    "the first result is cut": ("DELETE FROM results WHERE seq = 1",),
    "a result in between is cut": ("DELETE FROM results WHERE seq = 7", EPISODES),
    "all results are cut": ("DELETE FROM results", "DELETE FROM episodes"),
    "players are swapped in all results": (f"UPDATE results SET seats = {SWAP}",),
    "players are swapped in results and plans": (
        f"UPDATE results SET seats = {SWAP}",
        f"UPDATE plan SET seats = {SWAP}",
    ),
    "scores are negated": ("UPDATE results SET seats = replace(seats, '\"score\":', '\"score\":-')",),
    "a result becomes void": ("UPDATE results SET status = 'void' WHERE seq = 3",),
    "two results are exchanged": (
        "UPDATE results SET seq = -1 WHERE seq = 5",
        "UPDATE results SET seq = 5 WHERE seq = 6",
        "UPDATE results SET seq = 6 WHERE seq = -1",
    ),
    "the order of all results is reversed": (
        "UPDATE results SET seq = -seq",
        "UPDATE results SET seq = seq + 25",
    ),
    "a result is doubled": (
        "INSERT INTO plan SELECT run, 99, round, pairing, 'new', game, seed, seats, task, opening, notes, refs FROM "
        'plan WHERE "index" = 0',
        "INSERT INTO results SELECT 'new', run, 25, 99, round, pairing, game, seed, status, reason, seconds, seats, "
        "worker, transcript, ranks, digest FROM results WHERE seq = 1",
    ),
    "an episode is edited": ("UPDATE episodes SET data = edited(data)",),
    "an episode replaces another": ("UPDATE episodes SET data = (SELECT max(data) FROM episodes)",),
    "an episode is removed": ("DELETE FROM episodes WHERE rowid = 2",),
    "the duration of a match is edited": ("UPDATE results SET seconds = seconds + 1",),
    "the worker of a match is edited": ("UPDATE results SET worker = 'w'",),
    "the hash of a transcript is edited": ("UPDATE results SET transcript = 7",),
    "an outcome is edited": ("UPDATE results SET ranks = '[[3,3],[3,3]]' WHERE seq = 2",),
    "all events are removed": ("DELETE FROM events",),
    "one event is removed": ("DELETE FROM events WHERE seq = (SELECT min(seq) FROM events)",),
    "the last event is removed": ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",),
    "amounts become negative": ("UPDATE events SET text = replace(text, ': ', ': -') WHERE kind = 'spent'",),
    "an event is added": ("INSERT INTO events (run, time, kind, text) SELECT run, time, 'note', text FROM events",),
    "an event is backdated": ("UPDATE events SET time = time - 86400",),
    "events are exchanged": (
        "UPDATE events SET seq = -seq WHERE kind = 'spent'",
        "UPDATE events SET seq = seq + (SELECT max(seq) - min(seq) FROM events) + 1 WHERE seq < 0",
    ),
    "an event changes its kind": ("UPDATE events SET kind = 'note' WHERE kind = 'spent'",),
    "a stop rule is changed": (f"{SET}'$.stop.matches', 24)",),
    "the budget is changed": (f"{SET}'$.budget.tokens', 7)",),
    "the seed in the settings is changed": (f"{SET}'$.seed', 7)",),
    "the seed of the run is changed": ("UPDATE runs SET seed = 7",),
    "a player becomes another": (f"{SET}'$.players[0].player', 'solver')",),
    "a player joins": (f"{SET}'$.plays.d', json('[\"{GAME}\"]'))",),
    "the ratings are set otherwise": (f"{SET}'$.ratings.beta', 1.5)",),
    "the run gets another name": ("UPDATE runs SET name = 'final'",),
    "the run gets another date": ("UPDATE runs SET created = '2020-01-01T00:00:00+00:00'",),
    "the run is said to be interrupted": ("UPDATE runs SET status = 'interrupted'",),
    "plans are added": (
        "INSERT INTO plan SELECT run, \"index\" + 24, round + 4, pairing, match || 'x', game, seed, seats, task, "
        "opening, notes, refs FROM plan",
    ),
    "a plan is removed": ('DELETE FROM plan WHERE "index" = 23',),
    "a plan is edited": ("UPDATE plan SET seed = seed + 1",),
    "a player is said to be a snapshot": ('UPDATE plan SET refs = \'{"a":{"policy":"t","step":3}}\'',),
    "a task is edited": ("UPDATE tasks SET text = 'easy' WHERE \"index\" = 3",),
    "a task is removed": ('DELETE FROM tasks WHERE "index" = 3',),
    "trials are edited": ("UPDATE task_trials SET rate = 1.0",),
    "trials are removed": ("DELETE FROM task_trials",),
    "a trial is added": (
        "INSERT INTO task_trials SELECT run, \"index\", 'z', step, 9, rate, answers FROM task_trials LIMIT 1",
    ),
    "the store gets another id": ("UPDATE meta SET value = 'x' WHERE key = 'id'",),
    "the chain is removed": ("DELETE FROM chain",),
    "the journal is removed": ("DELETE FROM journal",),
    "the end of the journal is removed": ("DELETE FROM journal WHERE n > 9",),
    "an entry of the journal is removed": ("DELETE FROM journal WHERE n = 3",),
    "an entry of the journal is edited": ("UPDATE journal SET content = x'00' WHERE n = 3",),
    "cached standings are edited": ("UPDATE standings_cache SET data = replace(data, '\"rank\":1', '\"rank\":2')",),
}


def test_a_run_as_it_was_written_has_nothing_wrong(db: Path) -> None:
    assert found(db).problems == ()
    assert len(EDITS) >= 29


@pytest.mark.parametrize("statements", EDITS.values(), ids=EDITS.keys())
def test_an_edit_is_reported(db: Path, statements: tuple[str, ...]) -> None:
    sql(db, *statements)
    assert found(db).wrong > 0


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
def test_an_edit_that_changes_nothing_of_a_run_is_not(db: Path, statement: str) -> None:
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
def test_a_store_that_runs_something_cannot_be_verified(db: Path, statements: tuple[str, ...]) -> None:
    sql(db, *statements)
    assert main(["verify", "--db", str(db)]) == 2


def test_a_finished_run_with_open_plans_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_shorter_or_another_log_than_this_machine_has_seen(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
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


def test_a_head_that_cannot_be_read_or_written_is_a_warning(
    db: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert found(db).problems == ()
    (heads,) = (tmp_path / "state" / "heads").iterdir()
    heads.write_text("[" * 100_000)
    assert found(db).problems == ()
    assert "its heads are not compared" in caplog.text
