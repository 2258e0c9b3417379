"""Stop rules and the meta-game as they are typed."""

import csv
import json
import os
from pathlib import Path

import pytest

from games import plugins
from league.records.leaderboard import Leaderboard, MatchCounts
from league.store import Store
from league.tournament.run import TournamentResult
from league.training.loop import TrainingResult
from tests import golden
from tests.arena.cli.command import run, unread

TOURNAMENT = golden.text(__file__, "commands_tournament.toml")


@pytest.fixture
def url(capsys, tmp_path):
    """A tournament that ended by its rule, with `--json`."""
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(db=tmp_path / "t.db"))
    code, out, err = run(capsys, "tournament", str(file), "--json")
    assert code == 0, err
    played = json.loads(out)
    assert played["stopped"] == "24 matches played of at most 24"
    assert 24 <= played["matches"]["finished"] <= 26
    return f"sqlite:///{tmp_path}/t.db"


def test_the_board_says_why_it_stopped(capsys, url):
    out = run(capsys, "board", "--db", url)[1]
    assert "● finished" in out
    assert "stopped: 24 matches played of at most 24" in out
    assert "SPRT mcts against random: open after 12 pairs" in out
    board = json.loads(run(capsys, "board", "--db", url, "--json")[1])
    assert board["stop"]["reason"] == "24 matches played of at most 24"
    assert board["stop"]["sprt"]["pairs"] == 12
    assert board["stop"]["sprt"]["estimate"]["low"] < board["stop"]["sprt"]["estimate"]["high"]
    assert [w["deviates"] for w in board["workers"]] == [False]


def test_an_export_that_nobody_reads_to_its_end_is_no_failure(capsys, url):
    assert len(run(capsys, "export", "--db", url)[1]) > 10_000  # more than is kept back until the end
    assert unread("export", "--db", url) == (0, "")


BROKEN = golden.text(__file__, "commands_broken.py.txt")


def test_a_run_of_nothing_but_void_matches_failed(capsys, tmp_path, monkeypatch):
    plugins.forget()
    plugin, file = tmp_path / "gone.py", tmp_path / "t.toml"
    plugin.write_text(BROKEN)
    text = TOURNAMENT.format(db=tmp_path / "t.db").replace("mcts(simulations=20)", "gone")
    file.write_text(text.replace("rounds = 40", "rounds = 1"))
    code, out, err = run(capsys, "tournament", str(file), "--plugin", str(plugin), "--json")
    assert (code, json.loads(out)["matches"]["void"]) == (1, 4)
    assert "all 4 matches are void, the last because the engine is gone; fix the cause and set a new name" in err
    code, out, err = run(capsys, "tournament", str(file), "--plugin", str(plugin), "--board", "plain")
    assert (code, "all matches are played: 4 matches played before, 4 of them void" in out + err) == (1, True)
    assert "going on" not in out + err
    words = ("gone", "--game", "openspiel/kuhn_poker", "--plugin", str(plugin), "--db", f"sqlite:///{tmp_path}/d.db")
    code, _, err = run(capsys, "duel", *words[:1], "random", *words[1:], "--pairs", "2")
    assert (code, "4 matches are void, the last because the engine is gone" in err) == (1, True)
    code, out, err = run(capsys, "eval", *words, "--against", "random", "--matches", "2")
    assert (code, out) == (1, "")
    assert "all matches of gone against random are void; play one to see why: arena play" in err


def test_a_run_that_is_stopped_ends_with_how_to_continue(capsys, tmp_path, monkeypatch):
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(db=tmp_path / "t.db"))
    snapshot = Leaderboard("t", (), {}, {}, MatchCounts(40, 12, 0, 0))
    monkeypatch.setattr("league.tournament.run.run_tournament", lambda *_, **__: TournamentResult(snapshot, False))
    code, _, err = run(capsys, "tournament", str(file))
    assert (code, err) == (130, "stopped after 12 finished matches; type the same command to continue\n")
    file.write_text('name = "learn"\nsteps = 9\ngames = ["openspiel/kuhn_poker"]\n[policy]\nmodel = "tiny(layers=1)"\n')
    monkeypatch.setattr("league.training.run.run_training", lambda *_, **__: TrainingResult(3, False, {}))
    code, _, err = run(capsys, "train", str(file))
    assert (code, err) == (130, f"stopped after step 3 of 9; to continue: arena train {file}\n")


PLUGIN = golden.text(__file__, "commands_plugin.py.txt")


def test_what_only_a_plugin_file_knows_is_asked_for(capsys, tmp_path, monkeypatch):
    """Given by --plugin, and moved since: a replay needs its game, the tables its rating method."""
    before, moved, file = tmp_path / "rope.py", tmp_path / "moved.py", tmp_path / "t.toml"
    before.write_text(PLUGIN)
    file.write_text(
        TOURNAMENT.format(db=tmp_path / "t.db")
        .replace('"openspiel/kuhn_poker", "openspiel/tic_tac_toe"', '"tug-v0"')
        .replace("[stop]", '[ratings]\nmethod = "rope"\n[stop]')
        .replace("mcts(simulations=20)", "random")
    )
    plugins.forget()
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))
    code, _, err = run(capsys, "tournament", str(file), "--plugin", str(before), "--json")
    assert code == 0, err
    before.rename(moved)
    url = f"sqlite:///{tmp_path}/t.db"
    for words in (("replay", "0"), ("rebuild",), ("watch",)):
        (Path(os.environ["ARENA_STATE"]) / "trusted.jsonl").unlink()
        plugins.forget()
        code, _, err = run(capsys, *words, "--db", url)
        assert code == 2, err
        assert "add --plugin PATH" in err
        assert run(capsys, *words, "--db", url, "--plugin", str(moved))[0] == 0
        plugins.forget()
        assert run(capsys, *words, "--db", url)[0] == 0  # its new path was given once


@pytest.mark.parametrize(
    "words",
    [
        ("board",),
        ("replay", "0"),
        ("export",),
        ("rebuild",),
        ("eval", "x@1", "--game", "openspiel/kuhn_poker"),
    ],
)
def test_only_what_plays_makes_a_store(capsys, tmp_path, words):
    code, out, err = run(capsys, *words, "--db", f"sqlite:///{tmp_path}/no/x.db")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "/no/x.db does not exist; `arena tournament FILE.toml --db" in err
    assert list(tmp_path.iterdir()) == []


def test_the_meta_game_goes_to_a_file_or_to_the_screen(capsys, url, tmp_path):
    of_game = ("board", "--db", url, "--metagame", "--game", "openspiel/tic_tac_toe")
    for name in ("m.json", "m.csv"):
        said = run(capsys, *of_game, "--out", str(tmp_path / name))
        assert said == (0, "", f"wrote {tmp_path / name}\n")
    cells = json.loads((tmp_path / "m.json").read_text())["cells"]
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text().splitlines()))
    assert [(c["player"], c["opponent"], c["games"]) for c in cells] == [
        (r["player"], r["opponent"], float(r["games"])) for r in rows
    ]
    assert {p["player"] for p in json.loads(run(capsys, *of_game, "--json")[1])["players"]} == {"mcts", "random"}
    code, out, err = run(capsys, *of_game, "--out", str(tmp_path / "m.gif"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    code, out, err = run(capsys, "board", "--db", url, "--metagame")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "add --game openspiel/kuhn_poker or openspiel/tic_tac_toe" in err
    assert "--out needs --metagame" in run(capsys, "board", "--db", url, "--out", "x.csv")[2]


def test_a_rule_about_nobody_is_one_line(capsys, tmp_path):
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(db=tmp_path / "t.db").replace('against = "random"', 'against = "rndom"'))
    code, out, err = run(capsys, "tournament", str(file))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "stop.sprt.against: no player is called 'rndom'; players: mcts, random" in err
    file.write_text(TOURNAMENT.format(db=tmp_path / "t.db").replace("matches = 24", "match = 24"))
    assert "unknown key 'stop.match'; did you mean 'matches'?" in run(capsys, "tournament", str(file))[2]
    assert not (tmp_path / "t.db").exists()


def test_a_changed_rule_is_kept_with_the_run(capsys, url, tmp_path):
    file = tmp_path / "t.toml"
    file.write_text(file.read_text().replace("matches = 24", "matches = 40"))
    assert run(capsys, "tournament", str(file), "--json")[0] == 0
    with Store.open(url, read_only=True) as store:
        assert store.run().spec.stop.matches == 40
        stops = [e.text for e in store.events(store.run()) if e.kind == "stop"]
    assert stops == ["stopped: 24 matches played of at most 24", "stopped: 40 matches played of at most 40"]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_training_without_torch_says_what_to_type(capsys, monkeypatch, more):
    from arena.inference import models

    monkeypatch.setattr(models.importlib.util, "find_spec", lambda package: None)
    code, out, err = run(capsys, "train", "t.toml", *more)
    assert (code, out) == (2, "")
    assert err == "arena: a training needs the package 'torch'; type: pip install 'selfplay-arena[llm]'\n"


def test_the_invariance_gap_is_printed_or_json(capsys):
    words = ("eval", "random", "--game", "openspiel/kuhn_poker", "--wordings", "3")
    assert "gap: two wordings differ on average by 0.0000" in run(capsys, *words)[1]
    report = json.loads(run(capsys, *words, "--seed", "7", "--json")[1])
    assert report["gap"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert [row["game"] for row in report["wordings"]] == [f"veil-v1(words={n})" for n in (8, 9, 10)]


@pytest.mark.parametrize("words", [("--against", "random"), ("--game", "bargain"), ("--suite", "arithmetic")])
def test_wordings_of_what_has_none(capsys, words):
    code, out, err = run(capsys, "eval", "random", "--game", "openspiel/kuhn_poker", "--wordings", "3", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_bound_on_exploitability_is_printed_or_json_after_its_budget(capsys):
    words = ("exploit", "random", "--game", "openspiel/kuhn_poker", "--budget", "2000")
    code, out, err = run(capsys, *words)
    assert code == 0
    assert err.startswith(
        "random in openspiel/kuhn_poker: asks for probabilities at 12 decisions and plays at most 2,000"
    )
    assert "with 99.9% confidence" in out
    report = json.loads(run(capsys, *words, "--json")[1])
    assert 0.3 < report["exploitability_low"] < 0.458


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("random", "--game", "taboo"), "not a game of OpenSpiel"),
        (("random", "--game", "openspiel/kuhn_poker", "--budget", "3"), "needs at least 40"),
        (("solver", "--game", "openspiel/matrix_rps"), "its moves are simultaneous"),
    ],
)
def test_exploit_says_in_one_line_what_it_cannot_certify(capsys, words, reason):
    code, out, err = run(capsys, "exploit", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_a_player_is_compared_with_each_opponent_at_every_look(capsys, url):
    code, out, err = run(capsys, "board", "--db", url, "--player", "mcts")
    assert code == 0, err
    assert "random" in out
    assert "at every look" in out
    one = json.loads(run(capsys, "board", "--db", url, "--player", "mcts", "--json")[1])["opponents"][0]
    assert one["player"] == "random"
    assert 0.0 <= one["low"] < one["share"] < one["high"] <= 1.0
    assert "unknown player 'mct'" in run(capsys, "board", "--db", url, "--player", "mct")[2]
