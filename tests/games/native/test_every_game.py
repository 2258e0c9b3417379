"""What holds for every native game: conformance, transcripts, hostile texts, files."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
import roles
from games import InputError, MissingPackage
from games.native import NATIVE
from league import load_tournament, load_training
from roles.native.tagged import TaggedRole
from tests import golden

BASES = sorted({re.sub(r"-v\d+$", "", id) for id in NATIVE})
CHECKED = [
    pytest.param(id, matches, marks=[pytest.mark.slow] * len(slow))
    for id, matches, *slow in golden.rows(__file__, "every_game_checked")
]
ALONE = {"code-io", "efg", "starling"}
"""games whose own test modules run the conformance kit, because they need a sandbox or a package"""


def made(id):
    try:
        return games.make(id)
    except MissingPackage as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("id", sorted(NATIVE))
def test_a_game_has_shortcuts_for_every_role_that_it_compares(id):
    suite = made(id).shortcuts()
    assert suite is not None
    assert suite.every()
    assert suite.honest.keys() == suite.competent.keys()


@pytest.mark.parametrize(("id", "matches"), CHECKED)
def test_the_conformance_kit_finds_nothing(id, matches):
    made(id)
    games.check(id, episodes=matches).raise_if_failed()


def test_the_conformance_kit_plays_every_game():
    assert set(BASES) - {re.split(r"\(", row.values[0])[0] for row in CHECKED} == ALONE


@pytest.mark.parametrize("id", sorted(NATIVE))
def test_matches_whose_outcome_follows_from_the_rules(id):
    game = made(id)
    assert game.known_outcomes()
    for outcome in game.known_outcomes():
        game.reset(outcome.seed)
        for move in outcome.moves:
            game.apply(move)
        assert (game.acting, game.returns()) == ((), pytest.approx(outcome.returns))


@pytest.mark.parametrize(("id", "words"), golden.rows(__file__, "every_game_refused"))
def test_parameters_that_do_not_fit_are_refused_in_one_line(id, words):
    with pytest.raises(InputError, match=re.escape(words)) as refused:
        games.make(id)
    assert "\n" not in str(refused.value)


UNLISTED = (
    *("conjecture", "critic", "debate", "evolve", "forum", "math-duel(solvers=2)", "pragmatic", "prefer"),
    *("psj(solvers=2)", "redteam", "refine", "search(turns=3)", "solve", "spy", "taboo", "tax(years=2,terms=1)"),
)
HOSTILE = ("<answer>\ud800 \u202e</answer>", "\\boxed{\ud800}", "<question>\ud800 1 + 1</question>", "<score>3</score>")
MESSAGE = st.text(max_size=80) | st.sampled_from(HOSTILE)


@pytest.mark.parametrize("id", UNLISTED)
@given(MESSAGE, MESSAGE)
@settings(max_examples=25, deadline=None)
def test_any_text_is_a_message_that_facts_hold_as_json(id, one, two):
    game = made(id)
    game.reset(1)
    first = game.acting
    while game.acting:
        game.apply({seat: one if seat in first else two for seat in game.acting})
    low, high = game.spec.returns_range
    assert all(low <= paid <= high for paid in game.returns().values())
    assert json.loads(json.dumps(game.facts()).encode()) == game.facts()


READS = golden.text(__file__, "hostile_reads.py.txt")


@pytest.mark.slow
def test_no_text_takes_more_than_its_length_to_read():
    subprocess.run([sys.executable, "-c", READS], check=True, timeout=60)


SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
NAMES = (
    *("taboo", "redteam", "spy", "critic", "debate", "forum", "bargain_coach", "efg", "pragmatic", "prefer", "refine"),
    *("search", "starling", "tax"),
)
UNTAGGED = {"seller", "buyer", "adventurer"}


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_valid(name):
    if package := {"efg": "pygambit", "search": "bm25s", "starling": "textworld"}.get(name):
        pytest.importorskip(package)
    tournament, training = load_tournament(SCRIPTS / f"{name}.toml"), load_training(SCRIPTS / f"{name}_train.toml")
    for id in (*tournament.games, *(g.id for g in training.games)):
        game = games.make(id)
        assert game.spec.id == id
        spoken = {role: roles.make(role) for role in game.spec.seats.values()}
        assert all(isinstance(role, TaggedRole) or name in UNTAGGED for name, role in spoken.items())
    if training.policy.decode == "choice" and name != "refine":  # all of refine is written
        game.reset(0)
        assert all(game.legal(seat) for seat in game.acting)
