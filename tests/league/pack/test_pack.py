"""A run goes through one file to another machine: a league that is played, a game of a plugin, a training."""

import os
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from arena.cli import main
from arena.inference import models
from games import InputError, plugins
from league.pack import open_pack, pack_run
from league.pack.manifest import LOG
from league.records.metrics_file import METRICS
from league.store import Store
from league.training.run import run_training
from league.trust import witness
from league.verify import verify
from tests import golden
from tests.league.pack.packs import store_of
from tests.league.specs import stored
from tests.league.store.episodes import finished, plan_of
from tests.league.training.kills import dying_after
from tests.league.training.runs import KUHN, config
from tests.postgres import POSTGRES, empty_database


@pytest.fixture(autouse=True)
def _somebody(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    yield
    plugins.forget()


def problems(db):
    return [problem.text for checked in verify(str(db)) for problem in checked.problems]


def test_results_in_the_write_ahead_log_are_packed_and_other_runs_are_not(tmp_path):
    db = store_of(tmp_path)
    with Store.open(str(db)) as store:
        run = store.run("cup")
        more = plan_of(8)[4:]
        store.plan(run, more)
        store.finish([finished(m) for m in more])
        assert db.with_name("league.db-wal").stat().st_size
        pack_run(str(db), "cup", tmp_path / "x.arena")
        digest = store.head(run)
    opened = open_pack(tmp_path / "x.arena", tmp_path / "there" / "x")
    assert opened.matches == 8
    with Store.open(str(opened.folder / LOG), read_only=True) as copy:
        assert [each.name for each in copy.runs()] == ["cup"]
        assert copy.head(copy.run("cup")) == digest
        assert [event.text for event in copy.events(copy.run("cup"))] == ["one"]
        assert copy.journal_faults(copy.run("cup")) == []
    assert b"private-run" not in (opened.folder / LOG).read_bytes()


@pytest.mark.slow
def test_a_league_that_is_played_is_packed_as_it_stood_at_one_moment(tmp_path):
    db = tmp_path / "league.db"
    players = ["--player", "a=random", "--player", "b=random"]
    command = [sys.executable, "-m", "arena", "tournament", "--game", KUHN, *players, "--rounds", "100000"]
    with subprocess.Popen([*command, "--name", "cup", "--db", str(db), "--board", "off"], cwd=tmp_path) as league:
        try:
            while league.poll() is None and finished_matches(db) < 50:
                threading.Event().wait(0.1)
            before = finished_matches(db)
            pack_run(str(db), "cup", tmp_path / "x.arena")
            assert league.poll() is None
        finally:
            league.terminate()
    opened = open_pack(tmp_path / "x.arena", tmp_path / "there" / "x")
    assert 50 <= before <= opened.matches <= finished_matches(db)
    assert problems(opened.folder / LOG) == []


def finished_matches(db):
    try:
        with Store.open(str(db), read_only=True) as store:
            return store.counts(store.run("cup")).finished
    except InputError:  # it has not started yet
        return 0


def test_an_older_copy_on_the_same_machine_raises_no_alarm_and_has_no_consent(tmp_path):
    db = store_of(tmp_path)
    pack = pack_run(str(db), "cup", tmp_path / "cup.arena").file
    with Store.open(str(db)) as store:
        run = store.run("cup")
        store.plan(run, plan_of(8)[4:])
        assert witness(store, run) == ""
        original = store.id
    opened = open_pack(pack, tmp_path / "there" / "x")
    with Store.open(str(opened.folder / LOG), read_only=True) as copy:
        assert copy.id not in ("", original)
        assert witness(copy, copy.run("cup")) == ""
        assert copy.journal_faults(copy.run("cup")) == []


GAME = golden.text(__file__, "pack_game.py.txt")
FILE = golden.text(__file__, "pack_file.toml")


def test_a_game_of_a_plugin_moves_with_its_run_and_runs_only_with_consent(tmp_path, monkeypatch, capsys):
    here = tmp_path / "here"
    for folder in ("code", "settings"):
        (here / folder).mkdir(parents=True)
    (here / "code" / "coin.py").write_text(GAME)
    (here / "code" / "beside.py").write_text('HEADS = "heads"')
    (here / "settings" / "t.toml").write_text(FILE)
    monkeypatch.chdir(here)
    assert main(["tournament", "settings/t.toml", "--board", "off"]) == 0
    assert main(["pack", "cup", "--db", "runs/cup.db", "-o", str(tmp_path / "cup.arena")]) == 0
    plugins.forget()
    shutil.rmtree(here)
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "another machine"))
    monkeypatch.chdir(tmp_path / "there")
    capsys.readouterr()
    assert main(["open", "../cup.arena"]) == 0
    out, err = capsys.readouterr()
    assert "not replayed: run 'cup'" in err
    assert "nothing is wrong" in out
    assert not (tmp_path / "there/cup/plugins/ran").exists()
    assert main(["open", "../cup.arena", "trusted", "--trust-db"]) == 0
    assert "replayed: 4" in capsys.readouterr().out
    plugins.forget()
    monkeypatch.chdir(tmp_path / "there/cup")
    assert main(["verify", "--db", "arena.db"]) == 2
    assert main(["tournament", "cup.toml", "--board", "off"]) == 2  # the file names no code either
    typed = next(line.split()[1:] for line in out.splitlines() if line.startswith("  arena tournament cup.toml"))
    assert not Path("plugins/ran").exists()
    assert main([*typed[: typed.index("continues")], "--board", "off"]) == 0
    assert Path("plugins/ran").exists()
    assert main(["verify", "--db", "arena.db"]) == 0


def test_code_that_the_user_has_not_run_is_not_packed_unasked(tmp_path):
    (tmp_path / "secret.py").write_text("PASSWORD = 'hunter2'")
    with Store.open(str(tmp_path / "x.db")) as store:
        store.start_run("cup", stored(plugins=[str(tmp_path / "secret.py")]))
    with pytest.raises(InputError, match="is code that you have not run for this database"):
        pack_run(str(tmp_path / "x.db"), "cup", tmp_path / "x.arena")
    assert not (tmp_path / "x.arena").exists()
    pack_run(str(tmp_path / "x.db"), "cup", tmp_path / "x.arena", trust=True)
    assert "plugins/secret.py" in zipfile.ZipFile(tmp_path / "x.arena").namelist()


def test_code_in_the_folder_of_a_training_is_packed_as_code(tmp_path):
    folder = tmp_path / "runs" / "t"
    (folder / "snapshots" / "t@1").mkdir(parents=True)
    (folder / "game.py").write_text("")
    with Store.open(str(tmp_path / "runs" / "x.db")) as store:
        store.start_run("t", stored(kind="training", folder=str(folder), plugins=[str(folder / "game.py")]))
    pack_run(str(tmp_path / "runs" / "x.db"), "t", tmp_path / "x.arena", trust=True)
    opened = open_pack(tmp_path / "x.arena", tmp_path / "there" / "x")
    assert opened.plugins == ("plugins/game.py",)
    assert (opened.folder / "plugins" / "game.py").exists()


@pytest.mark.parametrize("link", ["snapshots/t@1", "snapshots/t@1/weights"])
def test_no_link_brings_a_file_from_elsewhere_into_a_pack(tmp_path, link):
    folder, secret = tmp_path / "runs" / "t", tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("hunter2")
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(secret if link.endswith("@1") else secret / "key")
    with Store.open(str(tmp_path / "runs" / "x.db")) as store:
        store.start_run("t", stored(kind="training", folder=str(folder)))
    with pytest.raises(InputError, match="is no file below"):
        pack_run(str(tmp_path / "runs" / "x.db"), "t", tmp_path / "x.arena")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs", "secret", "there"]


def test_what_a_pack_would_load_or_ask_is_told(tmp_path, capsys):
    player = "openai(model=m,base_url=http://evil.test/v1,key=SECRET)"
    settings = {
        "training": {
            "anchors": [{"name": "alice", "player": player}],
            "policy": {"model": "org/one"},
            "policies": [{"policy": {"model": "org/two"}}],
        },
    }
    with Store.open(str(tmp_path / "x.db")) as store:
        store.start_run("cup", stored(**settings))
    assert main(["pack", "cup", "--db", "x.db", "-o", "x.arena"]) == 0
    assert main(["open", "x.arena", "there/x"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("to continue the run would"))
    for effect in (
        "ask the model m at http://evil.test/v1, sending it the key in the environment variable SECRET",
        "load the model org/one from the Hugging Face hub",
        "load the model org/two from the Hugging Face hub",
    ):
        assert effect in line


@pytest.mark.slow
def test_a_training_resumes_elsewhere_as_if_it_had_never_moved(tmp_path, monkeypatch, capsys):
    more = {"steps": 4, "games": [{"id": KUHN, "weight": 2.0}]}
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        folder.mkdir()
    assert run_training(config(whole, **more), board="off").complete
    with dying_after(3):
        run_training(config(parts, **more), board="off")
    assert main(["pack", "kuhn", "--db", str(parts / "arena.db"), "-o", "x.arena"]) == 0
    shutil.rmtree(parts)
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "another machine"))
    assert main(["open", "x.arena", "there/kuhn"]) == 0, capsys.readouterr().err
    moved = tmp_path / "there" / "kuhn"
    monkeypatch.chdir(moved)
    assert main(["play", KUHN, "kuhn@2", "random", "--db", "arena.db"]) == 0, capsys.readouterr().err
    assert main(["train", "kuhn.toml", "--board", "off"]) == 0, capsys.readouterr().err
    assert (moved / "runs/kuhn" / METRICS).read_bytes() == (whole / "run" / METRICS).read_bytes()
    for part in ("checkpoints/step-00000004/weights.safetensors", "snapshots/kuhn@4/model.safetensors"):
        assert (moved / "runs/kuhn" / part).read_bytes() == (whole / "run" / part).read_bytes()
    assert problems(moved / LOG) == []


def test_snapshots_of_another_training_come_with_the_tournament_that_seats_them(tmp_path, monkeypatch, capsys):
    c = config(tmp_path, steps=1, matches_per_step=2, snapshots={"every": 1, "matches": 0}, anchors=[], opponents={})
    run_training(c.model_copy(update={"record": False}), board="off")
    players = ["--player", "learner=kuhn", "--player", "r=random"]
    command = ["tournament", "--game", KUHN, *players, "--name", "cup", "--db", "arena.db", "--board", "off"]
    assert main([*command, "--rounds", "1"]) == 0, capsys.readouterr().err
    assert main(["pack", "cup", "--db", "arena.db", "-o", "x.arena"]) == 0
    assert "runs/kuhn/snapshots/kuhn@1/model.safetensors" in zipfile.ZipFile("x.arena").namelist()
    assert not any("kuhn@0" in name or "checkpoint" in name for name in zipfile.ZipFile("x.arena").namelist())
    os.rename("run", "hidden")
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "another machine"))
    assert main(["open", "x.arena", "there/cup"]) == 0, capsys.readouterr().err
    monkeypatch.chdir("there/cup")
    file = Path("cup.toml")
    file.write_text(file.read_text().replace("rounds = 1", "rounds = 2"))
    assert main(["tournament", "cup.toml", "--board", "off"]) == 0, capsys.readouterr().err
    assert problems(Path(LOG)) == []


def test_snapshots_with_adapters_play_where_the_base_model_is_not(tmp_path, monkeypatch, capsys):
    pytest.importorskip("peft")
    base = shutil.copytree(models.folder("tiny(layers=1, hidden=32)"), tmp_path / "models" / "base")
    policy = {"model": str(base), "lora": 4}
    c = config(tmp_path, steps=1, policy=policy, snapshots={"every": 1, "matches": 0}, evaluation={"matches": 0})
    run_training(c, board="off")
    assert main(["pack", "kuhn", "--db", "arena.db", "-o", "x.arena"]) == 0
    assert f"not in it, though the run names them: {base}" in capsys.readouterr().err
    os.rename("run", "hidden")
    os.rename("models", "hidden models")
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "another machine"))
    assert main(["open", "x.arena", "there/kuhn"]) == 0, capsys.readouterr().err
    assert main(["play", KUHN, "kuhn", "random", "--db", f"there/kuhn/{LOG}"]) == 0, capsys.readouterr().err
    os.rename("hidden models", "there/kuhn/models")
    monkeypatch.chdir("there/kuhn")
    file = Path("kuhn.toml")
    file.write_text(file.read_text().replace("steps = 1", "steps = 2"))
    assert main(["train", "kuhn.toml", "--board", "off"]) == 0, capsys.readouterr().err


@pytest.mark.skipif(POSTGRES is None, reason="ARENA_TEST_POSTGRES names no server")
def test_a_run_of_a_server_becomes_a_file(tmp_path, monkeypatch):
    c = config(tmp_path, steps=2, db=empty_database())
    run_training(c, board="off")
    pack_run(c.db, "kuhn", tmp_path / "x.arena")
    os.rename("run", "hidden")
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "another machine"))
    opened = open_pack(tmp_path / "x.arena", tmp_path / "there" / "kuhn")
    assert opened.matches > 0
    assert problems(opened.folder / LOG) == []
    monkeypatch.chdir(opened.folder)
    file = Path("kuhn.toml")
    file.write_text(file.read_text().replace("steps = 2", "steps = 3"))
    assert main(["train", "kuhn.toml", "--board", "off"]) == 0
    assert problems(Path(LOG)) == []
