"""A leaderboard in a notebook: a table without markup of others, and a pandas DataFrame."""

import sys

import pytest

from games import InputError
from league.records.leaderboard import Leaderboard, MatchCounts, Standing

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
