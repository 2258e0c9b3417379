"""A text with escape codes that a part of the board forgot to clean does not reach the terminal."""

from __future__ import annotations

import io
import os
import re

import msgspec
import pytest
from rich.console import Console

from league.board import Panel
from league.board.plain import PlainBoard
from league.board.printed import print_board
from league.board.render import frame
from league.board.screen import Screen
from tests.league.board.states import state

EVIL = "\x1b]52;c;aGk=\x07\x9b31m\u202e"
OURS = re.compile(r"\x1b\[[0-9;?]*[HJKmhl]")


def evil(**more: object) -> object:
    made = state(3)
    return msgspec.structs.replace(made, status=EVIL, title=EVIL, panels=(Panel(EVIL, (EVIL,)),), log=(EVIL,), **more)


def obeyed(text: str) -> set[str]:
    return {"\x1b", "\x07", "\x9b", "\u202e"} & set(OURS.sub("", text))


def test_a_screen_draws_only_its_own_codes() -> None:
    reading, writing = os.pipe()
    screen = Screen(writing, input=False, colour=True)
    screen.paint([(EVIL, [(0, 4, "bold")]), *frame(evil(), 80, 20)], (80, 21))  # type: ignore[arg-type]
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", newline="") as drawn:
        assert obeyed(drawn.read()) == set()


def test_a_plain_board() -> None:
    out = io.StringIO()
    board = PlainBoard(out, interval=0, first=0)
    board.update(evil())  # type: ignore[arg-type]
    board.log(EVIL)
    board.close()
    assert obeyed(out.getvalue()) == set()
    assert out.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_a_printed_board(terminal: bool) -> None:
    out = io.StringIO()
    snapshot = state(3).snapshot
    rows = tuple(msgspec.structs.replace(row, player=EVIL) for row in snapshot.standings)
    console = Console(file=out, force_terminal=terminal)
    print_board(
        msgspec.structs.replace(snapshot, standings=rows, run=EVIL),
        console=console,
        panels=(Panel(EVIL, (EVIL,)),),
        status=EVIL,  # type: ignore[arg-type]
    )
    assert obeyed(out.getvalue()) == set()
