"""Parameters that OpenSpiel cannot play, including those that crash it, give one line and do not end this process."""

import json
import signal
import subprocess
import sys

import pytest

import games
from games import InputError
from games.openspiel import preflight, shared_game

# Each of these ends the process unless another process tries it first.
KILLERS = {
    "universal_poker(numPlayers=3)": "only read 2 stack sizes, need 3",
    "universal_poker(stack='5 5')": "blind for player 1 is greater than stack size; by default stack='1200 1200'",
    "universal_poker(blind=100)": "only read 1 blinds, need 2",
    "universal_poker(numRounds=4)": "only read 2 board card numbers, need 4",
    "universal_poker(numHoleCards=5)": "invalid number of hole cards",
    "connect_four(rows=0)": "(SIGSEGV); by default rows=6",
    "hanabi(ranks=9)": "(SIGABRT)",
    "turn_based_simultaneous_game(game=hanabi(ranks=9))": "(SIGABRT)",
}
MAKES_ALL = """
import json, sys, games
said = {}
for name in json.load(sys.stdin):
    try:
        games.make(f"openspiel/{name}")
    except games.InputError as error:
        said[name] = str(error)
print(json.dumps(said))
"""


def test_what_kills_openspiel_is_one_line():
    done = subprocess.run(
        [sys.executable, "-c", MAKES_ALL], input=json.dumps(list(KILLERS)), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert list(said) == list(KILLERS)
    for name, words in KILLERS.items():
        assert "cannot be played: OpenSpiel crashed" in said[name]
        assert words in said[name]
        assert "\n" not in said[name]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("go(board_size=25)", "cannot be played: The current Go implementation supports board size up to 19"),
        ("gomoku(size=0)", "cannot be played: gomoku_grid.h:40 size >= 1"),
        ("misere(game=gomoku(size=0))", "gomoku_grid.h:40 size >= 1"),
        ("mnk(m=0)", "it is over before any seat acts"),
        ("goofspiel(num_cards=0)", "there is nothing to choose from; by default num_cards=13"),
        ("liars_dice(numdice=0)", "num_dice_rolled_"),
        ("hex(board_size=-1)", "by default board_size=11"),
        ("hex(board_size=100)", "UnicodeDecodeError"),
        ("stones_and_gems(grid=)", "Empty map string"),
    ],
)
def test_what_openspiel_refuses_in_the_first_match_is_one_line(name, words, capfd):
    with pytest.raises(InputError) as caught:
        games.make(f"openspiel/{name}")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert capfd.readouterr() == ("", "")


def test_what_never_comes_to_an_end_is_stopped_by_its_own_limit(monkeypatch):
    def ends(*args, **options):
        return subprocess.CompletedProcess(args, -signal.SIGXCPU, b"", b"")

    monkeypatch.setattr(preflight.subprocess, "run", ends)
    with pytest.raises(InputError, match="OpenSpiel does not finish; by default stack='1200 1200'"):
        preflight.try_in_child("universal_poker", {"stack": "100 100"})


def test_only_parameters_are_tried_and_only_once(monkeypatch):
    tried = []
    monkeypatch.setattr(shared_game, "_loaded", {})
    monkeypatch.setattr(shared_game, "try_in_child", lambda name, params: tried.append((name, params)))
    for name in ("kuhn_poker", "kuhn_poker(players=2)", "kuhn_poker(players=3)", "kuhn_poker(players=3)"):
        games.make(f"openspiel/{name}")
    assert tried == [("kuhn_poker", {"players": 3})]
