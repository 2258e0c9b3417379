"""Whatever writes to standard output or standard error of the command passes one gate."""

import io
import logging
import subprocess
import sys
import warnings

from arena.cli import main
from arena.terminal import TerminalGate, guarded, past_gate
from tests import golden

EVIL = "\x1b]52;c;aGk=\x07\x9b31m\u202e"
ESCAPED = "\\x1b]52;c;aGk=\\x07\\x9b31m\\u202e"

PRINTS = golden.text(__file__, "terminal_prints.py.txt")


def test_whoever_prints_passes_the_gate():
    done = subprocess.run([sys.executable, "-c", PRINTS], capture_output=True, text=True, check=True)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*done.stdout, *done.stderr}
    assert done.stdout.count(ESCAPED) == 2
    assert done.stderr.count(ESCAPED) >= 5


def test_lines_and_tabs_stay_and_bars_of_other_packages_draw():
    out = io.StringIO()
    gate = TerminalGate(out)
    for text in ("a\tb\n", "\r 50%|█████     |", "\x1b[A\x1b[A", "x\ry\x1b[A"):
        gate.write(text)
    assert out.getvalue() == "a\tb\n\r 50%|█████     |\x1b[A\x1b[Ax\\ry\\x1b[A"
    assert past_gate(gate) is out  # type: ignore[arg-type, comparison-overlap]


def test_the_gate_is_taken_away_again():
    before = sys.stdout, sys.stderr
    with guarded():
        with guarded():
            assert isinstance(sys.stdout, TerminalGate)
            assert not isinstance(sys.stdout.stream, TerminalGate)
        assert isinstance(sys.stderr, TerminalGate)
    assert (sys.stdout, sys.stderr) == before


def test_a_player_that_prints(capsys, monkeypatch):
    from arena.players.bots.random import RandomPlayer

    act = RandomPlayer.act

    def prints(self, view):  # type: ignore[no-untyped-def]
        print(EVIL)  # noqa: T201
        logging.getLogger("x").warning(EVIL)
        warnings.warn(EVIL, stacklevel=1)
        return act(self, view)

    monkeypatch.setattr(RandomPlayer, "act", prints)
    main(["play", "openspiel/kuhn_poker", "random", "random"])
    out, err = capsys.readouterr()
    assert ESCAPED in out
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*out, *err}
