"""The returns of a forfeit, alone and in a team."""

import pytest

from games import GameSpec
from games.forfeit import forfeit_returns

SEATS = {"a1": "x", "b1": "x", "a2": "x", "b2": "x"}
TEAMS = (("a1", "a2"), ("b1", "b2"))


def spec(payoff="zero_sum", total=0.0, span=(-1, 1), teams=TEAMS):
    return GameSpec("g-v0", SEATS, payoff, "", 9, total, returns_range=span, teams=teams)


def test_a_team_loses_by_the_forfeit_of_one_of_its_seats():
    assert forfeit_returns(spec(), "a2") == {"a1": -1, "a2": -1, "b1": 1, "b2": 1}


@pytest.mark.parametrize("teams", [(), TEAMS, (("a1",), ("a2", "b1", "b2"))])
@pytest.mark.parametrize(("payoff", "total"), [("zero_sum", 0.0), ("constant_sum", 2.0)])
def test_the_sum_is_kept(teams, payoff, total):
    for seat in SEATS:
        assert sum(forfeit_returns(spec(payoff, total, (-1, 2), teams), seat).values()) == pytest.approx(total)


def test_in_a_general_sum_game_the_others_get_nothing():
    assert forfeit_returns(spec("general_sum"), "b1") == {"a1": 0, "a2": 0, "b1": -1, "b2": -1}
    assert forfeit_returns(spec("general_sum", teams=()), "b1") == {"a1": 0, "a2": 0, "b1": -1, "b2": 0}
