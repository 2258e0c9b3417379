"""The view with its threads, without a terminal: keys through a pipe, details from a source made up here."""

import os
import threading
from contextlib import ExitStack

import pytest

from games import InputError
from league.board.keyboard import Key
from league.board.player_details import PLAYING, MatchLine, OpponentLine, PlayerDetails
from league.board.viewer import Viewer
from tests.league.board.states import GAMES, state


class Source:
    """Knows one opponent and one match, after a second call."""

    def __init__(self):
        self.asked = []

    def details(self, player, game, role):
        self.asked.append((player, game, role))
        read = min(2, self.asked.count((player, game, role)))
        line = MatchLine("m7", 7, GAMES[0], "first", ("zoe",), 1.0, "finished", False, 3)
        opponent = OpponentLine("zoe", 2, 0.5, 2, 0, 0, 0.3, 1.0, 1.0)
        return PlayerDetails(player, (25.0, 26.0), (opponent,), (line,), read, 2)

    def pages(self, match):
        if match != "m7":
            raise InputError("no match")
        return PlayerDetails("", pages=(("1. player_0 (zoe): Bet",), ("at the start",), ("after a bet",)))


class Seen:
    """A viewer, its changes, and frames."""

    def __init__(self, source):
        self.changes = threading.Semaphore(0)
        self.requests = []
        self.viewer = Viewer(self.changes.release, self.requests.append, watching=True)
        self.viewer.source = source

    def text(self, until="", size=(120, 40)):
        for _ in range(200):
            text = "\n".join(line for line, _ in self.viewer.draw(state(3), size))
            if until in text:
                return text
            self.changes.acquire(timeout=0.2)
        raise AssertionError(f"{until!r} never came: {text}")


@pytest.fixture
def seen():
    shown, (keys, typed) = Seen(Source()), os.pipe()
    with ExitStack() as stack:
        shown.type = lambda data: os.write(typed, data)
        shown.text()
        shown.viewer.start(keys, stack)
        yield shown
    os.close(typed)
    os.close(keys)


def test_the_page_of_a_player_is_read_to_the_end_and_a_match_opened(seen):
    seen.type(b"j\r")
    assert "player-0" in seen.text("2 results read").splitlines()[0]
    seen.type(b"\t")
    assert "zoe" in seen.text("opponent ")
    seen.type(b"\t")
    assert "   7  +1.00  zoe" in seen.text("against")
    seen.type(b"j\r")
    assert "── match m7, overview: → steps through it" in seen.text("1. player_0 (zoe): Bet")
    seen.type(b"\x1b[C")
    assert "position 0 of 1" in seen.text("at the start")
    seen.type(b"\x1b[C\x1b[C")  # the last position stays
    assert "position 1 of 1" in seen.text("after a bet")
    seen.type(b"\x1b[D")
    seen.text("at the start")
    seen.type(b"\x1b")
    seen.text("against")
    assert set(seen.viewer.source.asked) == {("player-0", "", "")}


def test_a_game_is_asked_for_when_it_is_selected(seen):
    seen.type(b"j\rg")
    seen.text("2 results read")
    assert seen.viewer.source.asked[-1] == ("player-0", GAMES[0], "")


def test_a_source_that_comes_after_the_page_was_opened_is_read(seen):
    source, seen.viewer.source = seen.viewer.source, None
    seen.type(b"j\r")
    seen.text("reading the log")
    seen.viewer.attach(source)
    seen.text("2 results read")


def test_moving_the_cursor_asks_for_nothing_again(seen):
    seen.type(b"j\r\t\t")
    seen.text("against")
    asked = len(seen.viewer.source.asked)
    seen.viewer.take([Key("down")] * 50)
    assert len(seen.viewer.source.asked) <= asked + 1


def test_a_source_that_fails_is_told_and_the_board_stays(seen):
    def fail(*_):
        raise InputError("the database is gone")

    seen.viewer.source.details = fail
    seen.type(b"j\r")
    assert "cannot read the matches: the database is gone" in seen.text("cannot read")
    seen.type(b"\x1bq")
    seen.text("# ")


def test_a_match_in_play_opens_at_its_newest_position_and_follows_it_while_at_the_end(seen):
    pages = [("overview",), ("at the start",), ("after a bet",)]
    line = MatchLine("m7", 7, GAMES[0], "first", ("zoe",), 0.0, PLAYING, False, 1)
    source = seen.viewer.source
    source.details = lambda player, game, role: PlayerDetails(player, matches=(line,))
    source.pages = lambda match: PlayerDetails("", pages=tuple(pages), live=True)
    seen.type(b"j\r\t\t")
    seen.text("playing")
    seen.type(b"j\r")
    assert "position 1 of 1, being played" in seen.text("after a bet")
    pages.append(("after a pass",))
    seen.text("after a pass")
    seen.type(b"\x1b[D")
    seen.text("after a bet")
    pages.append(("after a fold",))
    assert "after a bet" in seen.text("position 1 of 3")


def test_events_in_one_read_refer_to_what_each_would_see(seen):
    """Escape, Enter and tabs in one burst: each answers the page that the one before opened."""
    seen.viewer.take([Key("down"), Key("enter"), Key("tab"), Key("tab"), Key("escape"), Key("l"), Key("q")])
    assert seen.viewer.view.page == "log"
    assert seen.requests == ["leave"]
