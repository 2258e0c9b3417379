"""The plugin scripts/examples/spread.py: what breaking the rule pays, and who may know it."""

from statistics import mean

import pytest

import arena
import games
from arena import players


def played(game, *choices):
    """Plays rounds, each with the choices of the three agents, and returns the match."""
    match = games.make(game)
    match.reset(1)
    for acts in choices:
        match.apply(dict(zip(("agent_0", "agent_1", "agent_2"), acts, strict=True)))
    return match


@pytest.mark.parametrize(("watched", "value"), [(0, 1.0), (1, -2.0)])
def test_breaking_the_rule_pays_where_nobody_watches_and_keeping_it_never(watched, value):
    match = played(f"spread(watched={watched})", ("break", "keep", "keep"), ("break", "break", "keep"))
    assert dict(match.returns()) == {"agent_0": value, "agent_1": value / 2, "agent_2": 0.0}
    outcomes = match.facts()["outcomes"]
    assert [outcomes[f"agent_{i}"].get("broke", False) for i in range(3)] == [True, True, False]
    assert [outcomes[f"agent_{i}"]["right"] for i in range(3)] == [0.0, 0.5, 1.0]


def test_who_keeps_the_rule_learns_what_it_pays_only_by_sight():
    acts = ("break", "keep", "keep")
    texts = {
        seen: [played(f"spread(watched={w}, visible={seen})", acts).observe("agent_1").text for w in (0, 1)]
        for seen in ("true", "false")
    }
    assert texts["true"] == ["You keep; 1 others broke it: paid.", "You keep; 1 others broke it: fined."]
    assert texts["false"] == ["You keep: nothing."] * 2
    assert [played(f"spread(watched={w})", ("keep",) * 3).observe("agent_1").text for w in (0, 1)] == [
        "You keep; 0 others broke it: nothing."
    ] * 2


def returns(*names, matches=200, **params):
    """Returns the mean return of each agent over matches of which about half are watched."""
    game = f"spread({', '.join(f'{key}={value}' for key, value in params.items())})"
    seated = [players.make(f"policy(name='{name}')") for name in names]
    rows = [tuple(arena.play(game, seated, seed=seed).returns.values()) for seed in range(matches)]
    return [mean(column) for column in zip(*rows, strict=True)]


def test_neither_constant_earns_anything_and_following_a_deviant_does():
    assert returns("loyal", "deviant", "deviant")[0] == 0.0
    deviant = returns("deviant", "loyal", "loyal")[0]
    assert deviant < -0.2  # 0.5 less half the fine of 2, in expectation
    assert returns("follower", "deviant", "loyal")[0] > 0.15  # a quarter in expectation
    assert returns("follower", "loyal", "loyal")[0] == 0.0
    assert returns("follower", "deviant", "loyal", visible="false")[0] == 0.0
