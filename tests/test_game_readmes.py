"""The READMEs of the native games show what the code does."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from games import MissingPackage
from games.native import NATIVE
from games.verifiers import python

ROOT = Path(__file__).parents[1]
GAMES = sorted(re.sub(r"-v\d+$", "", id) for id in NATIVE)


@pytest.fixture
def readmes(monkeypatch):
    """Returns the module of scripts/docs that fills the READMEs."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    return import_module("game_readmes")


@pytest.mark.parametrize("game", GAMES)
def test_the_transcript_is_a_match_of_the_competent_policies(game, readmes):
    text = (readmes.GAMES[game] / "README.md").read_text()
    assert "$ arena play" in text
    if game == "code-io" and (reason := python.unavailable()):
        pytest.skip(reason)
    try:
        assert readmes.with_transcript(text) == text, "run scripts/docs/game_readmes.py"
    except MissingPackage as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("game", GAMES)
def test_a_readme_has_parameters_results_and_the_example_files(game, readmes):
    text = (readmes.GAMES[game] / "README.md").read_text()
    assert readmes.with_figures(game, text) == text, "run scripts/docs/game_readmes.py"
    assert "<!-- parameters -->\n-" in text
    assert "<!-- results -->\n|" in text
    assert 15 <= len(text.splitlines()) <= 60
    played = re.compile(rf'"{game}(-v\d+)?["(]')
    files = [path for path in (ROOT / "scripts" / "examples").glob("*.toml") if played.search(path.read_text())]
    assert not [path.name for path in files if f"`scripts/examples/{path.name}`" not in text]


def test_where_honest_play_earns_more_than_half_of_competence_the_readme_says_that_the_reward_is_flat(readmes):
    results = json.loads((ROOT / "scripts" / "bench" / "role_rewards.json").read_text())
    flat = {
        (game.partition("(")[0], row["role"])
        for game, of in results.items()
        for row in of["best"]
        if row["competent"][0] < 2 * row["honest"][0] - 1e-9
    }
    silent = [(game, role) for game, role in flat if "flat" not in (readmes.GAMES[game] / "README.md").read_text()]
    assert not silent, "pay competence at least twice, or say in the README why not"


def test_the_tables_of_the_pages_list_the_games(readmes):
    for page in readmes.PAGES:
        assert readmes.with_tables(page.read_text()) == page.read_text(), "run scripts/docs/game_readmes.py"


def test_the_gallery_shows_positions_and_the_turns_of_the_readmes(readmes):
    """If this fails, type: python scripts/docs/gallery_page.py > docs/gallery.md"""
    assert import_module("gallery_page").gallery_page() == (ROOT / "docs" / "gallery.md").read_text()
