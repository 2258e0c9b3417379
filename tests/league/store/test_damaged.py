"""Stores that are damaged, and paths in a store."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import main
from games import InputError
from league import TournamentConfig, run_tournament
from league.store import Store
from league.store.paths import from_store, to_store
from tests import golden
from tests.league.specs import stored


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("damaged") / "x.db"
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
    config = {"name": "cup", "db": f"sqlite:///{file}", "games": ["openspiel/kuhn_poker"], "players": players}
    run_tournament(TournamentConfig.model_validate(config), board="off")
    with Store.open(str(file)) as store:
        store.add_event(store.run(), "note", "nobody")
    return file


VERBS = golden.lists(__file__, "damaged_verbs")


@pytest.mark.parametrize("damage", golden.rows(__file__, "damaged_what_is_damaged_is_said_in_one_line"))
def test_what_is_damaged_is_said_in_one_line(played, tmp_path, damage, capsys):
    db = Path(shutil.copy(played, tmp_path))
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute(damage)
        if "standings_cache" not in damage:
            connection.execute("DELETE FROM standings_cache")
    for verb in VERBS:
        more = ["--matches", "0"] if verb[0] == "eval" else []
        code = main([*verb, *more, "--db", str(db)])
        err = capsys.readouterr().err
        assert "a bug of the arena" not in err
        assert (code, len(err.splitlines())) in ((0, 0), (0, 1), (1, 1), (2, 1)), err
    main(["verify", "--db", str(db)])
    assert "a bug of the arena" not in capsys.readouterr().err


def settings(base):
    """Settings with a path in every place that may hold one."""
    model = f"{base}/runs/t/snapshots/t@1"
    return {
        "folder": f"{base}/runs/t",
        "plugins": [f"{base}/game.py", "/usr/share/other.py"],
        "players": [
            {"name": "a", "player": f"llm(model={model},decode=free)"},
            {"name": "b", "player": f"advised(player=random,adviser=llm(model={model}))"},
            {"name": "c", "player": "llm(model=org/name)"},
            {"name": "d", "player": "llm(model=./mine)"},
            {"name": "e", "player": "mcts(simulations=5)"},
        ],
        "training": {
            "anchors": [{"name": "a", "player": f"llm(model={model})"}],
            "policy": {"model": f"{base}/models/base", "lora": 4},
            "policies": [{"policy": {"model": f"{base}/models/base"}}],
        },
        "rounds": 3,
    }


def files(base):
    for folder in ("runs/t/snapshots/t@1", "models/base"):
        (base / folder).mkdir(parents=True)
    (base / "game.py").write_text("")


def test_every_path_moves_with_the_store(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    files(before), files(after)
    kept = to_store(settings(before), before / "runs")
    assert str(tmp_path) not in str(kept)
    assert from_store(kept, before / "runs") == settings(before)
    assert from_store(kept, after / "runs") == settings(after)
    assert to_store(kept, before / "runs") == kept


def test_a_path_is_kept_whole_where_the_store_would_find_another_or_none(tmp_path):
    files(tmp_path)
    (tmp_path / "runs" / "game.py").write_text("another, nearer")
    written = {"plugins": [f"{tmp_path}/game.py"], "folder": f"{tmp_path}/gone"}
    assert to_store(written, tmp_path / "runs") == written
    assert to_store(settings(tmp_path), None) == settings(tmp_path)  # a server has no folder


def test_a_link_that_leaves_the_folder_is_kept_whole(tmp_path):
    (tmp_path / "scratch").mkdir()
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "t").symlink_to(tmp_path / "scratch")
    assert to_store({"folder": f"{tmp_path}/runs/t"}, tmp_path / "runs") != {"folder": "store:t"}


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "a/.."])
def test_a_stored_path_cannot_leave_the_folder(tmp_path, path):
    for damaged in ({"folder": f"store:{path}"}, {"players": [{"player": f"llm(model='store:{path}')"}]}):
        with pytest.raises(InputError, match="leaves the folder"):
            from_store(damaged, tmp_path)


def test_a_run_is_read_with_absolute_paths_and_kept_with_relative_ones(tmp_path):
    files(tmp_path)
    player = {"name": "alice", "player": f"llm(model={tmp_path}/models/base)"}
    given = stored(folder=f"{tmp_path}/runs/t", kind="training", plugins=[f"{tmp_path}/game.py"], players=[player])
    with Store.open(f"{tmp_path}/runs/x.db") as store:
        run = store.start_run("t", given)
        assert store.start_run("t", given) == run
    assert str(tmp_path) not in str(run.settings)
    assert run.spec.folder == f"{tmp_path}/runs/t"
    assert run.spec.plugins == (f"{tmp_path}/game.py",)
    assert run.spec.players[0].player == player["player"]
