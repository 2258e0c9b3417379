"""`arena eval --wordings` keeps what it measured of a stored player, and the board of its run shows it."""

import json

import pytest

from arena.cli import main
from league import run_tournament
from league.store import Event, Store
from league.views.wording_gaps import KIND, gaps_of

KUHN = "openspiel/kuhn_poker"


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    """A tournament of two players in Kuhn poker."""
    url = f"sqlite:///{tmp_path_factory.mktemp('gaps')}/arena.db"
    players = [{"name": "dice", "player": "random"}, {"name": "sage", "player": "solver"}]
    run_tournament({"name": "cup", "db": url, "games": [KUHN], "rounds": 1, "players": players}, board="off")
    return url


def test_the_board_shows_what_was_measured_of_its_players(db, capsys):
    for player, seed in (("dice", "0"), ("sage", "0"), ("dice", "5")):
        assert main(["eval", player, "--game", KUHN, "--wordings", "3", "--seed", seed, "--db", db]) == 0
        assert "kept with cup: `arena board --run cup` shows it" in capsys.readouterr().err
    assert main(["board", "--db", db]) == 0
    out = capsys.readouterr().out
    line = f"dice in {KUHN}: 0.00 [0.00, 0.00] between two wordings; NashConv 0.92, in 3 wordings 0.92 [0.92, 0.92]"
    assert out.count(line) == 1
    assert main(["board", "--db", db, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["wordings"]
    assert [(row["player"], row["game"], row["wordings"], row["gap"]["value"]) for row in rows] == [
        ("dice", KUHN, 3, 0.0),
        ("sage", KUHN, 3, 0.0),
    ]
    assert main(["verify", "--db", db]) == 0


def test_a_player_of_no_store_is_kept_nowhere(db, capsys):
    assert main(["eval", "random", "--game", KUHN, "--wordings", "3", "--db", db]) == 0
    assert capsys.readouterr().err == ""
    with Store.open(db, read_only=True) as store:
        assert "random" not in {gap.player for gap in gaps_of(store.events(store.run("cup")))}


@pytest.mark.parametrize("text", ["", "{}", "[" * 9999, '{"player": 3}', "\udc80", '{"player": "a", "gap": NaN}'])
def test_a_damaged_event_decides_nothing(text):
    assert gaps_of([Event(1, 0.0, KIND, text)]) == ()
