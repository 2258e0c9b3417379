"""`arena check` finds the kit of whatever an id names."""

from importlib.util import find_spec

import pytest

from arena.cli import main
from arena.players.bots.random import RandomPlayer
from games import InputError, UnknownName, plugins
from league.conformance.kinds import CHECKED, check, kind_of
from league.matchmaking.round_robin import RoundRobin
from tests import golden

TORCH = pytest.mark.skipif(find_spec("torch") is None, reason="losses are listed with torch")
ONE_OF_EACH = golden.text(__file__, "kinds_one_of_each.py.txt")


def test_each_kind_of_plugin_is_found_by_its_id(tmp_path, capsys):
    file = tmp_path / "each.py"
    file.write_text(ONE_OF_EACH)
    plugins.load_file(file)
    kinds = {"player": "player", "role": "role", "pairing": "matchmaker", "rating": "rating", "advantage": "advantage"}
    assert {name: kind_of(f"my-{name}") for name in kinds} == kinds
    assert kind_of("my-loss") == "loss"
    for name in ("my-advantage", "my-player"):
        assert main(["check", name, "--plugin", str(file)]) == 0
        assert f"{name}: ok" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("id", "kind"),
    [
        ("bargain", "game"), ("bargain-v1(rounds=3)", "game"), ("openspiel/kuhn_poker", "game"), ("seller", "role"),
        ("mcts(simulations=3)", "player"), ("round-robin", "matchmaker"), ("trueskill", "rating"), ("rae", "advantage"),
        pytest.param("ppo", "loss", marks=TORCH), ("solver", "role"),
    ],
)  # fmt: skip
def test_ours_are_found_by_their_ids(id, kind):
    assert kind_of(id) == kind


def test_an_error_inside_a_checked_game_names_the_line_of_the_plugin(tmp_path):
    file = tmp_path / "odd.py"
    file.write_text(
        "from games import role_game\n\n\n"
        '@role_game("odd-v0", seats={"a": "a", "b": "b"}, payoff="zero_sum", rules="Speak.")\ndef odd(t):\n'
        '    yield t.ask("a", examples=["x"])\n    t.sekret\n'
    )
    with plugins.isolated():
        plugins.load_file(file)
        findings = check("odd").of("play")
    assert "raised AttributeError: 'Table' object has no attribute 'sekret' (odd.py, line 7)" in findings[0].message


def test_a_name_of_several_kinds_needs_its_kind(capsys):
    with pytest.raises(InputError, match="'random' is a player and a matchmaker; add --kind player or"):
        check("random")
    assert check("random", "player").ok
    assert main(["check", "random", "--kind", "pairings"]) == 2
    assert f"unknown kind 'pairings'; allowed: {', '.join(CHECKED)}" in capsys.readouterr().err


def test_a_plugins_name_comes_before_ours():
    plugins.register("arena.players", "swiss")(RandomPlayer)
    assert kind_of("swiss") == "player"
    plugins.register("arena.matchmakers", "swiss")(RoundRobin)
    with pytest.raises(InputError, match="add --kind"):
        kind_of("swiss")


def test_an_unknown_name_is_told_with_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown game, role, .* 'round-robbin'; did you mean .*'round-robin'"):
        check("round-robbin")
