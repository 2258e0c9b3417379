"""`arena.play` and `arena.evaluate`, also inside a running event loop as in a notebook."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena import event_loop
from arena.players.bots.random import RandomPlayer
from games import InputError
from tests import golden
from tests.toys.small_games import Auction, Race

ROOT = Path(__file__).parents[2]


class Slow(RandomPlayer):
    """Waits like a model, then answers at random."""

    name, waits = "slow", True

    async def act_async(self, view):
        await asyncio.sleep(0)
        return super().act(view)


def in_a_loop(call, *args, **options):
    async def main():
        return call(*args, **options)

    return asyncio.run(main())


def test_a_match_by_names():
    episode = arena.play("openspiel/kuhn_poker", ["mcts(simulations=3)", "random"], seed=4)
    assert (episode.status, episode.seed) == ("finished", 4)
    assert episode.seats == {"player_0": "mcts(simulations=3)", "player_1": "random"}
    again = arena.play("openspiel/kuhn_poker", {"player_1": "random", "player_0": "mcts(simulations=3)"}, 4)
    assert [t.action for t in again.turns] == [t.action for t in episode.turns]
    assert set(arena.play(Race(), "random").seats.values()) == {"random"}


@pytest.mark.parametrize("made", [Slow(), RandomPlayer()], ids=["waits", "direct"])
def test_the_same_match_inside_a_running_loop_and_awaited(made):
    def moves(episode):
        return [t.action for t in episode.turns]

    outside = arena.play(Race(), made, seed=3)
    assert outside.status == "finished"
    assert moves(in_a_loop(arena.play, Race(), [made, made], seed=3)) == moves(outside)
    assert moves(asyncio.run(arena.play_async(Race(), made, 3))) == moves(outside)


def test_a_measurement_inside_a_running_loop_and_outside():
    for call in (arena.evaluate, lambda *a, **o: in_a_loop(arena.evaluate, *a, **o)):
        report = call("random", "openspiel/kuhn_poker", matches=2, against=["random", RandomPlayer()])
        assert report.exact.nash_conv == pytest.approx(0.9166667)
        assert [score.matches for score in report.seats] == [2] * 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["random"] * 3, r"has 2 seats \(player_0, player_1\), 3 players were given"),
        ({"player_0": "random"}, "seat 'player_1' of race-v0 has no player"),
        ({"alice": "random", "bob": "random"}, "race-v0 has no seat 'alice'"),
        ("nobody", "unknown player 'nobody'"),
        (["solver", "random"], "solver cannot play race-v0"),
    ],
)
def test_what_does_not_fit_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        arena.play(Race(), given)


def test_a_game_of_one_seat_is_counted_in_the_singular():
    with pytest.raises(InputError, match=r"has 1 seat \(\w+\), 2 players were given; give 1$"):
        arena.play("solve(solvers=1)", ["random", "random"])


def test_something_else_than_a_player_is_no_player():
    with pytest.raises(TypeError, match=r"players\['left'\]: 3 is not an arena\.players\.Player"):
        arena.play(Auction(), [3, "random"])  # type: ignore[list-item]


def test_a_coroutine_runs_anywhere_and_its_errors_come_back():
    async def answer():
        await asyncio.sleep(0)
        return 7

    async def fail():
        raise KeyError("x")

    assert event_loop.run(answer()) == in_a_loop(lambda: event_loop.run(answer())) == 7
    assert in_a_loop(lambda: in_a_thread_of_its_own(lambda: event_loop.run(answer()))) == 7
    with pytest.raises(KeyError):
        in_a_loop(lambda: event_loop.run(fail()))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def in_a_thread_of_its_own(call):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(in_a_loop, call).result()


FOREVER = golden.text(__file__, "api_forever.py.txt")


def test_ctrl_c_ends_a_call_inside_a_loop():
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, text=True, env=env) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "asked\n"
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "interrupted\n"
        assert program.stdout.readline() == "on\n"
    assert program.returncode == 0


def test_importing_is_quick_and_names_are_there_when_asked_for():
    code = (
        "import sys, arena, league\n"
        "assert not {'numpy', 'torch', 'sqlalchemy', 'pydantic', 'arena.match', 'games'} & set(sys.modules)\n"
        "names = [getattr(m, n) for m in (arena, league) for n in m.__all__]\n"
        "assert 'torch' not in sys.modules and all(names)\n"
        "print(arena.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip()[0].isdigit()
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        arena.nothing  # noqa: B018
