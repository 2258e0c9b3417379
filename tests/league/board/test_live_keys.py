"""The interactive board under a pseudo-terminal: keys and clicks as bytes, frames as an emulator shows them."""

import os
import signal
import termios
import time

import pytest

from tests.league.board.terminal import Terminal

LIVE = """
import signal
with LiveBoard(watching={watching}) as board:
    board.update(state({players}, log=("something happened",)))
    ack()
    {wait}
"""


def live(columns=120, lines=40, players=12, watching=True, wait="left = board.wait(60)", env=None):
    terminal = Terminal(LIVE.format(players=players, watching=watching, wait=wait), columns, lines, env)
    terminal.wait()
    terminal.lines("player-0")
    return terminal


def send(terminal, data):
    os.write(terminal.master, data)


def row_of(lines, text):
    return next(y for y, line in enumerate(lines) if text in line)


@pytest.mark.parametrize(("columns", "lines"), [(200, 60), (120, 40), (80, 24), (60, 20)])
def test_every_page_at_every_size(columns, lines):
    terminal = live(columns, lines)
    assert terminal.lines("q quit")[-1].startswith("q quit   ? help")
    for key, title in ((b"?", "── help"), (b"l", "── log"), (b"p", "── panels")):
        send(terminal, key)
        shown = terminal.lines("Esc back")
        assert any(line.startswith(title) for line in shown)
        assert shown[-1].startswith("Esc back")
        send(terminal, b"\x1b")
        terminal.lines("q quit   ? help   Enter")
    send(terminal, b"\x1b[B\x1b[B\r")
    assert "quickstart › player-1" in terminal.lines("overview")[0]
    send(terminal, b"q")
    terminal.end()
    assert terminal.code == 0
    assert terminal.after == terminal.modes


def test_clicks_and_the_wheel_and_a_resize():
    terminal = live()
    y = row_of(terminal.lines("player-3"), "player-3")
    click = f"\x1b[<0;5;{y + 1}M\x1b[<0;5;{y + 1}m".encode()
    send(terminal, click + click)
    assert "› player-3" in terminal.lines("overview")[0]
    terminal.resize(60, 20)
    assert len([line for line in terminal.lines("› player-3") if line]) <= 20
    send(terminal, b"?")
    first = terminal.lines("lines 1–")
    send(terminal, b"\x1b[<65;1;1M")
    assert terminal.lines("lines 4–")[2] == first[5]
    send(terminal, b"q")
    terminal.end()
    assert terminal.after == terminal.modes


def test_the_mouse_is_on_only_while_the_board_wants_it():
    terminal = live()
    on, off = b"\x1b[?1000h", b"\x1b[?1000l"
    assert on in terminal.raw
    send(terminal, b"m")
    for _ in range(1000):
        if off in terminal.raw:
            break
        time.sleep(0.01)
    assert off in terminal.raw
    send(terminal, b"q")
    terminal.end()
    assert terminal.raw.rindex(off) > terminal.raw.rindex(on)


@pytest.mark.parametrize("columns", [120, 60])
def test_q_asks_before_it_stops_a_run_and_y_is_ctrl_c(columns):
    terminal = live(columns=columns, watching=False, wait="signal.pause()")
    send(terminal, b"q")
    assert terminal.lines("stop this run?")[-1].startswith("stop this run?")
    send(terminal, b"n")
    assert terminal.lines("q quit")[-1].startswith("q quit")
    send(terminal, b"qy")
    final = terminal.end()
    assert terminal.code == -signal.SIGINT
    assert "KeyboardInterrupt" in final
    assert terminal.after == terminal.modes


def test_keys_do_not_reach_the_shell_and_a_pipe_on_stdin_is_not_read():
    terminal = live(wait="os.dup2(os.open('/dev/null', os.O_RDONLY), 0)\n    left = board.wait(60)\n    print(left)")
    send(terminal, b"jjjq" + b"rm -rf\n" * 3)
    final = terminal.end()
    assert final[0] == "True"
    assert b"rm" not in terminal.raw
    piped = live(
        wait="""r, w = os.pipe()
    os.write(w, b"q"); os.dup2(r, 0)
    print(board.wait(0.5)); print(os.read(0, 9))"""
    )
    assert piped.end()[:2] == ["False", "b'q'"]


def test_no_colour_but_a_visible_cursor():
    terminal = live(env={"NO_COLOR": "1"})
    send(terminal, b"j")
    for _ in range(1000):
        if b"\x1b[1;7m" in terminal.raw:
            break
        time.sleep(0.01)
    assert b"\x1b[1;7m" in terminal.raw
    assert b"[36m" not in terminal.raw
    send(terminal, b"q")
    terminal.end()


def test_ctrl_z_leaves_the_screen_and_a_continued_board_comes_back():
    terminal = live()
    os.kill(terminal.process.pid, signal.SIGTSTP)
    for _ in range(2000):
        if b"\x1b[?1049l" in terminal.raw:
            break
        time.sleep(0.01)
    os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED)
    assert termios.tcgetattr(terminal.slave) == terminal.modes
    assert terminal.raw.rindex(b"\x1b[?1000l") > terminal.raw.rindex(b"\x1b[?1000h")
    os.kill(terminal.process.pid, signal.SIGCONT)
    send(terminal, b"?")
    terminal.lines("── help")
    assert terminal.raw.rindex(b"\x1b[?1000h") > terminal.raw.rindex(b"\x1b[?1000l")
    send(terminal, b"q")
    terminal.end()
    assert terminal.after == terminal.modes


def test_what_c_code_writes_goes_to_the_log_page_and_nowhere_else():
    terminal = live(
        wait="""for i in range(30):
        os.write(2, b"noise %03d\\n" % i)
    left = board.wait(60)"""
    )
    send(terminal, b"l")
    terminal.lines("Esc back")
    shown = terminal.lines("noise 029")
    assert [line for line in shown if "noise" in line] == [f"noise {i:03}" for i in range(30)]
    send(terminal, b"\x1b")
    assert sum("player-3" in line for line in terminal.lines("player-3")) == 1
    send(terminal, b"q")
    terminal.end()
