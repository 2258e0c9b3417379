"""Columns that somebody or something damaged: one line that says which, never a traceback."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from arena.cli import main
from league import TournamentConfig, run_tournament
from league.store import Store
from tests import golden


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("damaged") / "x.db"
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
    config = {"name": "cup", "db": f"sqlite:///{file}", "games": ["openspiel/kuhn_poker"], "players": players}
    run_tournament(TournamentConfig.model_validate(config), board="off")
    with Store.open(str(file)) as store:
        store.add_event(store.run(), "strike", '{"worker": "nobody"}')
    return file


VERBS = golden.lists(__file__, "damaged_verbs")


@pytest.mark.parametrize("damage", golden.rows(__file__, "damaged_what_is_damaged_is_said_in_one_line"))
def test_what_is_damaged_is_said_in_one_line(played, tmp_path, damage, capsys):
    db = Path(shutil.copy(played, tmp_path))
    with sqlite3.connect(db) as connection:
        connection.execute(damage)
        if "standings_cache" not in damage:
            connection.execute("DELETE FROM standings_cache")
    connection.close()
    for verb in VERBS:
        more = ["--matches", "0"] if verb[0] == "eval" else []
        code = main([*verb, *more, "--db", str(db)])
        err = capsys.readouterr().err
        assert "a bug of the arena" not in err
        assert (code, len(err.splitlines())) in ((0, 0), (0, 1), (1, 1), (2, 1)), err
    main(["verify", "--db", str(db)])
    assert "a bug of the arena" not in capsys.readouterr().err
