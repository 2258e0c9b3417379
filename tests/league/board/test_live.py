from __future__ import annotations

import os
import re
import select
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from league.board.live import BURST, QUICK, SHARE, FrameBudget
from league.board.screen import drop_typed_keys
from tests.league.board.terminal import Terminal

NOISY = """
with LiveBoard(painter=False) as board:
    for i in range(31):
        if not step():
            break
        board.update(state(12, elapsed=float(i)))
        logging.getLogger("engine").warning("log %03d", i)
        os.write(2, b"fd two %03d\\n" % i)
        print("printed %03d" % i)
        board.log("told %03d" % i)
        board.paint()
        ack()
    step()
"""


def one_board(lines: list[str]) -> None:
    """The screen shows exactly one board, and nothing else."""
    text = "\n".join(lines)
    assert text.count("quickstart") == 1
    assert text.count("── log ─") == 1
    assert len(re.findall(r"#.* player ", text)) == 1
    players = re.findall(r"player-(\d+)", text)
    assert players == sorted(set(players), key=int)
    assert lines[0].startswith("quickstart")


def test_thirty_frames_with_everybody_writing_and_a_resize_between():
    terminal = Terminal(NOISY)
    for i in range(30):
        if i in (10, 20):
            terminal.resize(*((70, 20) if i == 10 else (130, 40)))
        terminal.step()
        lines = terminal.lines(f"told {i:03}")
        one_board(lines)
        *log, keys = lines[next(n for n, line in enumerate(lines) if line.startswith("── log")) + 1 :]
        assert keys.startswith("q quit   ? help")
        expected = [f"{kind} {j:03}" for j in range(i + 1) for kind in ("WARNING log", "fd two", "printed", "told")]
        assert len(log) >= 2
        assert log == expected[-len(log) :]
    final = terminal.end()
    assert terminal.code == 0
    one_board([*final[final.index("told 029") + 1 :], "── log ─"])
    said, _, path = final[0].rpartition(" ")
    assert said == "… 100 earlier lines in"
    assert Path(path).read_text().splitlines() == expected
    Path(path).unlink()


def test_nothing_changed_nothing_written():
    terminal = Terminal("""
with LiveBoard(painter=False) as board:
    board.update(state(12))
    counts = [board.paint() for _ in range(5)]
    board.update(state(12, to_go=7.0))
    counts.append(board.paint())
    board.log(repr(counts))
    board.paint()
    ack()
    step()
""")
    terminal.wait()
    line = next(line for line in terminal.lines("[") if line.startswith("["))
    first, *same, changed = eval(line)
    terminal.end()
    assert same == [0, 0, 0, 0]
    assert first > 1000
    assert 0 < changed < 200, "one line changed, one line is sent"


def test_the_thread_paints_and_heals_nothing_is_echoed_and_the_terminal_comes_back():
    terminal = Terminal("""
with LiveBoard() as board:
    board.update(state(5))
    ack()
    step()
    import select
    select.select([0], [], [], 1)  # the kernel hands typed text over in its own time; the board may read it first
    board.update(state(5, status="finished"))
    os.write(1, b"last words")
""")
    terminal.wait()
    one = terminal.lines("player-4")
    assert terminal.screen.cursor.hidden
    os.write(terminal.master, b"typed by somebody\n")
    assert one[0].endswith("● running")
    final = terminal.end()
    assert b"typed" not in terminal.raw
    assert terminal.after == terminal.modes
    assert final[0] == "last words"
    assert final[1].endswith("● finished")
    assert sum("player-" in line for line in final) == 5


CRASH = """
with LiveBoard(log_file="{log}") as board:
    board.update(state(3))
    os.write(2, b"a C library\\n")
    {last}
"""


@pytest.mark.parametrize(
    ("last", "code", "status", "said"),
    [
        ("raise RuntimeError('it broke')", 1, "failed", "RuntimeError: it broke"),
        ("raise KeyboardInterrupt", -2, "interrupted", "KeyboardInterrupt"),
        ("import signal; os.kill(os.getpid(), signal.SIGTERM)", 143, "interrupted", ""),
    ],
)
def test_after_a_crash_the_terminal_is_sane_and_nothing_is_lost(tmp_path, last, code, status, said):
    log = tmp_path / "run.log"
    terminal = Terminal(CRASH.format(log=log, last=last))
    final = terminal.end()
    assert terminal.code == code
    assert terminal.after == terminal.modes
    assert final[0] == "a C library"
    assert final[1].endswith(f"● {status}")
    assert any(line.startswith(said) for line in final[2:])
    assert log.read_text() == "a C library\n"
    assert terminal.raw.count(b"\x1b[?1049h") == terminal.raw.count(b"\x1b[?1049l") == 1
    for mode in (b"1000", b"1006", b"2004"):  # mouse and paste
        assert terminal.raw.rindex(b"\x1b[?%bl" % mode) > terminal.raw.rindex(b"\x1b[?%bh" % mode)


def test_a_terminal_that_is_gone_does_not_stop_the_run(tmp_path):
    """The write end of a closed pseudo-terminal fails with EIO; the program goes on to its end."""
    done = tmp_path / "done"
    terminal = Terminal(f"""
import signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
pty, tty = os.openpty()
with LiveBoard(tty, painter=False) as board:
    os.close(pty)
    board.update(state(3))
    board.paint()
open({str(done)!r}, "w").close()
""")
    terminal.end()
    assert terminal.code == 0
    assert done.exists()


@pytest.mark.parametrize(
    ("env", "live"),
    [({}, True), ({"TERM": "dumb"}, False), ({"TTY_INTERACTIVE": "0"}, False), ({"NO_COLOR": "1"}, True)],
)
def test_auto_on_a_terminal(env, live):
    terminal = Terminal(
        """
from league.board import open_board
with open_board() as board:
    board.update(state(4))
    if hasattr(board, "paint"):
        board.paint()
""",
        env=env,
    )
    final = terminal.end()
    assert any("player-3" in line for line in final)
    assert (b"\x1b[?1049h" in terminal.raw) == live
    assert (b"\x1b" in terminal.raw) == live
    coloured = re.search(rb"\x1b\[[\d;]*3[1-6]m", terminal.raw) is not None
    assert coloured == (live and "NO_COLOR" not in env)


def test_redirected_output_stays_where_it_was_sent(tmp_path):
    """stdout goes to a file, the board to stderr: what is printed is for the file, not for the log pane."""
    out = tmp_path / "out.json"
    terminal = Terminal(f"""
os.dup2(os.open({str(out)!r}, os.O_WRONLY | os.O_CREAT), 1)
from rich.console import Console
from league.board import open_board
with open_board(console=Console(stderr=True)) as board:
    board.update(state(2))
    print("for the file", flush=True)
    os.write(2, b"for the pane\\n")
""")
    final = terminal.end()
    assert out.read_text() == "for the file\n"
    assert "for the pane" in final


def test_keys_that_nobody_read_do_not_reach_the_shell():
    master, slave = os.openpty()
    try:
        os.write(master, b"q\n")
        assert select.select([slave], [], [], 10)[0]
        drop_typed_keys(slave)
        assert not select.select([slave], [], [], 0)[0]
        drop_typed_keys(-1)  # no terminal: nothing to do
    finally:
        os.close(master)
        os.close(slave)


COST = 0.0026
"""seconds of a processor for a frame of 64 players"""


class ManualTime:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=60), st.floats(0, 0.5))
def test_frames_take_at_most_their_share_and_one_burst(costs: list[float], rest: float) -> None:
    clock = ManualTime()
    budget = FrameBudget(clock)
    for cost in costs:
        clock.now += cost + (pause := budget.pause(cost)) + rest
        assert pause >= QUICK
    assert sum(costs) <= SHARE * (clock.now - 100) + BURST + 1e-9


def test_single_keys_are_answered_at_once_and_a_held_key_is_not() -> None:
    clock = ManualTime()
    budget = FrameBudget(clock)
    pauses = []
    for _ in range(60):
        pauses.append(budget.pause(COST))
        clock.now += pauses[-1]
    assert pauses[:5] == [QUICK] * 5
    assert 0.2 < pauses[-1] < 0.25
    clock.now += 5
    assert budget.pause(COST) == QUICK
