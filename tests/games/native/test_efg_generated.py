"""Generated extensive-form games: many different ones, words and text agree, wrong texts are other games."""

import re
from collections import Counter

import pytest

import games
from games import InputError
from games.native.efg.generated import TreePlan, TreeStage, generated, text, words
from games.randomness import RandomStream

KNOWN = TreePlan(
    (TreeStage(None, ("heads", "tails"), ("1/3", "2/3")), TreeStage(0, ("up", "down"), (), frozenset({0}), "down"),
     TreeStage(1, ("left", "right"), (), frozenset({1}))),
    {("heads", "up", "left"): (1, 2), ("heads", "up", "right"): (3, 4), ("heads", "down"): (5, 6),
     ("tails", "up", "left"): (7, 8), ("tails", "up", "right"): (-1, 0), ("tails", "down"): (0, 9)},
)  # fmt: skip
TEXT = """\
EFG 2 R "generated" { "Ann" "Bob" } ""
c "" 1 "" { "heads" 1/3 "tails" 2/3 } 0
p "" 1 1 "" { "up" "down" } 0
p "" 2 1 "" { "left" "right" } 0
t "" 1 "" { 1, 2 }
t "" 2 "" { 3, 4 }
t "" 3 "" { 5, 6 }
p "" 1 2 "" { "up" "down" } 0
p "" 2 1 "" { "left" "right" } 0
t "" 4 "" { 7, 8 }
t "" 5 "" { -1, 0 }
t "" 6 "" { 0, 9 }"""
WORDS = """\
Ann and Bob play a game in 3 stages. Stage 1: a coin is tossed and shows heads with probability 1/3 and tails with
probability 2/3. Stage 2: Ann chooses up or down; Ann sees stage 1. If Ann chooses down, the game ends at once. Stage 3:
Bob chooses left or right; Bob sees stage 2 and does not see stage 1. Ann and Bob then get: after heads, up, left: 1 and
2; after heads, up, right: 3 and 4; after heads, down: 5 and 6; after tails, up, left: 7 and 8; after tails, up, right:
-1 and 0; after tails, down: 0 and 9.""".replace("\n", " ")


def test_a_known_game():
    assert text(KNOWN) == TEXT
    assert words(KNOWN) == WORDS


@pytest.mark.parametrize("stages", [2, 3, 4])
def test_games_differ_and_are_small(stages):
    made = [generated(RandomStream(seed), stages) for seed in range(200)]
    assert len({game.efg for game in made}) == 200
    shapes = {re.sub(r"-?\d+|\"\w+\"", "", game.efg) for game in made}
    assert len(shapes) > {2: 3, 3: 10, 4: 10}[stages]  # not only other payoffs
    for game in made:
        assert game.efg.count("\nt ") <= 12
        assert len(game.words) < 1600
        assert game.efg not in game.wrong
        assert game.wrong
        for payoff in re.findall(r"{ (-?\d+), (-?\d+) }", game.efg):
            assert f"{payoff[0]} and {payoff[1]}" in game.words


def test_the_seed_decides():
    assert generated(RandomStream(3), 3) == generated(RandomStream(3), 3)


def test_the_verifier_passes_the_text_and_refuses_the_wrong_ones():
    pytest.importorskip("pygambit")
    from games.native.efg.check import same

    hidden = 0
    for seed in range(9):
        game = generated(RandomStream(seed), 2 + seed % 3)
        assert same(game.efg, game.efg)[0].ok, game.words
        assert [same(game.efg, wrong)[0].kind for wrong in game.wrong] == ["fail"] * len(game.wrong), game.words
        hidden += len(game.wrong) - 1
    assert hidden > 3
    match = games.make("efg(stages=3)")
    match.reset(1)
    match.apply({"translator": text(match.data("translator")["plan"])})
    assert match.returns() == {"translator": 1.0}
    with pytest.raises(InputError, match="stages=2, 3 or 4"):
        games.make("efg(stages=1)")


def test_the_text_most_like_the_others_is_right_by_chance():
    """Of 400 lists, by comparison with a text at random."""
    right = chance = 0.0
    for seed in range(400):
        game = generated(RandomStream(seed), 2 + seed % 3)
        texts = sorted({game.efg, *game.wrong})
        lines = {one: Counter(one.split("\n")) for one in texts}
        likeness = {one: sum((lines[one] & lines[other]).total() for other in texts) for one in texts}
        best = [one for one in texts if likeness[one] == max(likeness.values())]
        right += (game.efg in best) / len(best)
        chance += 1 / len(texts)
    assert 0.9 < right / chance < 1.1
