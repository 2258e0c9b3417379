"""The plugin scripts/examples/reservoir.py: known payoffs, and what body, mind and sentinel do."""

import pytest

import arena
import games
from arena import players
from league.config.tournament import load_tournament


def returns(*ids, noise=0.0):
    episode = arena.play(f"noisy-pd(rounds=10, noise={noise})", [players.make(id) for id in ids], seed=3)
    return list(episode.returns.values())


def test_payoffs_follow_from_the_actions_that_were_carried_out():
    assert returns("tit-for-tat", "constant(share=0)") == pytest.approx([0.9, 1.4])
    assert returns("tit-for-tat", "moving-average") == pytest.approx([3.0, 3.0])
    assert returns("constant(share=0)", "constant(share=0)", noise=1.0) == pytest.approx([3.0, 3.0])
    assert players.make("moving-average(decay=0.8)").cooperates(("CC", "CD")) == pytest.approx(0.8)


def test_the_body_rests_in_cooperation_and_its_sentinel_answers_a_defection():
    calm, struck = ("CC",) * 20, ("CC",) * 20 + ("CD",)
    whole, body = players.make("reservoir"), players.make("reservoir(sentinel=0)")
    assert whole.unease(calm) < 1 < whole.unease(struck)
    assert whole.cooperates(calm) == body.cooperates(calm) > 0.9  # a fixed point: it is not computed by the mind
    assert whole.cooperates(struck) < 0.1 < body.cooperates(struck)
    assert whole.cooperates(struck + ("DC",) + ("CC",) * 5) > 0.8
    assert players.make("reservoir(receptivity=0)").cooperates(struck) == 0.0  # the mind alone is tit for tat


def test_the_tournament_seats_players_of_the_plugin(plugin):
    config = load_tournament(plugin.with_suffix(".toml"))
    board = games.make(config.games[0] if isinstance(config.games[0], str) else config.games[0].id)
    assert [players.make(player.player).supports(board) for player in config.players] == [None] * 8
