"""`arena info`: every name has a description, a source and parameters with defaults that can be typed."""

import json
from importlib import import_module
from pathlib import Path

import pytest

import games
from games import plugins
from games.naming import Name, parse_name
from league.info import find, find_items, item_lines, names_by_kind
from tests import golden
from tests.arena.cli.command import run

PLUGIN = golden.text(__file__, "info_plugin.py.txt")


def test_every_name_but_those_of_games_is_described():
    for kind, names in names_by_kind().items():
        for name in names:
            (item,) = find_items(name, kind)
            assert (item.kind, item.id) == (kind, name)
            assert item.about, f"{kind} {name} has no docstring"
            path, _, line = item.source.rpartition(":")
            assert Path(path).is_file()
            assert int(line) > 0
            for parameter in item.parameters:
                if parameter.default is not None:
                    text = str(Name(name, {parameter.name: parameter.default}))
                    assert parse_name(text).params == {parameter.name: parameter.default}


@pytest.mark.parametrize("id", [id for id in games.ids() if "/" not in id])
def test_native_games_tell_seats_rules_and_parameters(id):
    (item,) = find_items(id)
    assert item.game is not None
    assert item.problem == ""
    assert item.game.seats == dict(games.make(id).spec.seats)
    path, _, line = item.source.rpartition(":")
    assert path.endswith(".py")
    assert int(line) > 0
    printed = " ".join(" ".join(item_lines(item)).split())
    assert " ".join(item.game.rules.split()) in printed


def test_an_id_with_parameters_describes_that_game():
    (item,) = find_items("openspiel/kuhn_poker(players=3)")
    assert item.id == "openspiel/kuhn_poker(players=3)"
    assert item.game is not None
    assert len(item.game.seats) == 3


def test_a_game_that_cannot_be_made_still_tells_its_parameters():
    (item,) = find_items("openspiel/kuhn_poker(players=99)")
    assert item.problem == "openspiel/kuhn_poker is for 2 to 10 players, not 99"
    assert [p.name for p in item.parameters] == ["players"]


def test_an_example_lacks_no_required_parameter():
    for kind, names in names_by_kind().items():
        for item in (item for name in names for item in find_items(name, kind)):
            required = {parameter.name for parameter in item.parameters if parameter.required}
            for line in item_lines(item):
                if line.startswith("example  "):
                    assert required <= set(parse_name(line.removeprefix("example  ")).params)


def test_one_name_of_several_kinds(capsys):
    assert [item.kind for item in find_items("random")] == ["player", "matchmaker"]
    code, out, _ = run(capsys, "info", "random", "--kind", "matchmaker", "--json")
    (item,) = json.loads(out)
    assert code == 0
    assert item["kind"] == "matchmaker"
    batch = next(p for p in item["parameters"] if p["name"] == "batch")
    assert (batch["allowed"], batch["default"], batch["required"]) == ("a whole number >= 1", 32, False)
    assert "about `batch` matches" in batch["about"]


def test_a_plugin_file_is_named_as_the_origin(capsys, tmp_path):
    plugins.forget()
    file = tmp_path / "heap.py"
    file.write_text(PLUGIN)
    code, out, err = run(capsys, "info", "heap", "--plugin", str(file))
    assert code == 0, err
    assert out.startswith("game heap-v0\n\n  One heap.\n")
    assert "  size  a whole number >= 2  default 5\n      of the heap" in out
    assert f"source   {file}:9 ({file})" in out
    check = out.splitlines()[-1].removeprefix("check    arena ")
    assert check == f"check heap-v0 --plugin {file}"  # what the reader types next


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "nix"], "did you mean"),
        (["info", "random", "--kind", "engine"], "unknown kind 'engine'; allowed: game, role"),
        (["info", "mcts", "--kind", "role"], "unknown role 'mcts'"),
    ],
)
def test_wrong_names(capsys, words, message):
    code, out, err = run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_without_an_id_the_names_are_listed(capsys):
    out = run(capsys, "info")[1]
    assert "matchmaker  find-best, " in out
    assert {"ppo", "reinforce"} <= set(json.loads(run(capsys, "info", "--json")[1])["loss"])


def test_without_torch_the_rest_is_still_told(capsys, monkeypatch):
    def without_torch(module: str) -> object:
        if module.startswith("arena.learner"):
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return import_module(module)

    monkeypatch.setattr(find, "import_module", without_torch)
    code, out, _ = run(capsys, "info", "--json")
    assert code == 0
    assert json.loads(out)["loss"] == []
    assert "mcts" in json.loads(out)["player"]
    code, _, err = run(capsys, "info", "ppo", "--kind", "loss")
    assert (code, err) == (2, "arena: the loss needs the package 'torch'; type: pip install 'selfplay-arena[llm]'\n")


def test_a_wrong_parameter_is_named(capsys):
    out = run(capsys, "info", "llm(modle=x)")[1]
    assert "problem  unknown llm parameter 'modle'; did you mean 'model'" in out
    assert "problem  llm(memory=3): memory must be true or false" in run(capsys, "info", "llm(memory=3)")[1]
    assert "problem" not in run(capsys, "info", "llm(model=x)")[1]
    assert (
        "problem  ppo takes no parameters; leave out 'config'"
        in run(capsys, "info", "ppo(config=x)", "--kind", "loss")[1]
    )


def test_games_and_roles_tell_their_papers(capsys):
    (game,) = find_items("taboo-v2", "game")
    (role,) = find_items("attacker", "role")
    assert game.papers == role.papers == ("SPAG, 2404.10642",)
    assert "papers   SPAG, 2404.10642" in run(capsys, "info", "taboo-v2")[1].splitlines()
    assert find_items("solve-v1", "game")[0].papers == ()
    assert find_items("openspiel/kuhn_poker(players=3)", "game")[0].papers == ("OpenSpiel, 1908.09453",)
