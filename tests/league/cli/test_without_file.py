"""A tournament and a duel from the command line alone."""

import json

import pytest

from tests.arena.cli.command import run

KUHN = ("--game", "openspiel/kuhn_poker")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_same_command_resumes_its_tournament(capsys):
    words = ("tournament", *KUHN, "--player", "random", "--player", "good=solver", "--rounds", "3", "--json")
    first, again = run(capsys, *words), run(capsys, *words)
    assert first[0] == again[0] == 0
    board = json.loads(first[1])
    assert {row["player"] for row in board["standings"]} == {"random", "good"}
    assert board["matches"]["finished"] == 6
    assert json.loads(again[1])["matches"] == board["matches"]
    code, out, _ = run(capsys, *words[:-3], "--rounds", "4", "--json")  # other settings are another run
    assert (code, json.loads(out)["matches"]["finished"]) == (0, 8)


@pytest.mark.parametrize(
    ("players", "verdict"), [(("solver", "random"), "accept"), (("weak=random", "solver"), "reject")]
)
def test_a_duel_ends_with_a_verdict(players, verdict, capsys):
    words = ("duel", *players, "--game", "openspiel/tic_tac_toe")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert f": {verdict} after " in out
    assert "pairs LL " in out
    assert "normalised Elo, 95%" in out
    code, out, _ = run(capsys, *words, "--json")
    assert json.loads(out)["stop"]["sprt"]["verdict"] == verdict


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("tournament",), "write FILE.toml, or at least one --game ID and two --player ID"),
        (("tournament", *KUHN, "--player", "random"), "two --player ID"),
        (("tournament", "x.toml", *KUHN), "replace a file; leave them out, or x.toml"),
        (("duel", "random", "solver"), "name the game: --game"),
        (("duel", "a=random", "a=solver", *KUHN), "player name 'a' is given twice"),
    ],
)
def test_what_is_missing_is_one_line(words, problem, capsys):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_a_plan_says_how_many_matches_a_file_takes(tmp_path, capsys):
    players = '[[players]]\nname = "a"\nplayer = "random"\n[[players]]\nname = "b"\nplayer = "random"\n'
    (tmp_path / "cup.toml").write_text(f'name = "cup"\ngames = ["openspiel/kuhn_poker"]\nrounds = 4\n{players}')
    code, out, _ = run(capsys, "plan", "cup.toml")
    assert code == 0
    assert "matches: 8\n" in out
    assert "arena plan cup.toml --pilot 20" in out
    assert json.loads(run(capsys, "plan", "cup.toml", "--json")[1])["matches"]["median"] == 8
