import pytest

from games.openspiel.rules import RULES
from tests.games.openspiel.playthrough import FOLDER, GAMES, path, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_is_the_golden_one(name):
    """A difference means that rules, rendering or chance changed; `playthrough` says how to update the files."""
    assert playthrough(name) == path(name).read_text(encoding="utf-8")


def test_every_game_with_rules_of_its_own_has_a_playthrough():
    """The rules of an efg_game follow from its file: see test_extensive."""
    assert set(RULES) - {"efg_game"} <= {name.partition("(")[0] for name in GAMES}
    assert {f.name for f in FOLDER.glob("*.txt")} == {path(name).name for name in GAMES}
