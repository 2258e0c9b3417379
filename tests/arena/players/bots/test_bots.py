"""The bots: random is uniform, search beats random, the solver is exact, and all repeat their actions for a seed."""

import asyncio
import signal
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy as os_policy
from open_spiel.python.algorithms import expected_game_score, exploitability

import games
from arena import players
from arena.match import MatchPlan, play
from arena.players import View
from arena.players.bots import solver
from arena.players.bots.solver import SolverPlayer
from games import InputError
from games.openspiel.tree import openspiel_game, pays_early
from tests import golden


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def match(game, names, seed):
    seated = {seat: players.make(name) for seat, name in zip(game.spec.seats, names, strict=True)}
    return play(game, MatchPlan("m", game.spec.id, seed, {s: p.name for s, p in seated.items()}), seated)


def score(id, a, b, n):
    """Mean return of a against b over n pairs of rotated matches."""
    game = games.make(id)
    total = sum(match(game, (a, b), s).returns["player_0"] for s in range(n))
    return (total + sum(match(game, (b, a), s).returns["player_1"] for s in range(n))) / (2 * n)


def test_random_is_uniform_over_the_legal_actions():
    game = games.make("openspiel/matrix_rps")
    counts: dict[str, int] = {}
    for seed in range(600):
        for turn in match(game, ("random", "random"), seed).turns:
            counts[turn.action] = counts.get(turn.action, 0) + 1
    assert len(counts) == 3
    assert all(abs(c - 400) < 66 for c in counts.values()), counts  # 4 standard deviations


@pytest.mark.parametrize(
    ("id", "n", "margin"),
    [("openspiel/tic_tac_toe", 20, 0.5), ("openspiel/connect_four", 10, 0.8), ("openspiel/kuhn_poker", 60, 0.05)],
)
def test_search_beats_random(id, n, margin):
    assert score(id, "mcts(simulations=60)", "random", n) > margin


def test_search_plays_another_librarys_game_through_its_twin():
    game = games.make("pettingzoo/tictactoe_v3")
    seats = list(game.spec.seats)
    seated = {seats[0]: players.make("mcts(simulations=100)"), seats[1]: players.make("random")}
    won = [
        play(game, MatchPlan("m", game.spec.id, s, {k: p.name for k, p in seated.items()}), seated).returns[seats[0]]
        for s in range(10)
    ]
    assert sum(won) >= 6


@pytest.mark.parametrize(
    ("id", "player"),
    [
        ("openspiel/kuhn_poker", "mcts(simulations=20)"),
        ("openspiel/leduc_poker", "mcts(simulations=10)"),
        ("openspiel/connect_four", "mcts(simulations=20)"),
        ("openspiel/kuhn_poker", "solver"),
        ("openspiel/tic_tac_toe", "random"),
    ],
)
def test_the_same_seed_gives_the_same_match(id, player):
    game = games.make(id)
    for seed in range(8):
        first, second = match(game, (player, "random"), seed), match(games.make(id), (player, "random"), seed)
        assert [t.action for t in first.turns] == [t.action for t in second.turns]


def solved(name, iterations):
    game = pyspiel.load_game(name)
    table = SolverPlayer(iterations).policy(game)

    def read(state):
        player = state.current_player()
        known = table[state.information_state_string(player)]
        return {a: known[state.action_to_string(player, a)] for a in state.legal_actions()}

    return game, os_policy.tabular_policy_from_callable(game, read)


def test_the_solver_is_an_equilibrium_of_kuhn_poker():
    game, policy = solved("kuhn_poker", 2000)
    assert exploitability.nash_conv(game, policy) < 1e-3
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-1 / 18, abs=1e-4)


def test_the_solver_is_close_to_one_of_leduc_poker():
    game, policy = solved("leduc_poker", 100)
    assert exploitability.nash_conv(game, policy) < 0.05


def test_the_solver_never_loses_tic_tac_toe_and_wins_nim():
    game = games.make("openspiel/tic_tac_toe")
    for seed in range(40):
        assert match(game, ("solver", "random"), seed).returns["player_0"] >= 0
        assert match(game, ("random", "solver"), seed).returns["player_1"] >= 0
    assert match(game, ("solver", "solver"), 1).returns == {"player_0": 0.0, "player_1": 0.0}
    nim = games.make("openspiel/nim(pile_sizes=1;2;4)")
    assert all(match(nim, ("solver", "random"), seed).returns["player_0"] == 1.0 for seed in range(20))


def test_a_torn_cache_file_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    game = pyspiel.load_game("kuhn_poker")
    whole = SolverPlayer(50).policy(game)
    (file,) = (tmp_path / "solved").iterdir()
    file.write_text(file.read_text()[:40])
    assert SolverPlayer(50).policy(game) == whole
    assert SolverPlayer(50).policy(game) == whole


def test_the_solver_plays_where_its_cache_cannot_be_written(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "file/cache"))
    monkeypatch.setattr(solver, "_cfr", lambda game, iterations, solve=solver._cfr: solve(game, 10))
    players = {"player_0": SolverPlayer(50), "player_1": SolverPlayer(50)}
    game = games.make("openspiel/kuhn_poker")
    assert play(game, MatchPlan("m", game.spec.id, 1, {s: s for s in players}), players).status == "finished"
    (record,) = caplog.records
    assert record.message.startswith(f"cannot write {tmp_path}/file/cache/solved: Not a directory; ")


def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch):
    def full(path, text, encoding):
        path.write_bytes(b"{")
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(Path, "write_text", full)
    assert SolverPlayer(10).policy(pyspiel.load_game("kuhn_poker"))
    assert list((tmp_path / "solved").iterdir()) == []


@pytest.mark.parametrize(("player", "id", "reason"), golden.rows(__file__, "bots_bots_say_why_they_cannot_play"))
def test_bots_say_why_they_cannot_play(player, id, reason):
    why = players.make(player).supports(games.make(id))
    assert why
    assert reason in why


@pytest.mark.parametrize("id", ["mcts(simulations=1)", "mcts(uct_c=0)", "solver(iterations=0)"])
def test_parameters_out_of_range_are_refused(id):
    with pytest.raises(InputError):
        players.make(id)


@pytest.mark.parametrize(("acting", "why"), [(("nobody",), "acting is ('nobody',)"), ((), "nobody acts")])
def test_a_game_that_nobody_of_its_seats_begins_is_named(acting, why):
    game = games.make("bargain-v1")
    strange = type("Strange", (type(game),), {"acting": acting})
    found = strange()
    found.spec = game.spec
    assert why in str(players.make("random").supports(found))


def test_a_long_search_waits_in_a_thread_and_decides_the_same():
    """Ctrl-C came after it otherwise, which took minutes for millions of playouts."""
    game, long = games.make("openspiel/tic_tac_toe"), players.make("mcts(simulations=50000)")
    assert (long.waits, players.make("mcts(simulations=49999)").waits) == (True, False)
    game.reset(3)
    view = View(game, "player_0", "first", game.legal("player_0"), 5, 0, (), (), "m")
    assert asyncio.run(long.act_async(view)) == long.act(view)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_long_search_ends_the_program(number):
    """The search would take hours."""
    program = (
        "import os, sys, threading; from arena.cli import main; from arena.players.bots.mcts import MCTS\n"
        "act = MCTS.act\n"
        "def acts(self, view):\n"
        f"    threading.Timer(0.2, os.kill, (os.getpid(), {int(number)})).start()\n"
        "    return act(self, view)\n"
        "MCTS.act = acts\n"
        "sys.exit(main(['play', 'openspiel/connect_four', 'mcts(simulations=2000000000)', 'random']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (130, ["arena: interrupted"])


PAYING = ("2048", "cliff_walking", "morpion_solitaire")
"""listed games of perfect information with turns that pay during the match"""


@pytest.mark.parametrize("name", PAYING)
def test_a_game_that_pays_during_the_match_is_refused_by_search_and_by_exact_measures(name):
    """OpenSpiel's search reads the pay at the end, and raised an error in each match; a position does not tell it."""
    game = games.make(f"openspiel/{name}")
    assert players.make("mcts(simulations=2)").supports(game) == (
        "it pays during the match, and OpenSpiel's search reads the pay at the end"
    )
    assert players.make("solver").supports(game)
    with pytest.raises(InputError, match="cannot be evaluated exactly: it pays during the match"):
        openspiel_game(game)


def test_search_and_solver_play_only_listed_games_that_pay_at_the_end():
    bots = [players.make("mcts(simulations=2)"), players.make("solver")]
    paying = set()
    for id in (id for id in games.ids() if id.startswith("openspiel/")):
        game = games.make(id)
        state: Any = game.openspiel_state()
        if state is not None and pays_early(state.get_game()):
            paying.add(id.removeprefix("openspiel/"))
            assert all(bot.supports(game) for bot in bots), id
    assert paying > set(PAYING)
