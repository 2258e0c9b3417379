"""Records of a run: its settings and its leaderboard."""

import sys

import msgspec
import pytest

from arena import IllegalPolicy
from games import InputError, Notes
from league.config.tournament import PlayerConfig, RatingConfig, SprtConfig, StopConfig
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.run_spec import RunSpec
from tests import golden

KUHN, CHESS = "openspiel/kuhn_poker", "openspiel/chess"
GAMES = {
    KUHN: GameInfo("zero_sum", ("player_0", "player_1"), stakes=True),
    CHESS: GameInfo("zero_sum", ("player_0", "player_1"), chance=False),
}
PLAYERS = tuple(PlayerConfig(name=name, player="random") for name in "ab")
PLAYS = {"a": (KUHN, CHESS), "b": (KUHN,)}
SPEC = RunSpec(
    name="cup",
    games=GAMES,
    plays=PLAYS,
    written_games=("kuhn_poker", "chess"),
    players=PLAYERS,
    named={"a": "best"},
    pairing="swiss",
    rounds=3,
    seed=7,
    openings=2,
    notes={KUHN: Notes(("player_0",), 3)},
    illegal=IllegalPolicy(retries=5),
    ratings=RatingConfig(method="bradley-terry", lineage={"b": "a"}),
    stop=StopConfig(matches=9, sprt=SprtConfig(player="a", against="b")),
    plugins=("/x.py",),
    other={"db": "sqlite:///x.db", "budget": {"tokens": 5}},
)


def through_json(spec):
    return msgspec.json.decode(msgspec.json.encode(spec.to_json()))


def test_a_tournament_comes_back_from_json():
    assert RunSpec.from_json("cup", 7, through_json(SPEC)) == SPEC


@pytest.mark.parametrize(
    ("name", "kind", "parent", "training_name"),
    [
        ("t", "training", "", "t"),
        ("t.training", "record", "t", "t"),
        ("t.gate", "gate", "t", "t"),
        ("x.gate", "training", "", "x.gate"),
        ("plain.training", "training", "", "plain.training"),
    ],
)
def test_the_kind_of_a_run_is_no_part_of_its_name(name, kind, parent, training_name):
    training = {"anchors": [{"name": "m", "player": "mcts"}], "illegal": {"retries": 0}, "matches_per_step": 7}
    stored = through_json(RunSpec(name=name, kind=kind, parent=parent, games=GAMES, plays={}, folder="runs/t"))
    spec = RunSpec.from_json(name, 3, stored | {"training": training})
    assert (spec.kind, spec.training_name, spec.folder, spec.seed) == (kind, training_name, "runs/t", 3)
    assert spec.players == (PlayerConfig(name="m", player="mcts"),)
    assert (spec.illegal, spec.matches_per_step) == (IllegalPolicy(retries=0), 7)
    assert through_json(spec) == stored | {"training": training, "seed": 3}


@pytest.mark.parametrize(
    ("damage", "message"), golden.lists(__file__, "run_spec_damaged_settings_are_named_in_one_line")
)
def test_damaged_settings_are_named_in_one_line(damage, message):
    with pytest.raises(InputError, match=f"^the stored settings of run 'cup' are damaged: .*{message}.*; restore") as e:
        RunSpec.from_json("cup", 7, through_json(SPEC) | damage)
    assert len(str(e.value).splitlines()) == 1


EVIL = "<img src=x onerror=alert(1)>\x1b[31m"
ROWS = (Standing(EVIL, 1, 27.0, 25.0, 29.0, 9, 6, 1, 2, 0), Standing("bob", None, 0, 0, 0, 3, 0, 0, 3, 1, rated=False))
BOARD = Leaderboard(EVIL, ROWS, {"a": ROWS[1:]}, {}, MatchCounts())


def test_the_table_is_escaped_and_leaves_out_what_has_no_meaning():
    html = BOARD._repr_html_()
    assert html.count("<tr>") == 3
    assert "<img" not in html
    assert "\x1b" not in html
    assert "<td>27.0</td><td>25.0 to 29.0</td>" in html
    assert "<td></td><td>bob</td><td></td><td></td><td>3</td>" in html


def test_a_frame_has_a_row_per_player():
    pytest.importorskip("pandas")
    assert list(BOARD.frame()["player"]) == [EVIL, "bob"]
    assert list(BOARD.frame("a")["losses"]) == [3]
    with pytest.raises(InputError, match="'b'"):
        BOARD.frame("b")


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="type: pip install pandas"):
        BOARD.frame()


def test_settings_name_no_parent_that_the_store_would_not_give_back():
    """The hash chain covers the settings as they are read."""
    plain = RunSpec(name="t", kind="training", games=GAMES, plays={})
    assert "parent" not in plain.to_json()
    assert msgspec.structs.replace(plain, parent="p").to_json()["parent"] == "p"
