"""ask: what a seeker sees, exact rewards, and what its shortcuts earn."""

from __future__ import annotations

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction
from games.native.ask.game import ATTRIBUTES, AskGame, PublishedAskGame

GOLDEN = [
    "Attributes: colour, size, material, age, shape, price. Catalogue:",
    "A: green, small, metal, old, round, fair",
    "B: green, small, metal, new, round, fair",
]


def played(*moves: tuple[str, str], seed: int = 0) -> AskGame:
    game = AskGame()
    game.reset(seed)
    for one, other in moves:
        actions = {"seeker_0": one, "seeker_1": other}
        game.apply({seat: action for seat, action in actions.items() if seat in game.acting})
    return game


def names(game: AskGame) -> tuple[str, list[str]]:
    wanted = str(game.facts()["wanted"])
    return wanted, [action[-1] for action in game.legal("seeker_0") if action[-1] != wanted and "rec" in action]


def test_the_conformance_kit_finds_nothing() -> None:
    games.check("ask-v1").raise_if_failed()


@pytest.mark.parametrize(("asked", "reward"), [(0, 1.0), (1, 0.9), (3, 0.7)])
def test_each_turn_before_the_right_item_costs_a_tenth(asked: int, reward: float) -> None:
    wanted, _ = names(AskGame())
    questions = [(f"ask {name}", f"ask {name}") for name in list(ATTRIBUTES)[:asked]]
    game = played(*questions, (f"recommend {wanted}", f"recommend {wanted}"))
    assert game.returns() == pytest.approx({"seeker_0": reward, "seeker_1": reward})
    assert game.acting == ()


def test_no_item_within_the_turns_costs_more_than_any_success() -> None:
    _, others = names(AskGame())
    game = played(*((f"recommend {name}", f"recommend {name}") for name in others[:6]))
    assert game.returns()["seeker_0"] == pytest.approx(-0.8 - 6 * 0.5)
    assert game.acting == ()
    assert "recommended" in game.facts()
    old = PublishedAskGame()
    old.reset(0)
    _, others = names(old)
    for name in others[:6]:
        old.apply(dict.fromkeys(old.acting, f"recommend {name}"))
    assert old.returns()["seeker_0"] == pytest.approx(-0.8)
    assert (games.make("ask-v0(items=4)").rejected, AskGame(items=4).rejected, AskGame().rejected) == (0, 2 / 3, 0.5)
    assert "A wrong recommendation costs 0.5." in AskGame().spec.rules
    assert "A wrong" not in old.spec.rules


@pytest.mark.parametrize(("id", "pays"), [("ask-v0(items=4,turns=4)", True), ("ask-v1(items=4,turns=4)", False)])
def test_recommending_one_item_after_the_other_pays_in_v0_alone(id: str, pays: bool) -> None:
    blind = {"recommends at once", "the first items in order"}
    assert (blind <= {row.policy for row in check_shortcuts(id, 200).rows if not row.ok}) is pays


def test_a_seeker_sees_only_its_own_answers() -> None:
    game = played(("ask colour", "ask size"))
    mine, other = (game.observe(seat).text for seat in game.spec.seats)
    assert "You asked: the colour is" in mine
    assert "the colour is" not in other
    assert "ask colour" not in game.legal("seeker_0")
    with pytest.raises(IllegalAction, match="is not possible"):
        game.apply({"seeker_0": "ask colour", "seeker_1": "ask age"})


def test_shortcuts_earn_less_than_asking_well() -> None:
    for id in ("ask-v1", "ask-v1(items=2,turns=3)", "ask-v1(items=4,turns=4)"):
        report = check_shortcuts(id, matches=200)
        assert report.ok, report.text()


@pytest.mark.parametrize("items", [2, 6, 12, 20, 26])
def test_no_fixed_list_of_questions_divides_every_catalogue(items: int) -> None:
    """Some attribute has one value in a catalogue, and it is not always the same one; all items differ."""
    same = set()
    for seed in range(40):
        game = AskGame(items=items)
        game.reset(seed)
        lines = [line.partition(": ")[2] for line in game.observe("seeker_0").text.splitlines()[1 : 1 + items]]
        assert len(set(lines)) == items
        columns = [set(column) for column in zip(*(line.split(", ") for line in lines), strict=True)]
        same.add(tuple(i for i, column in enumerate(columns) if len(column) == 1))
    assert () not in same
    assert len(same) > 3


def test_the_first_turn_reads_as_it_did() -> None:
    """The text that models read, on seed 0."""
    assert AskGame().observe("seeker_0").text.splitlines()[:3] == GOLDEN
