"""Parameters that OpenSpiel cannot play, including those that crash it, give one line and do not end this process."""

import json
import signal
import subprocess
import sys

import pytest

import games
from games import InputError
from games.openspiel import preflight, shared_game
from tests import golden

# Each of these ends the process unless another process tries it first.
KILLERS = golden.table(__file__, "preflight_killers")
MAKES_ALL = golden.text(__file__, "preflight_makes_all.program")


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
    ("name", "words"), golden.rows(__file__, "preflight_what_openspiel_refuses_in_the_first_match_is_one_line")
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
