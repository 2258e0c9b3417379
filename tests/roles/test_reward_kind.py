"""What rewards say: wins, right answers and shares of wins, in every shipped role and game, on any scale."""

from dataclasses import replace

import pytest

import games
import roles
from games import GameSpec, MissingPackage
from games.native import NATIVE as GAMES
from roles import Role, outcome, preference, verdict
from roles.native import NATIVE as ROLES

SEATS = {"a": "player", "b": "player"}
DUEL = GameSpec("duel-v0", SEATS, "zero_sum", "Win.", 9, returns_range=(-2.0, 2.0))
SHARED = replace(DUEL, payoff="cooperative", returns_range=(0.0, 25.0))
MARKET = replace(DUEL, payoff="general_sum", returns_range=(-1.0, 3.0))


def test_an_outcome_is_won_above_the_return_of_a_draw():
    assert [outcome().score(r, DUEL) for r in (-2.0, -1.0, 0.0, 1.0, 2.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert [outcome().score(r, SHARED) for r in (12.0, 12.5, 13.0)] == [0.0, 0.5, 1.0]
    assert [outcome().score(r, MARKET) for r in (0.9, 1.0, 1.1)] == [0.0, 0.5, 1.0]
    assert [outcome(0.5).score(r, None) for r in (0.4, 0.5, 0.6)] == [0.0, 0.5, 1.0]
    assert outcome().score(1.0, None) is None
    assert outcome().score(1.0, replace(DUEL, returns_range=None)) == 1.0
    assert outcome().score(1.0, replace(MARKET, returns_range=None)) is None


def test_a_draw_of_a_constant_sum_is_an_even_share():
    """Three players of poker may win 200 and lose 100 each: who wins 10 has won."""
    poker = GameSpec("poker-v0", {**SEATS, "c": "player"}, "zero_sum", "", 9, returns_range=(-100.0, 200.0))
    assert outcome().score(10.0, poker) == 1.0
    assert outcome().score(10.0, replace(poker, payoff="constant_sum", payoff_sum=60.0)) == 0.0


def test_a_verdict_is_right_above_its_threshold_and_a_preference_is_its_own_score():
    assert [verdict().score(r, None) for r in (1.0, 0.6, 0.5, 0.1, -1.0)] == [1.0, 1.0, 0.0, 0.0, 0.0]
    assert [verdict(0.0).score(r, None) for r in (0.1, 0.0, -0.1)] == [1.0, 0.0, 0.0]
    assert preference().score(0.3, DUEL) == 0.3


@pytest.mark.parametrize("scale", [0.1, 1.0, 7.0])
@pytest.mark.parametrize("shift", [-3.3, 0.0, 12.7])
@pytest.mark.parametrize("spec", [DUEL, SHARED, MARKET], ids=lambda s: s.payoff)
def test_a_shift_and_a_scale_of_the_returns_change_no_score(spec, scale, shift):
    assert spec.returns_range is not None
    low, high = spec.returns_range
    returns = [low + (high - low) * n / 8 for n in range(9)]
    moved = replace(
        spec,
        payoff={"zero_sum": "constant_sum"}.get(spec.payoff, spec.payoff),
        payoff_sum=scale * spec.payoff_sum + 2 * shift,
        returns_range=(scale * low + shift, scale * high + shift),
    )
    assert [outcome().score(scale * r + shift, moved) for r in returns] == [outcome().score(r, spec) for r in returns]


def test_what_a_kind_cannot_say_is_a_problem():
    three = replace(DUEL, seats={**SEATS, "c": "player"})
    teams = replace(DUEL, seats={**SEATS, "c": "player", "d": "player"}, teams=(("a", "b"), ("c", "d")))
    assert "returns_range" in outcome().problem("verdict", replace(MARKET, returns_range=None))
    assert outcome(0.0).problem("verdict", replace(MARKET, returns_range=None)) == ""
    assert outcome().problem("preference", replace(DUEL, returns_range=None)) == ""
    assert "no share of wins" in verdict().problem("preference", DUEL)
    for spec in (SHARED, MARKET, three):
        assert "only between two sides" in outcome().problem("preference", spec)
        assert outcome().problem("verdict", spec) == ""
    assert outcome().problem("preference", DUEL) == outcome().problem("preference", teams) == ""
    assert preference().problem("preference", MARKET) == preference().problem("verdict", MARKET) == ""


UNDECLARED = {"buyer", "debater", "seller", "completer"}
"""native roles that are credited with the return of a game whose middle is a draw, and one that is not credited"""


@pytest.mark.parametrize("id", sorted(ROLES))
def test_every_native_role_declares_its_kind(id):
    declared = roles.make(id).reward_kind != Role.reward_kind
    assert declared != (id in UNDECLARED)


@pytest.mark.parametrize("namespace", ["openspiel/", "pettingzoo/"])
def test_who_won_is_known_in_every_game_of_these_libraries(namespace):
    for id in filter(lambda each: each.startswith(namespace), games.ids()):
        try:
            spec = games.make(id).spec
        except MissingPackage as missing:
            pytest.skip(str(missing))
        assert outcome().problem("verdict", spec) == "", id


@pytest.mark.parametrize("id", sorted(GAMES))
def test_right_and_wrong_are_known_in_every_native_game(id):
    try:
        spec = games.make(id).spec
    except MissingPackage as missing:
        pytest.skip(str(missing))
    for role in set(spec.seats.values()):
        assert roles.make(role).reward_kind.problem("verdict", spec) == "", role
