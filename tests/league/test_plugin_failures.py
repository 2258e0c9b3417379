"""A plugin that fails is named with its file and line, and never called a bug of the arena."""

import pytest

from arena.cli import main
from games import plugins
from tests import golden

TOURNAMENT = golden.text(__file__, "plugin_failures_tournament.toml")
MATCHMAKER = golden.text(__file__, "plugin_failures_matchmaker.py.txt")
RATING = golden.text(__file__, "plugin_failures_rating.py.txt")
NAN = """def snapshot(self, run, matches):
        from league.records.leaderboard import Leaderboard
        row = Standing("a", 1, float("nan"), 0.0, 1.0, 1, 1, 0, 0, 0)
        return Leaderboard(run, (row,), {}, {}, matches)"""
PLAYER = golden.text(__file__, "plugin_failures_player.py.txt")
GAME = golden.text(__file__, "plugin_failures_game.py.txt")
NO_TABLE = """def snapshot(self, run, matches):
        from league.records.leaderboard import Leaderboard
        return Leaderboard(run, None, {}, {}, matches)"""
CASES = [
    ("pairing", MATCHMAKER, 'return [Pairing("chess", ("a", "b"))]', "round 0: a pairing names the game 'chess'", 1),
    (
        "pairing",
        MATCHMAKER,
        'return [Pairing(next(iter(field.games)), ("a", "zoe"))]',
        "names the player 'zoe'; the",
        1,
    ),
    ("pairing", MATCHMAKER, 'return ("a", "b")', "next returned a list that contains 'a'; use league.matchm", 1),
    ("pairing", MATCHMAKER, 'return {"a": "b"}["c"]', "failed in round 0: KeyError: 'c' (bad.py, line 8)", 1),
    ("pairing", MATCHMAKER, "return []", "no pairing in 1,000 rounds from 0 on", 1),
    ("pairing", MATCHMAKER, "return 3 if round < 1 else None", "return a list of Pairing(game, players)", 1),
    (
        "method",
        RATING,
        "def add(self, results): 1 / 0",
        "failed in add: ZeroDivisionError: division by zero (bad.py, l",
        1,
    ),
    ("method", RATING, NAN, "snapshot returned a rating of nan from 0.0 to 1.0 for 'a'; ratings are finite numbers", 1),
    ("method", RATING, NO_TABLE, "snapshot().standings returned None; it returns a tuple of", 1),
    ("method", RATING, "def snapshot(self, run, matches): return None", "snapshot returned None; it returns a", 1),
    ("player", PLAYER, "pass", "player 'bad' of", 2),
    ("game", GAME, "def reset(self, seed): 1 / 0", "division by zero (in the plugin bad.py, line 7; ", 1),
    ("game", GAME, "def apply(self, actions): raise SystemExit", "the plugin bad.py, line 7 exits the process", 1),
    ("pairing", MATCHMAKER, "raise GeneratorExit", "GeneratorExit: (in the plugin bad.py, line 8;", 1),
    ("pairing", MATCHMAKER, "exit(0)", "failed in round 0: SystemExit: 0 (bad.py, line 8)", 1),
    ("game", GAME, "def apply(self, actions): return {}[1]", "the game failed: KeyError: 1 (bad.py, line 7)", 1),
]


@pytest.mark.parametrize(("key", "text", "body", "said", "code"), CASES, ids=range(len(CASES)))
def test_a_tournament_names_the_plugin_that_failed(tmp_path, capsys, key, text, body, said, code):
    (tmp_path / "bad.py").write_text(text.format(body=body))
    used = {"pairing": "round-robin", "method": "trueskill", "player": "random", "game": "openspiel/kuhn_poker"}
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(folder=tmp_path, **used | {key: "bad"}))
    assert main(["tournament", str(file), "--board", "plain"]) == code
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in error
    assert "bad.py" in error
    assert "a bug of the arena" not in error


def test_a_run_that_a_matchmaker_ends_is_interrupted_also_when_it_is_resumed(tmp_path, capsys):
    body = 'if round: raise ValueError\n        return [Pairing(game, ("a", "b")) for game in field.games]'
    (tmp_path / "bad.py").write_text(MATCHMAKER.format(body=body))
    used = {"pairing": "bad", "method": "trueskill", "player": "random", "game": "openspiel/kuhn_poker"}
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(folder=tmp_path, **used))
    for _ in range(2):
        assert main(["tournament", str(file), "--board", "plain"]) == 1
        capsys.readouterr()
        assert main(["runs", "--db", f"sqlite:///{tmp_path}/t.db"]) == 0
        assert " interrupted " in capsys.readouterr().out


TRAINING = golden.text(__file__, "plugin_failures_training.toml")
ADVANTAGE = golden.text(__file__, "plugin_failures_advantage.py.txt")
LOSS = golden.text(__file__, "plugin_failures_loss.py.txt")
ROLE = golden.text(__file__, "plugin_failures_role.py.txt")
LEARNING = [
    ("advantage", ADVANTAGE, "return np.zeros(3)", "array of shape (3,) for"),
    ("advantage", ADVANTAGE, "return np.full(len(credits), np.nan)", "advantages returned nan at index 0"),
    ("advantage", ADVANTAGE, "return credits[0].nothing", "failed in advantages: AttributeError"),
    ("loss", LOSS, "return tokens.logp", "returned Tensor; it must return losses"),
    ("loss", LOSS, "return tokens.logp.sum(), tokens.logp > 0", "returned shapes () and ("),
    ("loss", LOSS, "return tokens.logp * float('nan'), tokens.logp > 0", "returned a loss that is not finite"),
    ("loss", LOSS, "raise KeyError(1)", "failed: KeyError: 1 (bad.py, line 7)"),
    (
        "loss",
        LOSS,
        "return tokens.logp, tokens.logp > 0\n    def prepare(self, tokens): return 1",
        "prepare returned int; it must return a dict",
    ),
    ("role", ROLE, "def task(self, episode, seat, phase): return None", "task returned None; it returns the task as"),
    ("role", ROLE, "def turn_rewards(self, *_): return [float('nan')]", "turn_rewards returned [nan]; it returns None"),
    ("role", ROLE, "def credit(self, episode, seat): return {}[seat]", "failed in credit: KeyError: 'player_"),
    ("role", ROLE, "def credit(self, episode, seat): return None", "credit returned None; it returns a finite number"),
    ("role", ROLE, "def messages(self, *turn): 1 / 0", "in messages: ZeroDivisionError: division by zero (bad.py"),
    ("role", ROLE, "def messages(self, *turn): return 'hello'", "messages returned 'hello'; it returns a list of"),
]


@pytest.mark.parametrize(("key", "text", "body", "said"), LEARNING, ids=range(len(LEARNING)))
def test_a_training_names_the_plugin_that_failed(tmp_path, capsys, key, text, body, said):
    (tmp_path / "bad.py").write_text(text.format(body=body))
    file = tmp_path / "t.toml"
    file.write_text(TRAINING.format(folder=tmp_path, **{"advantage": "rae", "loss": "ppo"} | {key: "bad"}))
    assert main(["train", str(file), "--board", "plain"]) == 1
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in error
    assert "bad.py" in error
    assert "a bug of the arena" not in error


def test_an_error_that_nobody_foresaw_is_the_plugins_if_it_comes_from_there(tmp_path, capsys):
    (tmp_path / "bad.py").write_text(
        PLAYER.format(body="def act(self, view): ...\n    def supports(self, game):\n        return {}[1]")
    )
    assert main(["play", "openspiel/kuhn_poker", "bad", "random", "--plugin", str(tmp_path / "bad.py")]) == 1
    assert "KeyError: 1 (in the plugin bad.py, line 8; `arena -v ...` shows where)" in capsys.readouterr().err


def test_a_player_that_fails_forfeits_with_its_line(tmp_path, capsys):
    (tmp_path / "bad.py").write_text(PLAYER.format(body="def act(self, view): return {}[view.seat]"))
    assert main(["play", "openspiel/kuhn_poker", "bad", "random", "--plugin", str(tmp_path / "bad.py")]) == 0
    assert "forfeit: error: KeyError: 'player_0' (bad.py, line 6)" in capsys.readouterr().out
    assert plugins.loaded_files()
