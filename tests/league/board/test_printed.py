import io
import json
import re

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from games import UnknownName
from league.board.player_page import player_page
from league.board.printed import board_text, print_board, to_json
from league.board.state import BoardState, status_of
from league.board.view_state import ViewState
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from tests.league.board.states import GAMES, state


def test_json_has_the_fixed_keys():
    shown = json.loads(json.dumps(to_json(state(3).snapshot), allow_nan=False))
    fixed = ["player", "rank", "rating", "low", "high", "games", "wins", "draws", "losses", "forfeits"]
    assert [[row[k] for k in fixed] for row in shown["standings"]] == [
        [getattr(row, k) for k in fixed] for row in state(3).snapshot.standings
    ]
    assert {k: shown["matches"][k] for k in ("planned", "finished", "void")} == {
        "planned": 2000,
        "finished": 1234,
        "void": 2,
    }
    assert list(shown["games"]) == list(GAMES)
    assert set(shown["roles"]["bargain-v1"]) == {"first", "second"}
    assert shown["standings"][2]["faults"]["illegal"] > 0
    assert shown["standings"][0]["rank_low"] == 1


def test_voids_timeouts_and_tokens_of_a_player_are_shown():
    spent = {"faults": {"timeout": 4}, "tokens": 50, "prompt_tokens": 900, "voids": 2}
    row = Standing("a", 1, 25.0, 20.0, 30.0, 5, 3, 1, 1, 0, **spent)
    board = Leaderboard("r", (row,), {"g": (row,)}, {}, MatchCounts())
    (shown,) = to_json(board)["standings"]
    assert (shown["voids"], shown["timeouts"], shown["tokens"], shown["prompt_tokens"]) == (2, 4, 50, 900)
    assert re.search(r"forfeits +voids +faults", board_text(board).plain)
    lines, _ = player_page(BoardState(board), ViewState(player="a"), 150, 20)
    page = " ".join(line for line, _ in lines)
    assert "2 voids" in page
    assert "900 tokens read, 50 written" in page
    assert "failed answers: 4 timeout" in page
    without = msgspec.structs.replace(board, standings=(msgspec.structs.replace(row, voids=0),))
    assert not re.search(r"voids +faults", board_text(without).plain)


def test_who_played_nothing_changes_nobodys_range_of_ranks():
    rows = [msgspec.structs.replace(r, rank_low=2, rank_high=3) for r in state(3).snapshot.standings]
    late = Standing("late", 4, 25.0, 8.7, 41.3, 0, 0, 0, 0, 0)
    shown = to_json(Leaderboard("r", (*rows, late), {}, {}, MatchCounts()))["standings"]
    assert [(row["rank_low"], row["rank_high"]) for row in shown] == [(2, 3), (2, 3), (2, 3), (1, 4)]


def test_json_of_one_game():
    snapshot = state(3).snapshot
    shown = to_json(snapshot, "bargain-v1")
    assert [r["rating"] for r in shown["standings"]] == [r.rating for r in snapshot.games["bargain-v1"]]
    assert list(shown["games"]) == list(shown["roles"]) == ["bargain-v1"]


def test_json_without_numbers_that_json_lacks():
    row = Standing("a", 1, 25.0, float("-inf"), float("inf"), 0, 0, 0, 0, 0, score=float("nan"))
    shown = to_json(Leaderboard("r", (row,), {}, {}, MatchCounts()))["standings"][0]
    assert (shown["low"], shown["high"], shown["score"]) == (None, None, None)
    json.dumps(shown, allow_nan=False)


@pytest.mark.parametrize("show", [board_text, to_json])
def test_a_game_that_was_not_played(show):
    with pytest.raises(UnknownName, match=r"unknown game of this run 'bargain'; did you mean 'bargain-v1'\?"):
        show(state(2).snapshot, "bargain")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_whole_table_and_how_to_read_it(width):
    lines = board_text(state(100).snapshot, width=width, legend=True).plain.split("\n")
    assert sum("player-" in line for line in lines) >= 100
    for game in ("kuhn", "connect", "bargain"):
        assert any(game in line for line in lines)
    assert any(line.startswith("forfeits") for line in lines)
    assert max(map(cell_len, lines)) <= width
    bare = board_text(state(3).snapshot).plain
    assert "matches lost because" not in bare


def test_one_game_by_role():
    text = board_text(state(3).snapshot, "bargain-v1").plain
    assert text.startswith("quickstart: bargain-v1 ")
    assert text.index("as first") < text.index("as second")
    assert text.count("player-0") == 3


def test_a_single_role_needs_no_table_of_its_own():
    snapshot = state(2).snapshot
    one = msgspec.structs.replace(snapshot, roles={"bargain-v1": {"solver": snapshot.games["bargain-v1"]}})
    assert "as solver" not in board_text(one, "bargain-v1").plain


def test_no_standings_yet():
    text = board_text(Leaderboard("r", (), {}, {}, MatchCounts()), status="waiting").plain
    assert "no standings yet" in text
    assert "forfeits" not in text


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        (MatchCounts(), "waiting"),
        (MatchCounts(10, 4, 0, 2), "running"),
        (MatchCounts(10, 4, 0, 0), "interrupted"),
        (MatchCounts(10, 9, 1, 0), "finished"),
        (MatchCounts(10, 9, 1, 0, 20), "interrupted"),
    ],
)
def test_status_by_the_counts(counts, status):
    assert status_of(counts) == status
    assert f"● {status}" in board_text(Leaderboard("r", (), {}, {}, counts)).plain


def test_printed_into_a_file_nothing_is_cut():
    out = io.StringIO()
    print_board(state(5).snapshot, console=Console(file=out, width=80))
    assert out.getvalue() == board_text(state(5).snapshot).plain + "\n"
    assert "bargain" in out.getvalue()


def test_printed_in_a_terminal_it_fits():
    out = io.StringIO()
    print_board(state(5).snapshot, console=Console(file=out, width=60, force_terminal=True, color_system="standard"))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert "\x1b[1m" in out.getvalue()
    assert max(map(cell_len, plain.split("\n"))) <= 60
