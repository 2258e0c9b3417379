"""The command as a user calls it."""

import json
import re
import signal
import subprocess
import sys

import pytest

import games
import roles
from arena import MatchPlan, players
from arena.cli.show import replay_lines
from arena.cli.verb_groups import GROUPS
from arena.match import decode, encode, play
from games import papers as game_papers
from games.native import NATIVE, NO_PAPER, PAPERS
from games.plugins import BUILTIN, entry
from roles import native as native_roles
from roles import papers as role_papers
from roles.registry import ROLES
from tests import golden
from tests.arena.cli.command import run, unread


@pytest.mark.parametrize(
    ("words", "message"), golden.lists(__file__, "command_wrong_input_is_one_line_and_exit_code_2")
)
def test_wrong_input_is_one_line_and_exit_code_2(capsys, words, message):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_lists_are_printed_plainly_or_as_json(capsys):
    code, out, _ = run(capsys, "games")
    listed = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert code == 0
    assert {"bargain-v1", "openspiel/kuhn_poker", "pettingzoo/connect_four_v3"} <= set(listed)
    assert json.loads(run(capsys, "games", "--json")[1]) == listed
    assert re.search(r"(?m)^mcts +Monte Carlo tree search", run(capsys, "players")[1])


@pytest.mark.parametrize(("verb", "id", "paper"), [("games", "prefer-v2", "SPO"), ("roles", "refiner", "SCoRe")])
def test_lists_cite_papers_in_80_columns(capsys, verb, id, paper):
    code, out, _ = run(capsys, verb)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(rf"(?m)^{id} +{paper}, \d{{4}}\.\d{{5}}", out)
    assert not re.search(r"(?m)^ +\d{4}\.\d{5}", out)  # a paper is not split


def test_every_game_and_role_with_papers_exists():
    games_known = {re.sub(r"-v\d+$", "", id) for id in games.ids()}
    assert {name for name in PAPERS if name not in games_known} == set()
    assert {name for name in game_papers._COLLECTIONS if not any(g.startswith(name) for g in games_known)} == set()
    named = native_roles.NATIVE.keys() | native_roles.PAPERS.keys()
    assert named <= set(roles.ids())
    assert all(role_papers.papers_of_role(name) for name in named)


def test_every_native_game_and_role_names_a_paper_or_says_that_it_has_none():
    bases = {re.sub(r"-v\d+$", "", id) for id in NATIVE}
    assert {base for base in bases if not game_papers.papers_of_game(f"{base}-v0")} == NO_PAPER
    assert {
        name
        for name, entry in ROLES.entries().items()
        if entry.origin == BUILTIN and not role_papers.papers_of_role(name)
    } == role_papers.NO_PAPER


def test_a_broken_plugin_is_warned_of_and_left_out_of_the_list(capsys, caplog):
    def load():
        raise ImportError("no module named cards")

    entry.registered.setdefault("arena.games", {})["torn-v0"] = entry.PluginEntry("torn-v0", "package torn", load)
    out = run(capsys, "games")[1].split()
    assert "torn-v0" not in out
    assert "bargain-v1" in out
    assert "plugin 'torn-v0' of package torn is skipped: ImportError: no module named cards" in caplog.text


def test_a_match_is_shown_as_it_is_played(capsys):
    code, out, _ = run(capsys, "play", "openspiel/tic_tac_toe", "mcts(simulations=20)", "random", "--seed", "5")
    assert code == 0
    assert "-- turn 1, player_0 (mcts(simulations=20)) sees:" in out
    assert "   plays: x(" in out
    assert out.rstrip().splitlines()[-3].startswith("== finished")


def test_players_may_be_given_by_seat(capsys):
    words = ["play", "bargain-v1", "buyer=policy(name=haggler)", "seller=random", "--json"]
    assert decode(run(capsys, *words)[1].encode()).seats == {"seller": "random", "buyer": "policy(name=haggler)"}


def test_a_match_as_json_is_its_whole_record(capsys):
    _, first, _ = run(capsys, "play", "openspiel/kuhn_poker", "random", "--seed", "3", "--json")
    _, second, _ = run(capsys, "play", "openspiel/kuhn_poker", "random", "--seed", "3", "--json")
    one, two = decode(first.encode()), decode(second.encode())
    assert [t.action for t in one.turns] == [t.action for t in two.turns]
    assert sum(one.returns.values()) == 0


def test_a_reader_that_leaves_is_no_fault_of_anybody():
    assert unread("play", "openspiel/tic_tac_toe", "random") == (0, "")
    assert unread("play", "openspiel/matrix_rps", "random", "--json") == (0, "")
    assert unread("games") == (0, "")


def test_another_pipe_that_breaks_is_told(capsys, monkeypatch):
    def torn():
        raise BrokenPipeError("a worker went away")

    monkeypatch.setattr("games.ids", torn)
    assert run(capsys, "games")[::2] == (
        1,
        "arena: BrokenPipeError: a worker went away (a bug of the arena; `arena -v ...` shows where)\n",
    )


def _faulty_template():
    import jinja2

    jinja2.Environment().from_string("{{ raise_exception('no system role') }}").render()


def _missing_folder():
    open("/nowhere/at/all")  # noqa: SIM115  it raises


def _no_memory():
    raise MemoryError


def _own_fault():
    raise KeyError("seat")


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (
            _faulty_template,
            "UndefinedError: 'raise_exception' is undefined (in the package jinja2; `arena -v ...` shows",
        ),
        (_missing_folder, "the system refuses to go on: No such file or directory: /nowhere/at/all; see to it, then"),
        (_no_memory, "the system refuses to go on: no memory is left; see to it, then type the command again"),
        (_own_fault, "KeyError: 'seat' (a bug of the arena; `arena -v ...` shows where)"),
    ],
)
def test_only_a_fault_of_the_arena_is_called_its_bug(capsys, monkeypatch, fails, told):
    monkeypatch.setattr("games.ids", fails)
    code, _, err = run(capsys, "games")
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith(f"arena: {told}")


def test_without_a_verb_the_help_is_shown(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: arena [OPTIONS] COMMAND")
    assert out == run(capsys, "--help")[1]


def test_games_are_found_by_a_word(capsys):
    code, out, _ = run(capsys, "games", "--search", "one of them, the spy")
    assert code == 0
    assert re.match(r"spy-v2  4 players     zero-sum\n    Players give clues", out)
    code, _, err = run(capsys, "games", "--search", "xyzzy\x1b")
    assert code == 2
    assert "no game contains 'xyzzy\\x1b'" in err
    assert json.loads(run(capsys, "games", "--search", "spy-v2", "--json")[1])[0]["players"] == "4"


def test_the_help_lists_every_verb_in_a_group(capsys):
    out = run(capsys, "--help")[1]
    assert re.findall(r"^(\w[\w ]+):$", out, re.MULTILINE) == ["Options", *GROUPS]
    assert out.index("Tournaments:") < out.index("  duel ") < out.index("Training:")


def test_check_says_what_it_checked(capsys):
    code, out, _ = run(capsys, "check", "openspiel/kuhn_poker")
    assert code == 0, out
    assert "kuhn_poker" in out


NOISY = """
print("loaded")
from arena import players
from arena.players.bots.random import RandomPlayer

@players.register("noisy")
class Noisy(RandomPlayer):
    def act(self, view):
        if view.turn == 1:
            raise KeyboardInterrupt
        print("thinks")
        return super().act(view)
"""


@pytest.mark.parametrize(
    ("redirection", "code", "said"), [(">&-", 0, ""), (">/dev/full", 1, "No space left on device")]
)
def test_an_output_that_cannot_be_written_is_no_bug_of_the_arena(redirection, code, said):
    shell = f"{sys.executable} -m arena players {redirection}"
    ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert said in ended.stderr
    assert ended.stderr.count("\n") == bool(said)


def test_what_a_plugin_prints_is_no_part_of_the_result(capsys, tmp_path):
    (tmp_path / "noisy.py").write_text(NOISY)
    words = ("play", "openspiel/kuhn_poker", "noisy", "random", "--plugin", str(tmp_path / "noisy.py"), "--json")
    code, out, err = run(capsys, *words)
    assert (code, json.loads(out)["turns"][0]["player"]) == (0, "noisy")
    assert set(err.split()) == {"loaded", "thinks"}


def test_an_interrupt_in_a_plugin_names_the_line_that_it_stopped(capsys, tmp_path):
    (tmp_path / "noisy.py").write_text(NOISY)
    code, _, err = run(capsys, "play", "openspiel/kuhn_poker", "noisy", "--plugin", str(tmp_path / "noisy.py"))
    assert (code, err.splitlines()[-1]) == (130, "arena: interrupted in the plugin noisy.py, line 10")


TOURNAMENT = golden.text(__file__, "command_tournament.toml")


def test_a_tournament_from_its_file_to_its_exports(capsys, tmp_path):
    db, file = tmp_path / "runs" / "t.db", tmp_path / "t.toml"
    file.write_text(TOURNAMENT.format(db=db))
    url = f"sqlite:///{db}"
    code, out, err = run(capsys, "tournament", str(file), "--json")
    assert code == 0, err
    played = json.loads(out)
    assert played["matches"]["finished"] == 12
    assert {row["player"] for row in played["standings"]} == {"mcts", "random"}

    board = json.loads(run(capsys, "board", "--db", url, "--json")[1])
    assert board["standings"] == played["standings"]
    assert {k: board["matches"][k] for k in ("planned", "finished", "void")} == {
        "planned": 12,
        "finished": 12,
        "void": 0,
    }
    keys = {"player", "rank", "rating", "low", "high", "games", "wins", "draws", "losses", "forfeits"}
    assert all(keys <= set(row) for row in board["standings"])
    assert "mcts" in run(capsys, "board", "--db", url, "--game", "openspiel/kuhn_poker")[1]
    assert run(capsys, "board", "--db", url, "--game", "openspiel/chess")[0] == 2
    of_game = ("board", "--db", url, "--metagame", "--game", "openspiel/tic_tac_toe")
    assert "Nash mix: mcts 100%" in run(capsys, *of_game)[1]

    code, out, _ = run(capsys, "replay", "0", "--db", url)
    assert code == 0
    assert "-- turn 1" in out
    assert "== finished" in out
    assert run(capsys, "replay", "99", "--db", url)[0] == 2

    lines = run(capsys, "export", "--format", "jsonl", "--db", url)[1].splitlines()
    assert [decode(line.encode()).status for line in lines] == ["finished"] * 12
    assert run(capsys, "export", "--format", "pgn", "--db", url)[1].count("[Game ") == 12
    assert "identical" in run(capsys, "rebuild", "--db", url)[1]

    run(capsys, "tournament", str(file), "--json")
    assert json.loads(run(capsys, "board", "--db", url, "--json")[1]) == board


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom arena.cli import main\nmain(['--help'])\n"
        "heavy = {'torch', 'transformers', 'pyspiel', 'pettingzoo', 'sqlalchemy', 'scipy', 'numpy', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tournament" in done.stdout
    assert done.stderr.strip() == "[]"


def test_ctrl_c_while_the_command_is_loading_is_one_line(tmp_path):
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from arena.cli import main; sys.exit(main(['games']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "arena: interrupted\n")


@pytest.mark.parametrize("task", ["", "1 + 1"])
def test_a_replay_plays_on_the_task_of_the_match(task):
    game, player = games.make("psj-v1(solvers=2,size=2)"), players.make("random")
    plan = MatchPlan("m", game.spec.id, 4, dict.fromkeys(game.spec.seats, "random"), task)
    episode = decode(encode(play(game, plan, dict.fromkeys(game.spec.seats, player))))
    assert episode.task == task
    lines = list(replay_lines(episode))
    assert any("proposer (random) sees" in line for line in lines) == (not task)
    assert sum("plays: " in line for line in lines) == len(episode.turns)
    assert any("solver_0 (random) sees" in line for line in lines)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_modules_load_is_one_line(number):
    """The signal comes when the arena's own modules begin to load."""
    program = (
        "import importlib.abc, os, sys; from arena.cli import main\n"
        "class Signals(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'arena.cli.verbs': os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Signals()); sys.exit(main(['games']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "arena: interrupted\n")
