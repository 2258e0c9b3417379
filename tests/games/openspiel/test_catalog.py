import subprocess
import sys

import pytest

import games
from games.errors import InputError, UnknownName
from games.openspiel.catalog import CONTEXTUAL, PLAYABLE, UNPLAYABLE, WITH_PARAMETERS
from games.openspiel.parameters import types
from tests import golden
from tests.games.openspiel.play import random_match


def test_catalog_is_exactly_what_openspiel_knows():
    registered = set(types())
    assert set(PLAYABLE) | set(WITH_PARAMETERS) | set(UNPLAYABLE) == registered
    assert len(PLAYABLE) + len(WITH_PARAMETERS) + len(UNPLAYABLE) == len(registered)
    # coop_to_1p declares a required game, but loads tiny Hanabi without one.
    assert {n for n, kind in types().items() if not kind.default_loadable} == {*WITH_PARAMETERS, "coop_to_1p"}
    mean_field = {n for n, kind in types().items() if kind.dynamics.name == "MEAN_FIELD"}
    assert mean_field | {"crossword"} == set(UNPLAYABLE)
    assert set(PLAYABLE) >= CONTEXTUAL


def test_ids_load_nothing():
    code = "import sys, games; assert len(games.ids()) > 119; assert 'pyspiel' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert len(PLAYABLE) == 119
    assert list(PLAYABLE) == sorted(PLAYABLE)


def test_canonical_id_sorts_parameters_and_drops_defaults():
    made = games.make("openspiel/hex(num_rows=5, num_cols=4, swap=false)")
    assert made.spec.id == "openspiel/hex(num_cols=4,num_rows=5)"
    assert games.make("openspiel/kuhn_poker(players=2)").spec.id == "openspiel/kuhn_poker"
    assert games.make("openspiel/negotiation(num_items=2)").spec.id == "openspiel/negotiation(num_items=2)"
    again = games.make(games.make("openspiel/misere(game=nim(pile_sizes=1;2))").spec.id)
    assert again.spec.id == "openspiel/misere(game=nim(pile_sizes=1;2))"


@pytest.mark.parametrize(
    ("id", "words"), golden.lists(__file__, "catalog_wrong_names_and_parameters_are_one_line_and_silent")
)
def test_wrong_names_and_parameters_are_one_line_and_silent(id, words, capfd):
    with pytest.raises(InputError) as caught:
        games.make(id)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_unknown_game_is_an_unknown_name():
    with pytest.raises(UnknownName) as caught:
        games.make("openspiel/conect_four")
    assert "openspiel/connect_four" in caught.value.near


@pytest.mark.parametrize("id", sorted(set(WITH_PARAMETERS.values()) - {"efg_game(filename=game.efg)"}))
def test_games_with_parameters_play(id, tmp_path, capfd):
    if "nfg" in id:
        file = tmp_path / "game.nfg"
        file.write_text('NFG 1 R "demo"\n{ "A" "B" } { 2 2 }\n\n1 1 0 2 2 0 1 1\n')
        id = f"nfg_game(filename={file})"
    first = random_match(games.make(f"openspiel/{id}"), 3, look=True)
    assert first == random_match(games.make(f"openspiel/{id}"), 3, look=True)
    assert len(first) > 1
    assert capfd.readouterr() == ("", "")


def test_extensive_form_file_plays(tmp_path):
    file = tmp_path / "game.efg"
    file.write_text(
        'EFG 2 R "demo" { "A" "B" }\n'
        'p "ROOT" 1 1 "(1,1)" { "L" "R" } 0\n'
        't "" 1 "left" { 1, -1 }\n'
        't "" 2 "right" { -1, 1 }\n'
    )
    made = games.make(f"openspiel/efg_game(filename={file})")
    made.reset(0)
    made.apply({made.acting[0]: "L"})
    assert made.returns() == {"player_0": 1.0, "player_1": -1.0}
