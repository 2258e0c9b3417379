import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from league.board import BoardState, Panel
from league.board.cells import clean, fit, number, pad, span
from league.board.columns import choose
from league.board.lines import to_text
from league.board.printed import to_json
from league.board.render import compose, ending, frame, natural_width, render
from league.board.short_names import game_labels
from league.board.standing_columns import rank_ranges
from league.board.state import CurveLine
from league.board.table import table
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from tests.league.board.states import GAMES, state

SIZES = [(200, 50), (100, 30), (80, 24), (60, 20), (40, 15)]
WILD = [
    "漢字の棋士漢字の棋士漢字の棋士",
    "👩‍👩‍👧 family",
    "🇩🇪 flag",
    "é́́ accents",
    "\x1b[31mred\x1b[0m",
    "tab\there\nand there",
    "‮rtl",
    "e" * 200,
    "👍🏽",
    "[bold]markup[/bold]",
]


def checked(shown: BoardState, width: int, height: int | None) -> list[str]:
    """The lines of a frame, after all checks of its size."""
    lines = frame(shown, width, height)
    for text, styles in lines:
        assert cell_len(text) <= width
        assert "\n" not in text
        assert all(0 <= a <= b <= len(text) for a, b, _ in styles)
    assert height is None or len(lines) <= height
    assert render(shown, width, height).plain == "\n".join(text for text, _ in lines)
    return [text for text, _ in lines]


@pytest.mark.parametrize("players", [0, 1, 3, 64, 300])
@pytest.mark.parametrize("size", SIZES)
def test_every_size_holds_every_number_of_players(size, players):
    shown = state(players, log=tuple(f"line {i}" for i in range(20)))
    lines = checked(shown, *size)
    rows = [line for line in lines if "player-" in line]
    text = "\n".join(lines)
    if players == 0:
        assert "no standings yet" in text
    elif len(rows) < players:
        assert f"… {players - len(rows)} more player" in text
        assert len(rows) >= size[1] // 3
    else:
        assert "more player" not in text
    assert "line 19" in lines[-1]


def test_all_rows_without_a_height():
    lines = checked(state(300), 240, None)
    assert sum("player-" in line for line in lines) == 300


def test_columns_of_games_that_do_not_fit_follow_in_tables_of_their_own():
    """Audit H2: a narrow window showed a player's strength over all games alone."""
    few = state(3)
    wide, narrow = checked(few, 240, None), checked(few, 60, None)
    assert sum("player-1" in line for line in wide) == 1
    assert sum("player-1" in line for line in narrow) == 2
    cells = [set(re.findall(r"\d+\.\d", "\n".join(x for x in lines if "player-1" in x))) for lines in (wide, narrow)]
    for game in GAMES:
        (row,) = [row for row in few.snapshot.games[game] if row.player == "player-1"]
        assert number(row.rating) in cells[0] & cells[1]
    assert not [line for line in narrow if "more game" in line]


def test_what_stays_in_the_window_has_all_rows_and_as_much_else_as_fits():
    many = state(5, log=("last words",))
    heights = [len(ending(many, 80, height)) for height in (1, 20, 40)]
    assert [height <= room for height, room in zip(heights, (1, 20, 40), strict=True)] == [False, True, True]
    for height in (1, 20, None):
        text = to_text(ending(many, 80, height)).plain
        assert all(f"player-{i}" in text for i in range(5))
        assert ("last words" in text) == (height is None)


def test_players_without_a_common_game_have_no_rank_and_are_named():
    shown = state(3)
    rows = tuple(
        msgspec.structs.replace(r, rank=None, rank_low=None, rank_high=None) if r.player != "player-1" else r
        for r in shown.snapshot.standings
    )
    snapshot = msgspec.structs.replace(shown.snapshot, standings=rows, games={}, apart=("player-0", "player-2"))
    text = "\n".join(checked(msgspec.structs.replace(shown, snapshot=snapshot), 160, None))
    assert [line.split()[0] for line in text.split("\n") if "player-" in line][:3] == ["–", "2", "–"]
    assert "no overall rank: each of these shares no game with some other player" in text
    assert to_json(snapshot)["standings"][0]["rank"] is None
    assert to_json(snapshot)["standings"][0]["rank_low"] is None
    assert to_json(snapshot)["apart"] == ["player-0", "player-2"]


@pytest.mark.parametrize("size", SIZES)
def test_the_line_below_the_bar_says_what_a_training_measures(size):
    lines = checked(state(2, activity="measuring NashConv, 312 of 936 positions"), *size)
    assert any("measuring NashConv, 312 of 936" in line for line in lines)


def test_golden_80_by_16():
    shown = state(4, names=["solver", "mcts-100", "smollm2-choice", "random"], log=("12:00 WARNING engine: slow",))
    assert "\n".join(line.rstrip() for line in checked(shown, 80, 16)) == GOLDEN_80


GOLDEN_80 = """\
quickstart                                                             ● running
━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────────────────────  30%
1,236 of 4,000 matches · 32 in flight · 2 void · 18.2 matches/s · 2:32 to go
                                                                       mean
#  player          rating 95%   games    W   D   L  forfeits  faults  score
1  solver            32.2 ±1.6    510  241 194  75         0       0  +0.58
2  mcts-100          31.4 ±1.0     79   49  13  17         0       0  +0.21
3  smollm2-choice    25.3 ±2.1    762  456 136 170         5      22  +0.18
4  random            21.2 ±1.0    375   15  11 349         0       0  -0.95
… 3 more games; `arena board` shows all




── log ─────────────────────────────────────────────────────────────────────────
12:00 WARNING engine: slow"""


def test_golden_40_by_10():
    shown = state(9, log=("one", "two", "three"))
    assert "\n".join(line.rstrip() for line in checked(shown, 40, 10)) == GOLDEN_40


GOLDEN_40 = """\
quickstart                     ● running
━━━━━━━━━━─────────────────────────  30%
1,236 of 4,000 matches · 2:32 to go
#  player    rating 95%   games
1  player-0    32.2 ±2.2    493
2  player-1    31.4 ±1.3    871
3  player-2    26.0 ±2.3     81
4  player-3    25.3 ±2.3    752
5  player-4    25.2 ±1.7    832
… 4 more players and 3 more games; `are…"""


def test_columns_go_in_the_stated_order():
    """A wider board never shows less, and columns come in the order of importance."""
    shown = state(8).snapshot
    rows = [msgspec.structs.replace(r, score_low=r.score - 0.1, score_high=r.score + 0.1) for r in shown.standings]
    everyone = msgspec.structs.replace(shown, standings=rows)
    games = {g: {s.player: s for s in rows} for g, rows in everyone.games.items()}
    before: list[str] = []
    order = ["rank", "player", "rating", "interval", "games", "wdl", "forfeits", "faults", "score"]
    order += [f"game:{g}" for g in games] + ["illegal", "unparsable", "range"]
    order += ["score interval", *(f"interval:{g}" for g in games), "drawn"]
    for width in range(10, 220):
        columns, missed = choose(everyone.standings, everyone.standings, games, width)
        keys = {c.key for c in columns}
        assert keys == set(order[: len(keys)])
        assert keys.issuperset(before)
        assert missed == sum(f"game:{g}" not in keys for g in games)
        before = list(keys)
    assert before == list(keys)
    assert len(keys) == len(order)


def test_counts_of_failures_stand_out_and_the_first_rank_is_bold():
    text = render(state(4), 120, 24)
    styles = {(text.plain[s.start : s.end].strip(), str(s.style)) for s in text.spans}
    failed = state(4).snapshot.standings[2]
    assert (str(failed.forfeits), "red") in styles
    assert (str(sum(failed.faults.values())), "yellow") in styles
    assert ("0", "dim") in styles
    assert any(s == "bold" and "player-0" in t for t, s in styles)
    assert not any(s == "bold" and "player-1" in t for t, s in styles)


def test_uneven_intervals_are_written_out():
    row = Standing("a", 1, 1500.0, 1400.0, 1550.0, 3, 1, 1, 1, 0)
    lines = checked(BoardState(Leaderboard("r", (row,), {}, {}, MatchCounts())), 80, 24)
    assert any("1,500 [1,400, 1,550]" in line for line in lines)


def test_hidden_games_are_counted():
    lines = checked(state(3), 92, 24)
    assert any(line.startswith("… 1 more game;") for line in lines)


@pytest.mark.parametrize("width", [30, 80, 200])
def test_strange_names_keep_the_columns_straight(width):
    lines = checked(state(names=WILD), width, 30)
    table = [i for i, line in enumerate(lines) if line.lstrip()[:2].strip().isdigit()]
    assert len(table) == len(WILD)
    widths = {cell_len(lines[i]) for i in table}
    assert len(widths) == 1
    assert not any(c in "".join(lines) for c in "\x1b\t\u200d\u202e\ufe0f")
    assert width < 80 or "[bold]markup" in "\n".join(lines)


names = st.text(st.characters(), min_size=0, max_size=60)


@given(
    st.lists(names, min_size=1, max_size=8),
    st.integers(1, 250),
    st.one_of(st.none(), st.integers(1, 60)),
    st.lists(names, max_size=6),
    names,
)
def test_no_line_is_wider_and_no_frame_higher_than_asked(players, width, height, log, title):
    panels = (Panel(title, tuple(log)), Panel("p", ("x" * 300,)))
    checked(state(names=players, games=(title, "b", "c"), log=tuple(log), title=title, panels=panels), width, height)


@given(
    st.lists(
        st.builds(
            Standing,
            player=names,
            rank=st.integers(0, 10**6),
            rating=st.floats(),
            low=st.floats(),
            high=st.floats(),
            games=st.integers(0, 10**12),
            wins=st.integers(0, 10**9),
            draws=st.integers(0, 10**9),
            losses=st.integers(0, 10**9),
            forfeits=st.integers(0, 10**9),
            faults=st.dictionaries(names, st.integers(0, 10**9), max_size=3),
            score=st.floats(),
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 200),
)
def test_any_numbers_can_be_shown(standings, width):
    checked(BoardState(Leaderboard("r", tuple(standings), {}, {}, MatchCounts(5, 9, 3, 1, 4))), width, 20)


@pytest.mark.parametrize(("players", "height"), [(4, 12), (6, 15), (8, 17)])
def test_the_rows_of_a_short_table_come_before_the_log_and_panels(players: int, height: int) -> None:
    curves = tuple(CurveLine(f"curve {i}", "8", tuple(range(9))) for i in range(12))
    shown = state(players, panels=(Panel("training", ("step 9",), curves=curves),), log=("end",))
    lines, _ = compose(shown, 80, height, lambda room: table(shown, 80, room), [("tabs", [])])
    text = "\n".join(line for line, _ in lines)
    assert all(f" {row.player} " in text for row in shown.snapshot.standings)


def test_panels_stand_between_table_and_log_and_are_counted_when_hidden():
    panels = (Panel("loss", ("▁▂▃",)), Panel("reward", tuple("abcdefgh")))
    lines = checked(state(2, panels=panels, log=("end",)), 80, 24)
    at = [
        next(i for i, line in enumerate(lines) if t in line)
        for t in ("player-1", "── loss", "▁▂▃", "1 panel more in", "end")
    ]
    assert at == sorted(at)
    tall = checked(state(2, panels=panels, log=("end",)), 80, 50)
    assert any("── reward" in line for line in tall)


def test_status_and_title_survive_narrow_boards():
    shown = msgspec.structs.replace(state(1), title="a very long name of a tournament", status="interrupted")
    assert checked(shown, 30, 20)[0] == "a very long na…  ● interrupted"
    assert checked(shown, 8, 20)[0] == "● inter…"


def test_ranges_are_what_intervals_allow():
    def row(low, high):
        return Standing("", 0, (low + high) / 2, low, high, 1, 1, 0, 0, 0)

    table = [row(30, 32), row(29, 31), row(20, 29.5), row(1, 2)]
    assert rank_ranges(table, table) == [(1, 2), (1, 3), (2, 3), (4, 4)]
    new = msgspec.structs.replace(row(24, 26), games=0)
    assert rank_ranges([*table, new], [*table, new]) == [(1, 2), (1, 3), (2, 4), (5, 5), (1, 5)]


def test_games_get_short_and_different_labels():
    games = ["openspiel/kuhn_poker", "openspiel/kuhn_poker(players=3)", "a/chess", "b/chess", "pettingzoo/go_v5"]
    labels = game_labels(games)
    assert labels["openspiel/kuhn_poker"] == ("kuhn", "poker")
    assert labels["openspiel/kuhn_poker(players=3)"] == ("kuhn_poker", "players=3")
    assert labels["a/chess"] == ("a", "chess")
    assert labels["pettingzoo/go_v5"] == ("", "go")
    assert len(set(labels.values())) == len(games)


@given(names, st.integers(0, 30))
def test_cut_and_padded_text_has_its_width(text, width):
    text = clean(text)
    assert cell_len(fit(text, width)) <= width
    assert cell_len(pad(text, width)) == width
    assert cell_len(pad(text, width, right=True)) == width
    assert clean(text) == text or not text.isprintable()


def test_numbers_and_spans():
    assert [number(x) for x in (27.34, -0.04, 1234.5, float("nan"), float("inf"))] == ["27.3", "0.0", "1,234", "–", "–"]
    assert number(0.004, 2, sign=True) == number(-0.004, 2, sign=True) == "+0.00"
    assert [span(s) for s in (7, 750, 11100, 190000, float("inf"))] == ["0:07", "12:30", "3:05:00", "2d 04h", "–"]


def test_natural_width_leaves_nothing_out():
    shown = state(5)
    text = render(shown, natural_width(shown)).plain
    assert "range" in text
    assert "unparsable" in text
    assert "more game" not in text


def test_the_interval_that_can_be_trusted_stays_on_a_narrow_board():
    shown = state(3)
    fitted = [msgspec.structs.replace(r, bt_rating=25.0, bt_low=24.0, bt_high=26.0) for r in shown.snapshot.standings]
    snapshot = msgspec.structs.replace(shown.snapshot, standings=tuple(fitted))
    lines = checked(msgspec.structs.replace(shown, snapshot=snapshot), 60, 20)
    assert any("fit, 95%" in line for line in lines)
    assert sum("25.0 ±1.0" in line for line in lines) == 3


def test_a_wide_board_has_the_intervals_of_scores_and_games_beside_them():
    shown = state(3).snapshot
    rows = [msgspec.structs.replace(r, score=0.5, score_low=0.38, score_high=0.62) for r in shown.standings]
    games = {**shown.games, "a/chess": (msgspec.structs.replace(rows[1], low=20.0, high=36.0),)}
    wide = BoardState(msgspec.structs.replace(shown, standings=tuple(rows), games=games))
    lines = checked(wide, natural_width(wide), None)
    heads, first, second = lines[-4:-1]
    kuhn = shown.games["openspiel/kuhn_poker"][0]
    assert heads.count("95%") == 6
    assert "+0.50 ±0.12" in first
    assert f"{number(kuhn.rating)} ±{number(kuhn.high - kuhn.rating)}" in first
    assert second.rstrip().endswith("[20.0, 36.0]")


@pytest.mark.parametrize(("height", "players"), [(24, 6), (20, 5), (24, 12)])
def test_an_optional_panel_takes_no_row_of_the_table(height: int, players: int) -> None:
    heat = Panel("who beats whom", tuple(f"line {i}" for i in range(players + 1)), optional=True)
    bare = checked(state(players, log=("a", "b", "c")), 80, height)
    lines = checked(state(players, log=("a", "b", "c"), panels=(heat,)), 80, height)
    shown = [sum(f"player-{i} " in line for line in lines) for i in range(players)]
    assert shown == [sum(f"player-{i} " in line for line in bare) for i in range(players)]


def test_an_optional_panel_is_shown_if_there_is_room() -> None:
    heat = Panel("who beats whom", ("line 0", "line 1"), optional=True)
    assert "line 1" in checked(state(6, panels=(heat,)), 80, 24)


def test_curves_grow_into_lines_that_nothing_else_needs():
    curves = tuple(CurveLine(name, "8", tuple(range(9))) for name in ("loss", "reward"))
    shown = state(3, panels=(Panel("training", ("step 8",), curves=curves, axis=("first", "last")),))
    low = frame(shown, 120, 16)
    high = frame(shown, 120, 40)
    assert sum("█" in text for text, _ in low) == 2
    tall = [text for text, _ in high if "█" in text]
    assert len(tall) == 8, "four lines each"
    assert tall[0].startswith("loss")
    assert tall[0].endswith("█ 8"), "the largest value is beside the top"
    assert tall[3].split()[0] == "0", "the smallest beside the bottom"
    assert len(high) <= 40
    assert all(any(f"player-{i} " in text for text, _ in high) for i in range(3))
