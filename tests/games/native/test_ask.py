"""ask: what a seeker sees, exact rewards, and what its shortcuts earn."""

from collections import Counter

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction
from games.dialogue import RoleGame
from games.native.ask import ask
from games.native.ask.game import ATTRIBUTES

GOLDEN = [
    "Attributes: colour, size, material, age, shape, price. Catalogue:",
    "A: blue, large, wood, old, long, fair",
    "B: green, large, wood, old, long, fair",
]


def played(*moves, seed=0):
    game = games.make("ask")
    assert isinstance(game, RoleGame)
    game.reset(seed)
    for one, other in moves:
        actions = {"seeker_0": one, "seeker_1": other}
        game.apply({seat: action for seat, action in actions.items() if seat in game.acting})
    return game


def names(game):
    wanted = str(game.facts()["wanted"])
    return wanted, [action[-1] for action in game.legal("seeker_0") if action[-1] != wanted and "rec" in action]


@pytest.mark.parametrize(("asked", "reward"), [(0, 1.0), (1, 0.9), (3, 0.7)])
def test_each_turn_before_the_right_item_costs_a_tenth(asked, reward):
    wanted, _ = names(played())
    questions = [(f"ask {name}", f"ask {name}") for name in list(ATTRIBUTES)[:asked]]
    game = played(*questions, (f"recommend {wanted}", f"recommend {wanted}"))
    assert game.returns() == pytest.approx({"seeker_0": reward, "seeker_1": reward})
    assert game.acting == ()


def test_no_item_within_the_turns_costs_more_than_any_success():
    _, others = names(played())
    game = played(*((f"recommend {name}", f"recommend {name}") for name in others[:6]))
    assert game.returns()["seeker_0"] == pytest.approx(-0.8 - 6 * 0.5)
    assert game.acting == ()
    assert game.facts()["recommended"] == {"seeker_0": 6, "seeker_1": 6}
    assert game.outcomes()["seeker_0"].right == 0.0
    assert "A wrong recommendation costs 0.5." in games.make("ask").spec.rules
    assert "A wrong recommendation costs 0.666667." in games.make("ask(items=4)").spec.rules


def test_a_seeker_sees_only_its_own_answers():
    game = played(("ask colour", "ask size"))
    mine, other = (game.observe(seat).text for seat in game.spec.seats)
    assert "You asked: the colour is" in mine
    assert "the colour is" not in other
    assert "ask colour" not in game.legal("seeker_0")
    with pytest.raises(IllegalAction, match="choose one of"):
        game.apply({"seeker_0": "ask colour", "seeker_1": "ask age"})


def test_shortcuts_earn_less_than_asking_well():
    for id in ("ask-v1", "ask-v1(items=2,turns=3)", "ask-v1(items=4,turns=4)"):
        report = check_shortcuts(id, matches=100)
        assert report.ok, report


@pytest.mark.parametrize("items", [2, 6, 12, 20, 26])
def test_no_fixed_list_of_questions_divides_every_catalogue(items):
    """In some attribute all items but one are alike, among four at most all, and not always in the same."""
    same = set()
    for seed in range(40):
        game = ask(items=items)
        game.reset(seed)
        lines = [line.partition(": ")[2] for line in game.observe("seeker_0").text.splitlines()[1 : 1 + items]]
        assert len(set(lines)) == items
        columns = [Counter(column) for column in zip(*(line.split(", ") for line in lines), strict=True)]
        alike = items - (items > 4)
        same.add(tuple(i for i, column in enumerate(columns) if max(column.values()) == alike))
    assert () not in same
    assert len(same) > 3


def test_the_first_turn_reads_as_it_did():
    """The text that models read, on seed 0."""
    assert played().observe("seeker_0").text.splitlines()[:3] == GOLDEN
