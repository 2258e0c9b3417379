"""The plugin scripts/examples/instruct.py: exact checks, needless changes, and what writer and refiner earn."""

from statistics import mean

import pytest

import arena
from arena import players


def rewards(name, matches=20):
    player = players.make(f"policy(name='{name}')")
    episodes = [arena.play("instruct(letters=4,longest=4,checks=3)", [player] * 2, seed=i) for i in range(matches)]
    return mean(e.returns["writer"] for e in episodes), mean(e.returns["refiner"] for e in episodes)


def test_changes_are_needless_beyond_the_fewest_that_pass_the_same_checks(module):
    every = module.lines("abc", 3)
    checks = [check for check in module.checks_of(tuple("abc"), "abc") if check.text in ("3 letters", "last c")]
    assert module.passing(checks, tuple("abc")) == {"3 letters", "last c"}
    cases = {"aba abc": 0, "aba bbc": 1, "aba aba": 0, "aa aac": 0, "aa bac": 1, "ab bcc": 2}
    for pair, count in cases.items():
        assert module.needless(every, checks, *map(tuple, pair.split())) == count, pair


def test_every_check_of_a_line_holds_for_it_and_the_competent_refiner_repairs_without_more(module):
    for line in module.lines("abcd", 4)[::17]:
        checks = module.checks_of(line, "abcd")
        assert len(module.passing(checks, line)) == len(checks) > 3
    writer, repaired = rewards("starts at random")
    assert writer + repaired == pytest.approx(1.0)  # all that failed is mended, nothing else is changed
    assert rewards("competent") == (1.0, 0.0)


def test_who_writes_again_mends_as_much_and_pays_for_what_else_it_changes():
    writer, again = rewards("honest")
    assert writer < 1 - again - 0.01
    assert rewards("changes nothing")[1] == 0.0
