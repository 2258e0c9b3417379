import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from league.board import Panel
from league.board.controller import respond
from league.board.keyboard import Click, Key, Wheel
from league.board.keys import BINDINGS, COMMANDS
from league.board.pages import draw
from league.board.player_details import MatchLine, OpponentLine, PlayerDetails
from league.board.standing_columns import LEGEND
from league.board.state import CurveLine
from league.board.view_state import ViewState
from tests.league.board.states import GAMES, state


def press(view, *keys, shown=None, size=(120, 40)):
    """The view after keys and clicks, with a frame drawn between two of them."""
    for key in keys:
        layout = draw(shown or state(12), view, *size)[1]
        view = respond(view, Key(key) if isinstance(key, str) else key, layout)
    return view


def lines(view, shown=None, size=(120, 40)):
    return [line[0] for line in draw(shown or state(12), view, *size)[0]]


def test_the_cursor_moves_over_the_rows_and_stays_on_its_player():
    view = press(ViewState(), "down", "j", "down", "up")
    assert view.cursor == "player-1"
    assert press(view, "end").cursor == "player-11"
    assert press(view, "home", "up").cursor == "player-0"
    assert press(view, "i").cursor == "player-1"
    assert press(view, Wheel(1)).cursor == "player-4"


def test_a_long_table_scrolls_to_the_cursor():
    shown, size = state(100), (80, 24)
    assert "player-0 " in "\n".join(lines(ViewState(), shown, size))
    view = press(ViewState(), "end", shown=shown, size=size)
    text = "\n".join(lines(view, shown, size))
    assert "player-99" in text
    assert "of 100" in text
    assert "player-0 " not in text
    view = press(view, "pageup", shown=shown, size=size)
    assert view.cursor != "player-99"
    assert view.cursor in "\n".join(lines(view, shown, size))


def names(view, shown=None):
    layout = draw(shown or state(12), view, 160, 40)[1]
    return layout.rows


def test_rows_are_ordered_by_a_column_and_reversed():
    shown = state(12)
    by = {row.player: row for row in shown.snapshot.standings}
    view = ViewState(sort="games")
    assert [by[n].games for n in names(view, shown)] == sorted((r.games for r in by.values()), reverse=True)
    reverse = press(view, "i", shown=shown)
    assert [by[n].games for n in names(reverse, shown)] == sorted(r.games for r in by.values())
    assert names(ViewState(sort="player"), shown) == tuple(sorted(by))


def test_s_goes_through_the_columns_and_back():
    columns = draw(state(12), ViewState(), 120, 40)[1].columns
    view = ViewState()
    for column in columns:
        view = press(view, "s")
        assert view.sort == column
    assert press(view, "s").sort == ""
    assert press(ViewState(), "S").sort == columns[-1]


def test_games_and_roles_are_selected_and_shown():
    view = press(ViewState(), "tab")
    assert view.game == GAMES[0]
    assert press(view, "right", "g").game == GAMES[2]
    assert press(view, "s-tab").game == ""
    role = press(view, "r")
    assert role.role == "first"
    assert "as first" in "\n".join(lines(role))
    assert press(role, "r", "r").role == ""
    assert press(role, "tab").role == "", "another game has other roles"


def click_on(text, view, shown=None, size=(120, 40), nth=0):
    """A click on the first cell of a text."""
    found = [(y, line.index(text)) for y, line in enumerate(lines(view, shown, size)) if text in line]
    y, x = found[nth]
    return Click(x, y)


def test_clicks_select_and_open_rows_order_by_headers_and_choose_tabs():
    view = press(ViewState(), click_on("player-3", ViewState()))
    assert (view.page, view.cursor) == ("standings", "player-3")
    opened = press(view, click_on("player-3", view))
    assert (opened.page, opened.player) == ("player", "player-3")
    assert press(opened, click_on("opponents", opened)).tab == 1
    ordered = press(view, click_on("forfeits", view))
    assert (ordered.sort, ordered.reverse) == ("forfeits", False)
    ordered = press(ordered, click_on("forfeits", view))
    assert (ordered.sort, ordered.reverse) == ("forfeits", True)
    assert press(ordered, click_on("forfeits", view)).sort == ""
    assert press(view, click_on("connect_four", view)).game == GAMES[1]
    assert press(view, click_on("? help", view)).page == "help"
    assert press(view, Click(119, 39), Click(500, 500)) == view, "nothing there"


def test_pages_open_and_escape_returns_to_what_was_there():
    before = press(ViewState(), "tab", "down", "down", "s")
    for key, page in (("l", "log"), ("p", "panels"), ("?", "help"), ("enter", "player")):
        view = press(before, key)
        assert view.page == page
        assert press(view, "escape") == before
    assert press(before, "?", "?") == before, "the key that opened a page closes it"
    assert press(before, "?", "l", "escape") == before, "text pages do not pile up"


def test_q_leaves_a_watched_run_and_asks_before_it_stops_ones_own():
    assert press(ViewState(watching=True), "q").request == "leave"
    asked = press(ViewState(), "q")
    assert asked.asking
    assert asked.request == ""
    assert "stop this run?" in lines(asked)[-1]
    assert press(asked, "y").request == "stop"
    for other in ("n", "escape", "q", "enter", Click(0, 0), Wheel(1)):
        assert press(asked, other) == ViewState()
    assert "abandon" in lines(asked, state(3, status="stopping"))[-1]


SIZES = [(200, 60), (120, 40), (80, 24), (60, 20), (20, 5), (1, 1)]
EVENTS = st.one_of(
    st.sampled_from([Key(name) for name in COMMANDS]),
    st.builds(Click, st.integers(0, 200), st.integers(0, 60)),
    st.builds(Wheel, st.integers(-2, 2)),
)


@given(st.lists(EVENTS, max_size=12), st.sampled_from(SIZES), st.sampled_from([0, 1, 40]))
def test_whatever_is_pressed_a_frame_fits_the_terminal(events, size, players):
    view, shown = ViewState(), state(players, log=("one", "two"))
    for event in events:
        got, layout = draw(shown, view, *size)
        assert len(got) <= size[1]
        assert all(len(text) <= size[0] for text, _ in got)
        assert all(0 <= t.y < size[1] for t in layout.targets)
        view = respond(view, event, layout)
    draw(shown, view, *size)


BAD = "evil\x1b[2J\x07\u202e\n"
HOSTILE = PlayerDetails(
    BAD,
    (1.0, float("nan"), 2.0),
    (OpponentLine(BAD, 1, 0.5, 1, 0, 0, share=1.0), OpponentLine("名前" * 30, 1, -0.5, 0, 0, 1, share=0.0)),
    (MatchLine(BAD, 1, BAD, BAD, (BAD, "名前" * 30), 1.0, BAD, False, 3),),
    1,
    2,
    (BAD,),
    BAD,
)


@pytest.mark.parametrize("page", ["standings", "player", "match", "panels", "log", "help"])
@pytest.mark.parametrize("tab", [0, 1, 2])
def test_untrusted_text_is_escaped_and_fits_on_every_page(page, tab):
    panel = Panel(BAD, (BAD,), curves=(CurveLine(BAD, BAD, (1.0, 2.0)),), axis=(BAD, BAD))
    shown = state(names=[BAD, "名前" * 30], games=(f"openspiel/{BAD}", "b"), log=(BAD,), title=BAD, panels=(panel,))
    for size in SIZES:
        for details in (HOSTILE, replace(HOSTILE, error="", read=2)):
            view = ViewState(page=page, player=BAD, match=BAD, tab=tab, details=details, cursor="名前" * 30)
            frame, _ = draw(shown, view, *size)
            text = "".join(line for line, _ in frame)
            assert not set(text) & set("\x1b\x07\u202e\n")
            assert all(cell_len(line) <= size[0] for line, _ in frame)


def test_a_search_goes_to_the_next_name_that_contains_the_text():
    view = press(ViewState(), "/", "1")
    assert (view.cursor, view.typing) == ("player-1", "search")
    view = press(view, "n")  # typed: no name contains 1n
    assert (view.cursor, view.search) == ("player-1", "1n")
    view = press(view, "backspace", "enter", "n")
    assert (view.cursor, view.typing) == ("player-10", "")
    assert press(view, "n", "n").cursor == "player-1"  # from the end to the start
    assert press(view, "/", "q", "escape").search == ""


def test_a_filter_shows_players_and_games_whose_names_contain_every_word():
    shown = state(names=["ann", "bob", "bo-ann"])
    view = press(ViewState(), "f", "A", "n", "n", shown=shown)
    assert names(view, shown) == ("ann", "bo-ann")
    assert "filter: Ann▏" in lines(view, shown)[-1]
    assert names(press(view, " ", "b", "o", shown=shown), shown) == ("bo-ann",)
    kept = press(view, "enter", "down", shown=shown)
    assert (kept.cursor, kept.filter) == ("ann", "Ann")
    assert lines(kept, shown)[-1].startswith("filter: Ann")
    assert "no player matches the filter" in "\n".join(lines(press(view, "z", shown=shown), shown))
    assert len(names(press(view, "z", "escape", shown=shown), shown)) == 3
    poker = press(ViewState(), "f", *"kuhn", "enter", shown=shown)
    assert names(poker, shown) == ("ann", "bob", "bo-ann")
    assert "bargain" not in lines(poker, shown)[3]


def test_e_explains_the_selected_row():
    view = press(ViewState(), "down", "down", "e")
    text = "\n".join(lines(view))
    assert "player-1 is ranked 2 of 12" in text
    assert "bargain-v1: rank 2 of 12" in text
    assert press(view, "e").page == press(view, "escape").page == "standings"
    assert "player-0 is ranked 1" in "\n".join(lines(press(ViewState(), "e")))
    of_game = press(ViewState(game="bargain-v1", cursor="player-1"), "e")
    assert "kuhn" not in "\n".join(lines(of_game))


def test_each_name_of_the_help_page_stands_apart_from_its_meaning():
    text = "\n".join(lines(ViewState(page="help"), size=(120, 200)))
    for name in (*(binding.label for binding in BINDINGS), *(name for name, _ in LEGEND)):
        assert f"\n{name}  " in text
