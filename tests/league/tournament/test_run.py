"""Tournaments from the user's side: played, resumed, interrupted, refused."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import msgspec
import pytest

import league
from arena import Decision, Player, players
from arena.players.bots.random import RandomPlayer
from games import InfrastructureError, InputError
from league import run_tournament
from league.runs.rebuild import read_snapshot, rebuild
from league.store import Store
from league.tournament.interrupt import interruptible
from league.views.report import read_board
from tests import golden
from tests.league.cups import cup as config
from tests.toys.perfect import Perfect  # noqa: F401  registers the player `perfect`


@players.register("mute")
class Mute(RandomPlayer):
    """Its author forgot the `return`."""

    name = "mute"

    def act(self, view):
        super().act(view)
        return  # type: ignore[return-value]


@players.register("flaky")
class Flaky(RandomPlayer):
    """Its engine fails at every third decision."""

    name, waits = "flaky", True
    calls = 0

    async def act_async(self, view):
        Flaky.calls += 1
        if Flaky.calls % 3 == 0:
            raise InfrastructureError("the engine is gone")
        await asyncio.sleep(0)
        return self.act(view)


@players.register("late")
class Late(RandomPlayer):
    """Answers through the event loop; somebody types Ctrl-C while it thinks for the `countdown`-th time."""

    name, waits = "late", True
    countdown = 0

    async def act_async(self, view):
        Late.countdown -= 1
        if Late.countdown == 0:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        return self.act(view)


def ratings(snapshot):
    return msgspec.json.encode((snapshot.standings, snapshot.games, snapshot.roles))


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return config(tmp_path_factory.mktemp("finished"))


@pytest.fixture(scope="module")
def finished(settings):
    """The end of a tournament. No test changes its database."""
    return run_tournament(settings, board="off")


def test_a_tournament_rates_the_better_player_higher(finished):
    table = {row.player: row for row in finished.snapshot.standings}
    assert finished.complete
    assert finished.snapshot.matches.finished == 3 * 2 * 20
    assert [row.rank for row in finished.snapshot.standings] == [1, 2, 3]
    assert finished.snapshot.standings[0].player == "perfect"
    assert table["perfect"].low > max(table["r1"].rating, table["r2"].rating)
    for row in table.values():
        assert row.games == row.wins + row.draws + row.losses == 80


def test_a_finished_tournament_is_not_played_again(settings, finished):
    again = run_tournament(settings, board="off")
    assert ratings(again.snapshot) == ratings(finished.snapshot)
    assert again.snapshot.matches.finished == finished.snapshot.matches.finished


def test_rounds_may_grow_and_equal_one_long_run(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    run_tournament(config(tmp_path / "a", rounds=5), board="off")
    grown = run_tournament(config(tmp_path / "a", rounds=12), board="off")
    whole = run_tournament(config(tmp_path / "b", rounds=12), board="off")
    assert ratings(grown.snapshot) == ratings(whole.snapshot)


@pytest.mark.parametrize("pairing", ["swiss", pytest.param("gauntlet", marks=pytest.mark.slow)])
def test_other_pairings_resume_to_the_same_standings(tmp_path, pairing):
    changes: dict[str, Any] = {
        "pairing": pairing,
        "rounds": 4,
        "players": [{"name": f"r{i}", "player": "random"} for i in range(5)] + [{"name": "p", "player": "perfect"}],
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    run_tournament(config(tmp_path / "a", **changes | {"rounds": 2}), board="off")
    resumed = run_tournament(config(tmp_path / "a", **changes), board="off")
    whole = run_tournament(config(tmp_path / "b", **changes), board="off")
    assert whole.complete
    assert ratings(resumed.snapshot) == ratings(whole.snapshot)


def test_a_failing_engine_voids_matches_and_costs_nobody(tmp_path):
    entrants = [{"name": "flaky", "player": "flaky"}, {"name": "random", "player": "random"}]
    finished = run_tournament(config(tmp_path, players=entrants, rounds=10), board="off")
    counts = finished.snapshot.matches
    assert counts.finished + counts.void == counts.planned == 20
    assert counts.void > 0
    assert all(row.games == counts.finished and row.forfeits == 0 for row in finished.snapshot.standings)


def test_a_player_that_returns_no_decision_forfeits(tmp_path):
    entrants = [{"name": "mute", "player": "mute"}, {"name": "random", "player": "random"}]
    finished = run_tournament(config(tmp_path, players=entrants, rounds=2), board="off")
    table = {row.player: row for row in finished.snapshot.standings}
    assert (finished.snapshot.matches.finished, finished.snapshot.matches.void) == (4, 0)
    assert (table["mute"].forfeits, table["mute"].faults, table["random"].wins) == (4, {"error": 12}, 4)


def test_the_board_in_another_process_needs_no_game(settings, finished, monkeypatch):
    monkeypatch.setattr("games.make", lambda id: pytest.fail("a game was made"))
    assert ratings(read_snapshot(settings.db)) == ratings(finished.snapshot)
    assert "identical" in rebuild(settings.db)


def test_ctrl_c_ends_what_is_in_flight_and_the_next_run_goes_on(tmp_path, capsys):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    entrants = [{"name": "late", "player": "late"}, {"name": "random", "player": "random"}]
    settings = config(tmp_path / "a", players=entrants, rounds=40, concurrency=4)
    Late.countdown = 25
    stopped = run_tournament(settings, board="plain")
    assert "\nto resume later: type the same command again\n" in capsys.readouterr().out
    assert not stopped.complete
    assert 0 < stopped.snapshot.matches.finished < 80
    with Store.open(settings.db, read_only=True) as store:
        assert store.run().status == "interrupted"
    resumed = run_tournament(settings, board="off")
    whole = run_tournament(config(tmp_path / "b", players=entrants, rounds=40), board="off")
    assert resumed.complete
    assert resumed.snapshot.matches.finished == 80
    assert ratings(resumed.snapshot) == ratings(whole.snapshot)


def test_the_board_of_an_interrupted_swiss_run_knows_all_its_matches(tmp_path):
    entrants = [{"name": "late", "player": "late"}, {"name": "random", "player": "random"}]
    settings = config(tmp_path, players=entrants, pairing="swiss", rounds=40, concurrency=2)
    Late.countdown = 25
    counts = run_tournament(settings, board="off").snapshot.matches
    assert counts.planned < counts.total == 80
    shown = read_board(settings.db)
    assert (shown.status, shown.snapshot.matches) == ("interrupted", counts)


def test_a_second_process_is_refused(tmp_path):
    settings = config(tmp_path, rounds=1)
    run_tournament(settings, board="off")
    with Store.open(settings.db) as store, store.exclusive(store.run()), pytest.raises(InputError, match="arena watch"):
        run_tournament(settings, board="off")


@pytest.mark.parametrize(
    ("changes", "message"),
    golden.lists(__file__, "run_what_cannot_work_is_refused_in_one_line"),
)  # fmt: skip
def test_what_cannot_work_is_refused_in_one_line(tmp_path, changes, message):
    with pytest.raises(InputError, match=message) as error:
        run_tournament(config(tmp_path, **changes), board="off")
    assert "\n" not in str(error.value)
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.parametrize("before", [signal.default_int_handler, signal.SIG_DFL])
def test_a_run_leaves_the_handler_of_sigterm_as_it_was(before):
    async def run():
        with interruptible(stops.append):
            assert signal.getsignal(signal.SIGTERM) is not before

    stops: list[None] = []
    outer = signal.signal(signal.SIGTERM, before)
    try:
        asyncio.run(run())
        assert signal.getsignal(signal.SIGTERM) is before
    finally:
        signal.signal(signal.SIGTERM, outer)


class Habit(Player):
    """Plays one move in 70% of its turns, else any."""

    def __init__(self, move: int = 0) -> None:
        self.move = move

    def act(self, view):
        assert view.legal is not None
        habit = view.rng.random() < 0.7
        return Decision(view.legal[self.move] if habit else view.rng.choice(view.legal))


def test_paper_against_rock(tmp_path):
    players.register("habit")(Habit)
    result = league.run_tournament(
        {
            "name": "rps",
            "db": f"sqlite:///{tmp_path}/rps.db",
            "games": ["openspiel/matrix_rps"],
            "rounds": 60,
            "players": [{"name": name, "player": f"habit(move={n})"} for n, name in enumerate(("rock", "paper"))],
        },
        board="off",
    )
    first, second = result.snapshot.standings
    assert not result.snapshot.repetition
    assert (first.player, first.games, first.distinct) == ("paper", 120, 120)
    assert first.wins > 2 * first.losses
    assert first.above_next is not None
    assert first.above_next > 0.99
    assert second.rating < first.rating - 3
