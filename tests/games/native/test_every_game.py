"""Every native game has shortcuts and passes `arena check`; tests/test_game_readmes.py plays a match of each."""

import re
from pathlib import Path

import pytest

import games
from games import MissingPackage
from games.native import NATIVE

HERE = Path(__file__).parent
BASES = sorted({re.sub(r"-v\d+$", "", id) for id in NATIVE})
CHECKED = ("conjecture(provers=2)", "evolve(solvers=2)", "prefer", "refine", "solve(solvers=2)")
"""games whose own test modules do not run the conformance kit"""
SOURCES = {path.stem: path.read_text() for path in HERE.glob("test_*.py") if path != Path(__file__)}


def modules_of(base):
    """The tests that play a game."""
    named = re.compile(rf"\b{base}(-v\d)?\b|\b{base.replace('-', '_')}\b")
    return [text for text in SOURCES.values() if named.search(text)]


@pytest.mark.parametrize("id", sorted(NATIVE))
def test_a_game_has_shortcuts_for_every_role_that_it_compares(id):
    try:
        game = games.make(id)
    except MissingPackage as missing:
        pytest.skip(str(missing))
    suite = game.shortcuts()
    assert suite is not None
    assert suite.every()
    assert suite.honest.keys() == suite.competent.keys()


@pytest.mark.parametrize("id", CHECKED)
def test_the_conformance_kit_finds_nothing(id):
    games.check(id, episodes=2).raise_if_failed()


def test_the_conformance_kit_plays_every_game():
    here = {re.split(r"[-(]", id)[0] for id in CHECKED}
    others = {base for base in BASES if any("games.check(" in text for text in modules_of(base))}
    assert set(BASES) - others <= here
