"""ask-v0: what a seeker sees, exact rewards, and what its shortcuts earn."""

from __future__ import annotations

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction
from games.native.ask.game import ATTRIBUTES, AskGame

GOLDEN = [
    "Attributes: colour, size, material, age. Catalogue:",
    "A: white, medium, glass, old",
    "B: green, large, wood, new",
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
    games.check("ask-v0").raise_if_failed()


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
    assert game.returns()["seeker_0"] == pytest.approx(-0.8)
    assert game.acting == ()
    assert "recommended" in game.facts()


def test_a_seeker_sees_only_its_own_answers() -> None:
    game = played(("ask colour", "ask size"))
    mine, other = (game.observe(seat).text for seat in game.spec.seats)
    assert "You asked: the colour is" in mine
    assert "the colour is" not in other
    assert "ask colour" not in game.legal("seeker_0")
    with pytest.raises(IllegalAction, match="is not possible"):
        game.apply({"seeker_0": "ask colour", "seeker_1": "ask age"})


def test_shortcuts_earn_less_than_asking_well() -> None:
    report = check_shortcuts("ask-v0", matches=60)
    assert report.ok, report.text()


def test_the_first_turn_reads_as_it_did() -> None:
    """The text that models read, on seed 0."""
    assert AskGame().observe("seeker_0").text.splitlines()[:3] == GOLDEN
