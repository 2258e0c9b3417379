"""Names that are too long for the board stay different."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from league.board.render import frame
from league.board.short_names import needed, shortened
from tests.league.board.states import state

PREFIX = "qwen3-4b-selfplay-2026-11-20-seed-"


@pytest.mark.parametrize(
    "names",
    [
        [f"{PREFIX}{i}" for i in range(40)],
        [f"model-{i}-trained-with-the-same-long-recipe-as-the-others" for i in range(40)],
        [f"{PREFIX}{i}-then-a-long-common-end-of-all-names" for i in range(40)],
        ["quickstart-train", *(f"quickstart-train@{i}" for i in (0, 100, 500)), "random", "solver"],
        [f"family-{a}-of-models-checkpoint-{b}-of-the-run" for a in "abc" for b in range(5)],
    ],
)
@pytest.mark.parametrize("room", [12, 16, 24])
def test_names_with_much_in_common_stay_different(names, room):
    found = shortened(names, room)
    assert len(set(found)) == len(names)
    assert all(cell_len(name) <= room for name in found)


def test_a_name_that_fits_stays_whole_and_a_long_one_keeps_both_ends():
    assert shortened(["random", "a-very-long-name-of-a-player@500"], 16) == ["random", "a-very-…ayer@500"]
    assert shortened(["random", "random"], 16) == ["random", "random"]
    assert shortened([], 16) == []


@given(st.lists(st.text("ab-@7", max_size=40), max_size=12), st.integers(1, 30))
def test_no_name_is_wider_than_its_room_and_equal_names_stay_equal(names, room):
    found = shortened(names, room)
    assert all(cell_len(name) <= room for name in found)
    for name, short in zip(names, found, strict=True):
        assert short == found[names.index(name)]
        assert short == name or len(name) > room


def test_a_short_name_is_not_imitated_by_a_shortened_one():
    names = ["abcdef…uvwxyz", "abcdefghijklmnopqrstuvwxyz"]
    assert len(set(shortened(names, 13))) == 2


def test_the_room_that_tells_all_names_apart():
    assert needed(["a", "b"], 40) == 12
    assert needed(["x" * 50 + str(i) for i in range(3)], 40) == 12


@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (120, 40), (200, 60)])
def test_no_two_rows_of_a_board_look_alike(width, height):
    names = [f"{PREFIX}{i}" for i in range(12)]
    lines = [text for text, _ in frame(state(names=names), width, height)]
    cells = [re.search(r"\S*seed-\d+|\S*…\S*", text) for text in lines if re.match(r" *\d+ ", text)]
    shown = [cell.group() for cell in cells if cell]
    assert len(shown) == len(cells) >= 8
    assert len(set(shown)) == len(shown)


def test_columns_go_before_names():
    """The quickstart's training at 80 cells: every name whole."""
    names = ["quickstart-train", "quickstart-train@0", "quickstart-train@500", "random", "solver"]
    text = "\n".join(line for line, _ in frame(state(names=names), 80, 24))
    assert all(f" {name} " in text for name in names)
