"""The plugin scripts/examples/instruct.py: exact checks, needless changes, and what writer and refiner earn."""

import importlib.util
from pathlib import Path
from statistics import mean

import pytest

import arena
from arena import players
from games import plugins

EXAMPLES = Path(__file__).parents[1] / "scripts" / "examples"


@pytest.fixture(autouse=True)
def _plugin():
    plugins.load_file(EXAMPLES / "instruct.py")


@pytest.fixture
def instruct():
    spec = importlib.util.spec_from_file_location("instruct_example", EXAMPLES / "instruct.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rewards(name, matches=20):
    player = players.make(f"policy(name='{name}')")
    episodes = [arena.play("instruct(letters=4,longest=4,checks=3)", [player] * 2, seed=i) for i in range(matches)]
    return mean(e.returns["writer"] for e in episodes), mean(e.returns["refiner"] for e in episodes)


def test_changes_are_needless_beyond_the_fewest_that_pass_the_same_checks(instruct):
    every = instruct.lines("abc", 3)
    checks = [check for check in instruct.checks_of(tuple("abc"), "abc") if check.text in ("3 letters", "last c")]
    assert instruct.passing(checks, tuple("abc")) == {"3 letters", "last c"}
    cases = {"aba abc": 0, "aba bbc": 1, "aba aba": 0, "aa aac": 0, "aa bac": 1, "ab bcc": 2}
    for pair, count in cases.items():
        assert instruct.needless(every, checks, *map(tuple, pair.split())) == count, pair


def test_every_check_of_a_line_holds_for_it_and_the_competent_refiner_repairs_without_more(instruct):
    for line in instruct.lines("abcd", 4)[::17]:
        checks = instruct.checks_of(line, "abcd")
        assert len(instruct.passing(checks, line)) == len(checks) > 3
    writer, repaired = rewards("starts at random")
    assert writer + repaired == pytest.approx(1.0)  # all that failed is mended, nothing else is changed
    assert rewards("competent") == (1.0, 0.0)


def test_who_writes_again_mends_as_much_and_pays_for_what_else_it_changes():
    writer, again = rewards("honest")
    assert writer < 1 - again - 0.01
    assert rewards("changes nothing")[1] == 0.0
