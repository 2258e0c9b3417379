"""Our games as environments of OpenEnv: in process, behind a server, and back in the arena."""

import asyncio
import zlib

import pytest

import arena
import games
from arena import Decision
from games import InputError
from tests.openenv_server import serving
from tests.toys.players import Acting, writer

pytest.importorskip("openenv", reason="the package openenv is not installed")
from arena.export.openenv import ArenaAction, ArenaEnvironment, openenv_app


def choice(legal, seen):
    """An action that depends on what the seat reads."""
    return legal[zlib.crc32(seen.encode()) % len(legal)] if legal else "I offer 40. <offer>40</offer>"


SCRIPTED = Acting(lambda view: Decision(choice(view.legal, view.observation.text)))


@pytest.mark.parametrize("game", ["openspiel/kuhn_poker", "openspiel/leduc_poker", "bargain", "pettingzoo/rps_v2"])
def test_the_same_actions_get_the_same_reward(game):
    env = ArenaEnvironment(game)
    seats = list(games.make(game).spec.seats)
    for seed in range(4):
        seen = env.reset(seed=seed)
        seat, actions = seats[seed % len(seats)], []
        assert seen.seat == seat
        while not seen.done:
            assert seen.reward == 0.0
            actions.append(choice(seen.legal_actions, seen.text))
            seen = env.step(ArenaAction(text=actions[-1]))
        native = arena.play(game, {s: SCRIPTED if s == seat else "random" for s in seats}, seed)
        assert (seen.reward, seen.metadata["returns"]) == (native.returns[seat], native.returns)
        tried = [attempt for turn in native.turns if turn.seat == seat for attempt in turn.attempts]
        assert actions == [attempt.action for attempt in (*tried, *native.failure)]
        assert env.state.step_count == len(actions)
    env.close()


def test_an_illegal_action_is_asked_for_again_and_then_forfeits():
    env = ArenaEnvironment("openspiel/kuhn_poker", seat="player_0")
    seen, refused = env.reset(seed=0), 0
    while not seen.done:
        seen = env.step(ArenaAction(text="Raise"))
        refused += bool(seen.error)
    assert refused >= 1
    assert (seen.reward, seen.metadata["forfeited_by"]) == (-2.0, "player_0")
    with pytest.raises(ValueError, match="reset begins another one"):
        env.step(ArenaAction(text="Bet"))
    env.close()


def test_it_runs_inside_an_event_loop_and_a_match_can_be_abandoned():
    async def abandoned():
        env = ArenaEnvironment("openspiel/kuhn_poker", seat="player_0")
        first = env.reset(seed=3)
        again = env.reset(seed=3)
        env.close()
        return first, again

    first, again = asyncio.run(abandoned())
    assert first.text == again.text
    assert first.legal_actions == ["Pass", "Bet"]


def test_a_game_that_goes_out_and_comes_back_pays_the_same():
    with serving(openenv_app("openspiel/kuhn_poker")) as url:
        game = games.make(f"openenv/{url}(returns_range=[-2,2])")
        for seed in range(6):
            episode = arena.play(game, writer("Bet"), seed)
            seat = f"player_{seed % 2}"
            native = arena.play(
                "openspiel/kuhn_poker", {s: writer("Bet") if s == seat else "random" for s in SEATS}, seed
            )
            assert episode.returns == {"agent": native.returns[seat]}
            assert episode.status == "finished"
        game.reset(0)
        assert game.legal("agent") == ("Pass", "Bet")
        del game


SEATS = ("player_0", "player_1")


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("nothing", {}, "unknown game"),
        ("openspiel/kuhn_poker", {"seat": "player_7"}, "has no seat 'player_7'"),
        ("openspiel/kuhn_poker", {"opponent": "nobody"}, "unknown"),
    ],
)
def test_a_wrong_id_gets_one_line(game, options, words):
    with pytest.raises(InputError, match=words):
        openenv_app(game, **options)
