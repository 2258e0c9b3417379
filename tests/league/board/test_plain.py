import io
import math
import os
import pty
import sys
import termios

import pytest

from games import InputError
from league.board import Board, Panel, open_board
from league.board.plain import PlainBoard, plain_line
from tests.league.board.states import Clock, state


def run(seconds: int, clock: Clock, board: PlainBoard) -> None:
    for i in range(seconds):
        clock.now += 1
        board.update(state(3, elapsed=float(i + 1)))


def test_first_line_soon_then_every_interval_and_the_table_at_the_end():
    out, clock = io.StringIO(), Clock()
    with PlainBoard(out, clock=clock) as board:
        run(70, clock, board)
        board.update(state(3, status="finished"))
        lines = out.getvalue().splitlines()
        assert [line[: line.index("]") + 1] for line in lines] == ["[0:03]", "[0:33]", "[1:03]"]
        assert "quickstart running: 1,236 of 4,000 matches · 32 in flight · 2 void · 18.2 matches/s" in lines[0]
        assert "2:32 to go · top: player-0 32.2 ±" in lines[0]
    end = out.getvalue().splitlines()[3:]
    assert end[0].startswith("quickstart")
    assert end[0].endswith("● finished")
    assert [sum(f"player-{i}" in line for line in end) for i in range(3)] == [1] * 3
    assert "range" in "".join(end), "no column is left out where nobody set a width"
    assert "\x1b" not in out.getvalue()


def test_log_lines_come_at_once_and_clean():
    out = io.StringIO()
    with PlainBoard(out) as board:
        board.log("one \x1b[31mred\x1b[0m\rline")
        assert out.getvalue() == "one red line\n"
    assert out.getvalue() == "one red line\n", "no table of a run that never was"


@pytest.mark.parametrize(("error", "status"), [(ZeroDivisionError, "failed"), (KeyboardInterrupt, "interrupted")])
def test_a_run_that_breaks_still_prints_its_table(error, status):
    out = io.StringIO()

    def broken_run():
        with PlainBoard(out) as board:
            board.update(state(2))
            raise error

    with pytest.raises(error):
        broken_run()
    assert f"● {status}" in out.getvalue()
    assert "player-1" in out.getvalue()


def test_a_reader_that_left_does_not_end_the_run():
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with PlainBoard(Closed()) as board:
        board.log("x")
        board.update(state(2))


def test_encodings_without_our_characters():
    raw = io.BytesIO()
    with PlainBoard(io.TextIOWrapper(raw, encoding="ascii")) as board:
        board.update(state(2, names=["漢字", "a"]))
    assert b"??" in raw.getvalue()


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}, {"TTY_COMPATIBLE": "1"}, {"TERM": "xterm-256color"}])
def test_only_a_real_terminal_is_live(monkeypatch, variables):
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    with open_board() as board:
        assert type(board) is PlainBoard
        board.update(state(2))
    assert out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_modes(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert type(open_board("off")) is Board
    assert type(open_board("plain")) is PlainBoard
    with pytest.raises(InputError, match="needs a terminal"):
        open_board("live")
    with pytest.raises(InputError, match="unknown board 'tui'; allowed: auto, live, plain, off"):
        open_board("tui")


def test_the_table_fits_a_terminal(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    primary, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 60))
    with os.fdopen(terminal, "w") as out:
        board = PlainBoard(out)
        board.update(state(2))
        board.close()
        lines = os.read(primary, 100_000).decode().splitlines()
    os.close(primary)
    assert len(lines) > 5
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(("interval", "lines"), [(30.0, 2), (math.inf, 0)])
def test_lines_of_an_infinite_interval_interrupt_no_human(interval, lines):
    out, times = io.StringIO(), iter(range(0, 10**6, 1000))
    board = PlainBoard(out, interval=interval, clock=lambda: next(times))
    board.update(state(2))
    board.update(state(2))
    assert out.getvalue().count("\n") == lines


def test_off_shows_nothing(capfd):
    with open_board("off") as board:
        board.update(state(2))
        board.log("x")
        assert not board.wait(0.0)
    assert capfd.readouterr() == ("", "")


def test_a_plain_line_tells_what_panels_have_to_tell():
    out, clock = io.StringIO(), Clock()
    training = Panel("training", ("a curve",), headline=("step 12 of 500", "reward first 0.25, second -0.25"))
    with PlainBoard(out, clock=clock) as board:
        clock.now += 5
        board.update(state(2, panels=(Panel("workers", ("w",)), training)))
        assert "running: step 12 of 500 · reward first 0.25, second -0.25 · 1,236 of 4,000 matches" in out.getvalue()


def test_a_plain_line_tells_what_a_training_measures_while_no_match_is_played():
    line = plain_line(state(2, activity="measuring NashConv, 312 of 936 positions"))
    assert "running: measuring NashConv, 312 of 936 positions · 1,236 of 4,000 matches" in line
