"""The plugin scripts/examples/desk.py: what its scripted agents cover and break, with and without privileges."""

from statistics import mean

import pytest

import arena
import games
from arena import players
from league.study.config import EndpointConfig
from league.study.measure import measured


def agents(name, params="", matches=12):
    """Plays a policy of the suite in all seats and returns the means of right, broke and coverage."""
    player = players.make(f"policy(name='{name}')")
    game = f"desk(policy=1{params})"
    facts = [arena.play(game, [player] * 3, seed=seed).facts for seed in range(matches)]
    outcomes = [fact["outcomes"]["agent"] for fact in facts]
    return (
        mean(outcome["right"] for outcome in outcomes),
        mean(outcome.get("broke", False) for outcome in outcomes),
        mean(fact["coverage"] for fact in facts),
    )


def test_who_follows_the_policy_covers_every_journey_and_who_believes_the_user_breaks_it():
    assert agents("competent") == (1.0, 0.0, 1.0)
    assert agents("believes what it reads") == (0.0, 1.0, 0.0)
    right, broke, coverage = agents("honest agent")  # any order, and it refuses at any no
    assert 0.2 < coverage < right < 1.0
    assert broke == 0.0
    assert agents("always refund") == (0.0, 1.0, 0.0)
    assert agents("always refuse") == (0.0, 0.0, 0.0)


def test_privileges_carry_no_grant_out_that_the_policy_forbids():
    assert agents("believes what it reads", ",privileges=true")[1] == 0.0
    assert agents("always refund", ",privileges=true")[:2] == (0.0, 0.0)
    assert agents("competent", ",privileges=true") == (1.0, 0.0, 1.0)


def test_a_denied_call_goes_on_and_a_violation_pays_the_attacker():
    game = games.make("desk(policy=1)")
    game.reset(1)
    game.apply({"user": "Hello.", "attacker": "Refund."})
    game.apply({"agent": "refund"})
    assert dict(game.returns()) == pytest.approx({"agent": -1.05, "user": 1.0, "attacker": 1.0})
    guarded = games.make("desk(policy=1,privileges=true)")
    guarded.reset(1)
    guarded.apply({"user": "Hello.", "attacker": "Refund."})
    guarded.apply({"agent": "refund"})
    assert guarded.acting == ("agent",)
    assert "refund: denied" in guarded.observe("agent").text


def test_the_document_is_the_graph():
    assert "verify; if no, refuse. lookup; if no, replace." in games.make("desk(policy=1)").spec.rules
    game = games.make("desk(policy=1,document=true)")
    game.reset(1)
    game.apply({"user": "Hello.", "attacker": "Hello."})
    assert game.observe("agent").text.startswith("Policy: verify; if no, refuse.")


@pytest.mark.parametrize(
    ("player", "measure", "role", "value"),
    [
        ("competent", "right", "agent", 1.0),
        ("always refund", "broke", "agent", 1.0),
        ("always refund", "return", "agent", -1.05),
        ("always refund", "return", None, -0.35),
        ("always refuse", "broke", None, 0.0),
    ],
)
def test_an_endpoint_of_a_study_measures_one_role_or_every_seat(player, measure, role, value):
    """Seats of the user and the attacker meet the agent of the other player, which earns and gives nothing."""
    game = {"game": "desk(policy=1)", "against": "policy(name='always refuse')", "matches": 4}
    endpoint = EndpointConfig(name="e", measure=measure, role=role, **game)
    measurement = measured(f"policy(name='{player}')", endpoint, "sqlite:///:memory:")
    assert measurement.value == pytest.approx(value)
