"""What the command prints: on a terminal, in its encoding, from texts that hold anything."""

import fcntl
import io
import json
import logging
import os
import re
import struct
import sys
import termios
from pathlib import Path

import pytest

from arena.cli import main, out
from arena.cli.out import PrintableFormatter, show_traceback
from arena.cli.show import replay_lines
from arena.match import Decision, MatchPlan, Turn, play
from arena.players import View, register
from arena.players.bots.random import RandomPlayer
from arena.players.human import Human
from games.sanitize import printable
from tests import golden
from tests.toys.small_games import Race

WILD = "\x1b[31m\x1b]0;title\x07\x1b]52;c;aGk=\x07\x9b1m\u202e\u2066\u200b\ud83d\x00\r\x7f"
ROOT = Path(__file__).parents[3]


def tame(text):
    return printable(text, lines=True) == text and "\r" not in text


@register("wild-says")
class WildSays(RandomPlayer):
    """Writes control characters beside a legal action."""

    name = "wild-says"

    def act(self, view):
        decision = super().act(view)
        if not view.rejected:
            return Decision(None, "illegal", text=f"a{WILD}b\n== finished", reason=f"c{WILD}d")
        return Decision(decision.action, text=f"a{WILD}b")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_match_as_it_is_played(form, capsys):
    assert main(["play", "race-v0", "wild-says", *form]) == 0
    out = capsys.readouterr().out
    assert tame(out)
    assert "\n== finished\\n" not in out
    if form:
        assert json.loads(out)["status"] == "finished"


def test_a_recorded_match_that_holds_anything(capsys):
    """The texts of an untrusted database were never sanitized."""
    from arena.cli.out import say, say_json
    from arena.match import encode

    game, player = Race(), RandomPlayer()
    episode = play(
        game, MatchPlan("m", "race-v0", 1, {"player_0": "a", "player_1": "b"}), dict.fromkeys(game.spec.seats, player)
    )
    wild = WILD.replace("\ud83d", "")
    turns = tuple(
        Turn(t.seat, t.role, t.phase, f"p{wild}", t.action, (Decision(t.action, text=f"w{wild}", reason=wild),))
        for t in episode.turns
    )
    from msgspec.structs import replace

    names = dict.fromkeys(episode.seats, f"name{wild}\n== forged")
    episode = replace(episode, match=f"m{wild}", seats=names, turns=turns, reason=f"r{wild}\n== forged")
    say("\n".join(replay_lines(episode)))
    say_json(encode(episode).decode())
    out = capsys.readouterr().out
    assert tame(out)
    assert "\n== forged" not in out
    assert json.loads(out.splitlines()[-1])["reason"] == episode.reason


@pytest.mark.parametrize("arguments", golden.lists(__file__, "terminal_what_was_typed_comes_back_in_one_tame_line"))
def test_what_was_typed_comes_back_in_one_tame_line(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([a.replace("\x00", "") for a in arguments]) in (1, 2)
    err = capsys.readouterr().err
    assert tame(err)
    assert err.count("\n") == 1


def test_an_endless_name_does_not_flood_the_terminal(capsys):
    assert main(["play", "x" * 50_000, "random"]) == 2
    assert len(capsys.readouterr().err) <= 10_001


class Raises(RandomPlayer):
    """An error with an untrusted message."""

    def supports(self, game):
        raise RuntimeError(f"no{WILD}")


@pytest.mark.parametrize("verbose", [[], ["-v"]])
def test_an_exception_that_nobody_expected(verbose, capsys):
    register("raises-wild")(Raises)
    assert main([*verbose, "play", "race-v0", "raises-wild"]) == 1
    err = capsys.readouterr().err
    assert tame(err)
    assert ("Traceback" in err) == bool(verbose)
    try:
        raise ValueError(WILD) from KeyError(WILD)
    except ValueError as error:
        show_traceback(error)
    assert tame(capsys.readouterr().err)


def test_a_log_line_is_one_line():
    formatter = PrintableFormatter("%(levelname)s %(name)s: %(message)s")
    try:
        raise ValueError(f"x{WILD}")
    except ValueError as error:
        failure = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("a", logging.WARNING, "f", 1, "said %s", (f"a{WILD}\nERROR b: forged",), failure)
    record.stack_info = f"Stack{WILD}"
    text = formatter.format(record)
    assert tame(text)
    assert "\nERROR" not in text
    assert "Traceback" in text


def test_a_human_is_asked_in_tame_words():
    written: list[str] = []
    human = Human(reader=iter(["1\x1b\u202e\n"]).__next__, writer=written.append)
    game = Race()
    game.reset(1)
    import asyncio

    seen = View(game, "player_0", "first", ("1", f"2{WILD}"), 0, 0, [Decision(None, "illegal", reason=f"n{WILD}")])
    decision = asyncio.run(human.act_async(seen))
    assert tame("".join(written))
    assert decision.action == "1"


def test_everything_is_printed_by_what_makes_it_tame():
    """A print elsewhere would bypass the escaping."""
    allowed = {"arena/cli/out.py", "arena/cli/__init__.py"}
    bare = re.compile(r"(?<![\w.>])print\(|typer\.(echo|secho)\(|std(out|err)\.write\(")
    inside = ("games/openspiel/_preflight_child.py", "arena/players/human.py")
    found = {
        str(path.relative_to(ROOT))
        for package in ("games", "roles", "arena", "league")
        for path in (ROOT / package).rglob("*.py")
        if any(bare.search(line) and ">>>" not in line for line in path.read_text().splitlines())
    }
    assert found - allowed <= set(inside)


def test_what_the_encoding_lacks_is_replaced(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    out.replace_unwritable()
    out.say("1–2 ±3 ▒ é")
    assert written.getvalue() == b"1-2 ~3 + ?\n"


def test_json_keeps_its_meaning(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    out.replace_unwritable()
    out.say_json('{"name": "Zoë 😀"}')
    assert json.loads(written.getvalue()) == {"name": "Zoë 😀"}


def test_utf_8_is_left_alone(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf8"))
    out.replace_unwritable()
    out.say("Zoë")
    assert written.getvalue().decode() == "Zoë\n"
    assert sys.stdout.errors == "strict"


@pytest.mark.parametrize(("terminal", "width"), [(60, 60), (20, 40), (300, 120)])
def test_prose_is_as_wide_as_the_terminal(monkeypatch, terminal, width):
    master, slave = os.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, terminal, 0, 0))
        with open(slave, "w", closefd=False) as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            assert out.columns(80) == width
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert out.columns(80) == 80
    finally:
        os.close(master)
        os.close(slave)
