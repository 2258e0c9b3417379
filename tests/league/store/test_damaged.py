"""Columns that somebody or something damaged: one line that says which, never a traceback."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from arena.cli import main
from league.config.tournament import TournamentConfig
from league.store import Store
from league.tournament.run import run_tournament


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("damaged") / "x.db"
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
    config = {"name": "cup", "db": f"sqlite:///{file}", "games": ["openspiel/kuhn_poker"], "players": players}
    run_tournament(TournamentConfig.model_validate(config), board="off")
    with Store.open(str(file)) as store:
        store.add_event(store.run(), "strike", '{"worker": "nobody"}')
    return file


VERBS = (
    ["board"],
    ["runs"],
    ["matches"],
    ["replay", "0"],
    ["rebuild"],
    ["export"],
    ["eval", "a", "--game", "openspiel/kuhn_poker"],
)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET config = '{'",
        "UPDATE runs SET config = '[]'",
        "UPDATE runs SET config = x'ff00'",
        "UPDATE runs SET config = '{}'",
        "UPDATE runs SET config = replace(config, '\"payoff\"', '\"pay\"')",
        "UPDATE runs SET config = json_set(config, '$.ratings.mu', 1e308)",
        "UPDATE runs SET config = json_set(config, '$.stop.every', 'x')",
        "UPDATE results SET seats = '['",
        "UPDATE results SET seats = '{}'",
        "UPDATE results SET seats = x'ff'",
        "UPDATE results SET seats = 7",
        "UPDATE results SET ranks = 'x'",
        "UPDATE results SET ranks = '[[0],[1]]'",
        "UPDATE results SET ranks = x'ff'",
        "UPDATE results SET seed = 'x'",
        "UPDATE results SET round = 'x'",
        "UPDATE results SET seconds = 'x'",
        "UPDATE plan SET seats = '['",
        "UPDATE plan SET seed = 'x'",
        "UPDATE episodes SET data = x'00'",
        "UPDATE episodes SET data = 'text'",
        "UPDATE episodes SET data = substr(data, 1, 40)",
        "UPDATE events SET text = '{'",
        "UPDATE results SET seq = 'x' WHERE seq = 2",
        "UPDATE results SET game = 'chess'",
        "UPDATE results SET worker = x'ff'",
        "UPDATE runs SET created = x'00'",
        "UPDATE runs SET parent = x'00'",
        "UPDATE chain SET since = 'x'",
        "UPDATE standings_cache SET upto_seq = 'x'",
        "UPDATE standings_cache SET data = x'00'",
    ],
)
def test_what_is_damaged_is_said_in_one_line(
    played: Path, tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
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
