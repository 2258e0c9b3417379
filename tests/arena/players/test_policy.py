"""The player `policy` plays what a game's suite says."""

import pytest

import arena
from arena.players import registry
from games import InputError, make


def test_the_competent_policy_beats_the_honest_one():
    def total(policy):
        players = {"attacker": "policy", "defender": f"policy(name={policy})"}
        return sum(arena.play("taboo", players, seed=seed).returns["defender"] for seed in range(30))

    assert total("competent") > total("honest") + 5


def test_a_shortcut_leaves_its_other_roles_to_the_competent_policy():
    episode = arena.play("taboo", ["policy(name=begs)", "policy(name=begs)"], seed=3)
    assert episode.status == "finished"
    assert len({turn.action for turn in episode.turns if turn.role == "attacker"}) == 1
    silent = arena.play("taboo", ["policy(name=says nothing)", "policy"], seed=3)
    assert {turn.action for turn in silent.turns if turn.role == "attacker"} == {""}


@pytest.mark.parametrize(
    ("game", "player", "problem"),
    [
        ("openspiel/kuhn_poker", "policy", "it has no scripted policies"),
        ("taboo", "policy(name=best)", "it has no policy 'best'; its policies: competent, honest"),
    ],
)
def test_what_it_cannot_play_is_said_in_one_line(game, player, problem):
    assert problem in str(registry.make(player).supports(make(game)))
    with pytest.raises(InputError, match="cannot play"):
        arena.play(game, [player, player])
