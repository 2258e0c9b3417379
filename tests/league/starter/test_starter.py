"""`arena init`: the files it writes run, and name only what exists."""

import json
import logging
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import hypothesis.strategies as st
import pytest
import typer
from hypothesis import given

from arena.scaffold import write_plugin
from games import InputError, plugins
from games.naming import Name
from league import load_tournament, load_training
from league.cli.init import NAMES
from league.starter import PURPOSES, StarterAnswers, player_name, write_file
from league.starter.answers import named_players, split_ids
from tests import golden
from tests.arena.cli.command import run
from tests.arena.players.endpoint.server import says, serving

KUHN, THREE = "openspiel/kuhn_poker", "openspiel/kuhn_poker(players=3)"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_tournament_with_the_defaults_runs(capsys):
    """Without the language model, which other tests load."""
    words = ["--yes", "--player", "mcts(simulations=10)", "--player", "random", "--rounds", "2"]
    assert run(capsys, "init", *words)[0] == 0
    assert sorted(p.name for p in Path().iterdir()) == ["my-tournament.toml", "tournament.schema.json"]
    code, out, err = run(capsys, "tournament", "my-tournament.toml", "--json")
    assert code == 0, err
    assert json.loads(out)["matches"]["finished"] == 8
    assert Path("runs/my-tournament.db").is_file()


def test_the_command_lists_every_purpose():
    assert tuple(PURPOSES) == NAMES


@pytest.mark.parametrize("purpose", PURPOSES)
def test_each_purpose_writes_a_valid_file(purpose, capsys):
    kind = PURPOSES[purpose].answers().kind
    code, out, _ = run(capsys, "init", purpose, "--yes", "--file", "sub/f.toml")
    assert code == 0
    assert (
        out.splitlines()[-1] == {"tournament": "  arena tournament", "training": "  arena train"}[kind] + " sub/f.toml"
    )
    assert Path("sub/f.toml").read_text().startswith(f"#:schema ./{kind}.schema.json\n")
    assert Path(f"sub/{kind}.schema.json").is_file()
    load = load_tournament if kind == "tournament" else load_training
    assert load("sub/f.toml").games


SLOW = ("tournament", "lora", "textarena")  # they load SmolLM2


@pytest.mark.parametrize(
    "purpose", [pytest.param(p, marks=[pytest.mark.slow] if p in SLOW else []) for p in PURPOSES if p != "endpoint"]
)
def test_each_purpose_runs_without_a_warning(purpose, capsys, caplog):
    assert run(capsys, "init", purpose, "--yes", "--rounds", "1", "--file", "f.toml")[0] == 0
    text = re.sub(r"matches_per_step = \d+", "matches_per_step = 8", Path("f.toml").read_text())
    Path("f.toml").write_text(text.replace("matches = 20", "matches = 2").replace("simulations=100", "simulations=2"))
    verb = "train" if "[policy]" in text else "tournament"
    code, _, err = run(capsys, verb, "f.toml", "--board", "plain")
    assert code == 0, err
    assert "longest prompt" not in err
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_an_endpoint_has_a_budget_and_a_seed_that_it_cannot_know(capsys, caplog):
    pytest.importorskip("openai")
    assert run(capsys, "init", "endpoint", "--yes", "--rounds", "1", "--file", "f.toml")[0] == 0
    config = load_tournament("f.toml")
    assert (config.seed, config.budget.tokens) == (None, 1_000_000)
    with serving(says("\\boxed{Pass}")) as server:
        text = Path("f.toml").read_text().replace("http://localhost:8000/v1", server.url)
        Path("f.toml").write_text(
            text.replace("simulations=100", "simulations=2").replace(', "openspiel/tic_tac_toe"', "")
        )
        assert run(capsys, "tournament", "f.toml", "--board", "plain")[0] == 0
        assert len(server.asked) > 2
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_a_pretrained_model_learns_with_an_adapter(capsys):
    assert run(capsys, "init", "training", "--yes", "--model", "smollm2-135m", "--file", "f.toml")[0] == 0
    config = load_training("f.toml")
    assert (config.policy.lora, config.policy.dtype) == (16, "auto")
    assert config.optimizer.lr == 1.5e-4


def test_a_model_writes_in_games_of_free_text(capsys):
    for purpose in ("lora", "tournament"):
        assert run(capsys, "init", purpose, "--yes", "--game", "taboo", "--file", f"{purpose}.toml")[0] == 0
    policy = load_training("lora.toml").policy
    assert (policy.decode, policy.max_tokens) == ("free", 64)
    model = load_tournament("tournament.toml").players[0].player
    assert model.startswith("llm(") == ("decode=free" in model)


@pytest.mark.parametrize(("kind", "left"), [("tournament", {"random"}), ("training", {"random"})])
def test_suggested_players_can_play_the_chosen_game(kind, left, capsys):
    """`mcts` and `solver` need OpenSpiel's states."""
    code, _, err = run(capsys, "init", kind, "--yes", "--game", "taboo", "--file", "t.toml")
    assert code == 0, err
    table = tomllib.loads(Path("t.toml").read_text())
    made = table["players" if kind == "tournament" else "anchors"]
    others = {p["player"] for p in made if not p["player"].startswith("llm")}
    assert others - {"policy(name=competent)"} == left
    assert len(made) == 1 + (kind == "tournament")


def test_a_player_that_can_play_nothing_is_named(capsys):
    code, _, err = run(capsys, "init", "--yes", "--game", "taboo", "--player", "solver")
    assert code == 2
    assert "solver can play none of the games: it has no OpenSpiel state to solve; `arena players` lists" in err


def test_options_replace_the_defaults(capsys):
    words = ["--name", "my cup", "--game", THREE, "--game", KUHN, "--player", "exact=solver", "--player", "random"]
    assert run(capsys, "init", "tournament", "-y", "-f", "t.toml", "--rounds", "3", *words)[0] == 0
    config = load_tournament("t.toml")
    assert (config.name, config.games, config.rounds) == ("my cup", (THREE, KUHN), 3)
    assert [(p.name, p.player, p.games) for p in config.players] == [
        ("exact", "solver", (KUHN,)),  # it solves games of two players
        ("random", "random", None),
    ]


def test_a_plugin_is_named_in_the_file(capsys, tmp_path):
    plugins.forget()
    made = write_plugin("game", "piles", tmp_path / "plugins")
    plugins.forget()
    words = ["--plugin", str(made.file), "--game", "piles", "--player", "random", "--player", "b=random"]
    assert run(capsys, "init", "--yes", "--file", "files/t.toml", *words)[0] == 0
    plugins.forget()
    assert load_tournament("files/t.toml").plugins == ("../plugins/piles.py",)
    assert run(capsys, "tournament", "files/t.toml", "--json")[0] == 0


def test_the_questions(capsys, monkeypatch):
    asked: list[str] = []
    answers: Iterator[str] = iter(
        ["both", "training", "t", "openspiel/nothing", KUHN, "rndom", "random, mcts(simulations=9,uct_c=1)", "x", "5"]
    )

    def prompt(text, default):
        asked.append(text)
        return next(answers)

    monkeypatch.setattr(typer, "prompt", prompt)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    code, _, err = run(capsys, "init", "--model", "tiny")
    assert code == 0, err
    assert [line.strip()[:22] for line in err.splitlines()][:4] == [
        "unknown purpose 'both'",
        "unknown game 'openspie",
        "unknown player 'rndom'",
        "invalid literal for in",
    ]
    assert len(asked) == 9
    config = load_training("t.toml")
    assert (config.steps, config.policy.model) == (5, "tiny")
    assert [(a.name, a.player) for a in config.anchors] == [
        ("random", "random"),
        ("mcts-9", "mcts(simulations=9,uct_c=1)"),
    ]


@pytest.mark.parametrize(("words", "message"), golden.lists(__file__, "starter_wrong_answers_write_nothing"))
def test_wrong_answers_write_nothing(words, message, capsys):
    code, out, err = run(capsys, "init", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(Path().iterdir()) == []


def test_a_file_is_not_overwritten():
    Path("mine.toml").write_text("precious")
    with pytest.raises(InputError, match=r"mine\.toml exists already"):
        write_file(PURPOSES["bots"].answers(), Path("mine.toml"))
    assert Path("mine.toml").read_text() == "precious"


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_any_name_is_written_so_that_it_can_be_read(name):
    """Or it is refused, and nothing is written."""
    file = Path("any.toml")
    file.unlink(missing_ok=True)
    answers = StarterAnswers("tournament", name, (KUHN,), ("random", "b=random"), 1)
    try:
        write_file(answers, file)
    except InputError:
        assert not file.exists()
    else:
        assert tomllib.loads(file.read_text())["name"] == name


def test_names_of_players():
    assert named_players(["learn@40", "b=learn@0"]) == [("learn@40", "learn@40"), ("b", "learn@0")]
    assert player_name("random", ["random"]) == "random-2"
    assert player_name("random", ["random", "random-2"]) == "random-3"
    assert player_name("llm(model=/models/my model/)") == "my-model"
    assert player_name("llm(model='tiny(layers=1)')") == "tiny"
    assert player_name(str(Name("openai", {"model": "gpt", "base_url": "http://x/v1"}))) == "gpt"
    assert split_ids(" a(b=1,c=(2,3)) ,d,, ") == ("a(b=1,c=(2,3))", "d")
